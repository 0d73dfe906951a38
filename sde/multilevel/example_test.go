package multilevel_test

import (
	"context"
	"fmt"
	"log"

	"antipode/sde"
	"antipode/sde/multilevel"
)

// One token makes a Brownian motion on the sphere, with E<X_t,X_0> = e^{-(d-1)σ²t/2}.
func ExampleExpectation_Estimate() {
	start, err := sde.NewStatesStart([]float64{1, 0, 0}, 1, 3)
	if err != nil {
		log.Fatal(err)
	}
	e := multilevel.Expectation{
		Cell:     sde.Cell{Model: sde.TransformerSDE{Scheme: sde.Heun, Sigma: 1}, Tokens: 1, Dim: 3, Depth: 4, Start: start},
		Steps:    2, // T = ½
		Function: func(x []float64) float64 { return x[0] },
		Seed:     1,
	}
	m, err := e.Estimate(context.Background(), multilevel.Request{StandardError: 0.01, Finest: 256, Antithetic: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f ± %.2f, exactly 0.61\n", m.Value, m.StandardError)
	fmt.Printf("cheaper than at one depth: %v\n", m.PlainCost > m.Cost)
	// Output:
	// 0.62 ± 0.01, exactly 0.61
	// cheaper than at one depth: true
}
