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
