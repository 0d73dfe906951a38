package wording_test

import (
	"fmt"

	"antipode/experiments/wording"
)

func ExampleCount() {
	fmt.Println(wording.Count(1, "row"))
	fmt.Println(wording.Count(2, "trajectory"))
	// Output:
	// 1 row
	// 2 trajectories
}
