package theory_test

import (
	"fmt"

	"antipode/experiments/theory"
	"antipode/sde"
)

func Example() {
	cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1, Depth: 100,
		Start: sde.UniformStart{}}
	limit, err := theory.Diffusion(cell)
	fmt.Printf("%.10f %v\n", limit.AntipodalUniform().Value, err)
	// Output: 0.1198769963 <nil>
}
