package setting_test

import (
	"fmt"

	"antipode/experiments/setting"
)

func Example() {
	b, err := setting.ParseInteraction("rotation:90")
	fmt.Println(b, err)
	_, err = setting.ParseInteraction("rotation:a")
	fmt.Println(err != nil)
	// Output:
	// rotation:90 <nil>
	// true
}
