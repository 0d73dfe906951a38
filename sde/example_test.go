package sde_test

import (
	"context"
	"fmt"
	"log"
	"math"

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

// A stop rule of one's own, tried out on two clusters that are nearly opposite.
func ExampleNewPairView() {
	opposite := func(v *sde.View) bool {
		p, ok := v.Pair()
		return ok && p.Above < math.Log(1e-6) // 1 + the overlap
	}
	far := sde.Pair{Masses: [2]float64{1, 1}, Above: math.Log(1e-3), Below: math.Log(2 - 1e-3)}
	near := sde.Pair{Masses: [2]float64{1, 1}, Above: math.Log(1e-9), Below: math.Log(2 - 1e-9)}
	fmt.Println(opposite(sde.NewPairView(0, 10, far)), opposite(sde.NewPairView(0, 20, near)))
	// Output: false true
}
