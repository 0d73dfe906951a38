package response_test

import (
	"context"
	"fmt"
	"log"

	"antipode/sde"
	"antipode/sde/response"
)

// The derivative with respect to β of the probability that two tokens end antipodal. In theory it is 0.159 at
// this depth (overlap --derivatives).
func Example() {
	cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1.5, Depth: 50,
		Start: sde.UniformStart{}}
	r := response.Transformer{Cell: cell, Layers: 10 * 50, Trajectories: 2000, Tolerance: 1e-3, Seed: 1}
	derivatives, err := r.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	antipodal := derivatives.ByBeta.Antipodal
	fmt.Printf("%.2f ± %.2f\n", antipodal.Value, antipodal.Error)
	// Output: 0.13 ± 0.04
}
