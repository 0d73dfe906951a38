package parameter_test

import (
	"fmt"

	"antipode/experiments/parameter"
)

// A list that is set from a grid.
func Example() {
	beta := []float64{1}
	value := parameter.Reals(&beta, parameter.Range{Low: 0, High: 10})
	err := value.Set("0:2:0.5")
	fmt.Println(beta, err)
	fmt.Println(value.Set("12"))
	// Output:
	// [0 0.5 1 1.5 2] <nil>
	// 12 is out of bounds; must be numbers from 0 to 10: a list such as 0.5,1,2 or a grid start:stop:step
}
