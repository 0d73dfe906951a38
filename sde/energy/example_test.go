package energy_test

import (
	"fmt"

	"antipode/sde"
	"antipode/sde/energy"
)

// Two tokens in one place and one opposite them: (5 + 4e^-2)/9.
func Example() {
	cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 3, Dim: 2, Beta: 1, Depth: 1,
		Start: sde.UniformStart{}}
	e := energy.New(cell).Of([]float64{1, 0, 1, 0, -1, 0})
	fmt.Printf("%.4f\n", e)
	// Output: 0.6157
}
