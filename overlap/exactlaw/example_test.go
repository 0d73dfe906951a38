package exactlaw_test

import (
	"fmt"
	"log"

	"antipode/overlap"
	"antipode/overlap/exactlaw"
)

// The law of the overlap after 1200 layers, with 40 layers per unit of time.
func Example() {
	r, err := exactlaw.Clusters(10, 2, overlap.Softmax, 1, 1, 1, 40) // dimension, β, attention, σ, masses, L
	if err != nil {
		log.Fatal(err)
	}
	o, err := r.Uniform(1200, 1e-3, 1e-6) // layers, tolerance of an outcome, accuracy
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.6f %.6f\n", o.Antipodal.Value, o.Single.Value)
	// Output: 0.072264 0.927439
}
