package hidden_test

import (
	"fmt"
	"log"

	"antipode/experiments/measure/hidden"
)

// Example reads the second sequence in a file of hidden states.
func Example() {
	path := "testdata/float32.npy"
	states, err := hidden.Open(path) // layers × sequences × tokens × d
	if err != nil {
		log.Fatal(err)
	}
	defer states.Close()
	x := make([]float64, states.Tokens*states.Dim)
	err = states.Reader().Read(0, 1, x) // layer, sequence
	fmt.Println(states.Layers, states.Sequences, states.Tokens, states.Dim, err)
	// Output: 3 2 4 5 <nil>
}
