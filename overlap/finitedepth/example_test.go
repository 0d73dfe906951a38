package finitedepth_test

import (
	"fmt"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
)

// In the limit of many layers the boundary of four dimensions is where cosh 2β = d-2.
func ExampleCriticalBeta() {
	beta, ok, err := finitedepth.CriticalBeta(4, overlap.Softmax, 1, 1_000_000)
	fmt.Printf("%.3f %t %v\n", beta, ok, err)
	// Output: 0.658 true <nil>
}
