package sde_test

import (
	"context"
	"fmt"
	"log"

	"antipode/sde"
	"antipode/sphere"
)

// How two tokens end that are attracted to each other and to the opposite point.
func Example() {
	cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1.5, Depth: 100,
		Start: sde.UniformStart{}}
	outcomes := map[sphere.Outcome]int{}
	ensemble := sde.Ensemble[sphere.Outcome]{
		Cells: []sde.Cell{cell}, Trajectories: 1000, Layers: 20 * 100, Seed: 1,
		Observer: func(int) func(row *sphere.Outcome, v *sde.View) {
			return func(row *sphere.Outcome, v *sde.View) { *row, _ = v.Outcome(1e-3) }
		},
		Reduce: func(_ int, _ int64, row sphere.Outcome) error {
			outcomes[row]++
			return nil
		},
	}
	err := ensemble.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outcomes)
	// Output: map[single:780 antipodal:218 unclustered:2]
}
