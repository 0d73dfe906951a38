package brownian_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"
)

// How far apart the overlaps of two tokens are along one path at two depths.
func Example() {
	distance := 0.0
	coarse := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1, Depth: 64,
		Start: sde.UniformStart{}}
	fine := coarse
	fine.Depth = 256
	ensemble := brownian.Ensemble[[2]float64]{
		Cells: []sde.Cell{coarse, fine}, Trajectories: 100, Steps: 64, Seed: 1, // to time 1
		Observer: func() func(overlaps *[2]float64, cell int, step int64, x []float64) {
			return func(overlaps *[2]float64, cell int, step int64, x []float64) {
				overlaps[cell] = sphere.Dot(x[:3], x[3:])
			}
		},
		Reduce: func(_ int64, overlaps [2]float64) error {
			distance += math.Abs(overlaps[0]-overlaps[1]) / 100
			return nil
		},
	}
	err := ensemble.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", distance)
	// Output: 0.0855
}
