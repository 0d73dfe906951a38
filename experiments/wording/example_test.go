package wording_test

import (
	"fmt"

	"antipode/experiments/wording"
)

func ExamplePlural() {
	fmt.Println(
		wording.Plural("row", "rows", 1), // row
		wording.Plural("row", "rows", 2),
	)
	// Output: row rows
}
