package experiments_test

import (
	"context"
	"fmt"
	"log"

	"antipode/data"
	"antipode/experiments/phase"
	"antipode/experiments/run"
)

// The antipodal probability of two tokens, simulated and from theory.
func Example() {
	phase := phase.New()
	phase.Dim, phase.Beta = []int{4}, []float64{0.3, 1.5}
	table := data.NewTable(run.Schema(phase, 1))
	if err := phase.Run(context.Background(), run.Options{Seed: 1}, table); err != nil {
		log.Fatal(err)
	}
	simulated, _ := data.ValuesOf[float64](table, "p_antipodal")
	theory, _ := data.ValuesOf[float64](table, "p_limit")
	for k, beta := range phase.Beta {
		fmt.Printf("β = %.1f: %.3f simulated, %.3f in the limit\n", beta, simulated[k], theory[k])
	}
	// Output:
	// β = 0.3: 0.001 simulated, 0.000 in the limit
	// β = 1.5: 0.225 simulated, 0.223 in the limit
}
