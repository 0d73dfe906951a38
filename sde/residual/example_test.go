package residual_test

import (
	"fmt"

	"antipode/sde/residual"
)

// The mean-field scaling, V = I and α = 1/L with L = 100, up to time 1.
func Example() {
	x := residual.New([]float64{1, 0, 0, 1}, 2, 3) // two tokens of dimension 2, β = 3
	for range 100 {
		x.AddField(0.01) // X_i ← X_i + A_i(X)/100
	}
	fmt.Printf("%.4f\n", x.X)
	// Output: [2.6862 0.0186 0.0186 2.6862]
}
