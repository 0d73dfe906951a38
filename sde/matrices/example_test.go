package matrices_test

import (
	"fmt"
	"log"

	"antipode/sde/matrices"
)

// The excess of the stable rank over 1 after three random Markov matrices.
func Example() {
	law := matrices.Network{Attention: matrices.Markov, Tokens: 64, Dim: 64, Layers: 3, Heads: 1}
	signal := law.Start(1, 0) // seed, sample
	for range law.Layers {
		if err := signal.Advance(); err != nil {
			log.Fatal(err)
		}
	}
	values, err := matrices.SingularValues(signal.X())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4g\n", matrices.Excess(values))
	// Output: 1.275e-08
}
