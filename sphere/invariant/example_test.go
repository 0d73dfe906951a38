package invariant_test

import (
	"fmt"

	"antipode/sphere/invariant"
)

func Example() {
	v := invariant.Covariance{A: 1, B: -0.5, C: 0.2}
	err := v.Check(4) // nil: such a random matrix with 4 rows exists
	fmt.Println(err, v.Trace(4))
	fmt.Println(invariant.Covariance{A: 1, C: -0.4}.Check(4))
	// Output:
	// <nil> 1.3
	// no matrix of dimension 4 has it; a + b + c·d must be at least 0
}
