package experiments_test

import (
	"context"
	"fmt"
	"log"

	"antipode/data"
	"antipode/experiments/phase"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere"
)

// The antipodal probability of two tokens, simulated and from theory.
func Example() {
	experiment := phase.New()
	experiment.Dim, experiment.Beta = []int{4}, []float64{0.3, 1.5}
	table := data.NewTable(run.Schema(experiment, 1))
	if err := experiment.Run(context.Background(), run.Options{Seed: 1}, table); err != nil {
		log.Fatal(err)
	}
	rows, err := data.RowsOf[phase.Row](table)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range rows {
		fmt.Printf("β = %.1f: %.3f simulated, %.3f in the limit\n", row.Beta, row.PAntipodal, row.Limit)
	}
	// Output:
	// β = 0.3: 0.001 simulated, 0.000 in the limit
	// β = 1.5: 0.225 simulated, 0.223 in the limit
}

// User-defined attention, with weights (1+⟨x_i,x_j⟩)² in place of exponentials, simulated and in theory.
func Example_kernel() {
	kernel := sde.PairKernel{Weigh: func(scores []float64) {
		for k, z := range scores {
			scores[k] = float64((1 + z) * (1 + z))
		}
	}}
	cell := sde.Cell{Model: sde.Transformer{Sigma: 0.2}, PairKernel: kernel, Tokens: 2, Dim: 4, Depth: 20,
		Start: sde.UniformStart{}}
	outcomes, err := cell.Outcomes(context.Background(), 1, 1000, 600, 1e-2)
	if err != nil {
		log.Fatal(err)
	}
	diffusion, err := overlap.NewKernel(4, kernel.Pair, 0.2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f simulated, %.3f in the limit", float64(outcomes[sphere.Antipodal])/1000,
		diffusion.AntipodalUniform().Value)
	// Output: 0.231 simulated, 0.253 in the limit
}

// User-defined noise, given by its second moments: those of attention with weights 1+⟨x_i,x_j⟩. The same
// attention is simulated.
func Example_moments() {
	kernel := sde.Kernel(func(weights []float64, _ int) {
		for j := range weights {
			weights[j]++
		}
	})
	diffusion, err := overlap.NewKernel(5, overlap.Moments(func(z float64) (own, shared float64) {
		p, q := kernel.Pair(z)
		return p*p + q*q + 2*p*q*z, (p*p+q*q)*z + 2*p*q
	}), 0.3)
	if err != nil {
		log.Fatal(err)
	}
	cell := sde.Cell{Model: sde.Transformer{Sigma: 0.3}, Kernel: kernel, Tokens: 2, Dim: 5, Depth: 40,
		Start: sde.UniformStart{}}
	antipodal := 0
	ensemble := sde.Ensemble[float64]{Cells: []sde.Cell{cell}, Trajectories: 1000, Layers: 1600, Seed: 1,
		Observer: func(int) func(z *float64, v *sde.View) {
			return func(z *float64, v *sde.View) { *z = v.Overlap(0, 1) }
		},
		Reduce: func(_ int, _ int64, z float64) error {
			if z < -0.99 {
				antipodal++
			}
			return nil
		}}
	if err := ensemble.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	share := float64(antipodal) / 1000
	fmt.Printf("%.3f simulated, %.3f in the limit", share, diffusion.AntipodalUniform().Value)
	// Output: 0.100 simulated, 0.096 in the limit
}
