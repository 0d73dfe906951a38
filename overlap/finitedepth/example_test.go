package finitedepth_test

import (
	"fmt"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
)

// In the limit of many layers the boundary in four dimensions is cosh 2β = d-2.
func ExampleCriticalBeta() {
	beta, ok, err := finitedepth.CriticalBeta(4, overlap.Softmax, 1, 1_000_000)
	fmt.Printf("%.3f %t %v\n", beta, ok, err)
	// Output: 0.658 true <nil>
}

// Antipodal tokens, with 100 layers per unit of time.
func Example() {
	layer, err := finitedepth.Antipodal(8, 2, overlap.Softmax, 1, 100) // dimension, β, attention, σ, L
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.6f\n", layer.Lyapunov())
	fmt.Println(layer.Lundberg())
	// Output:
	// -0.006979
	// 0.3869045143565826 true
}
