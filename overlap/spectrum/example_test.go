package spectrum_test

import (
	"fmt"
	"log"

	"antipode/overlap/spectrum"
)

// The law of the singular values of a signal behind three layers.
func Example() {
	signal, err := spectrum.Covariance(3, 0.5, 1) // layers, T/D, scale
	if err != nil {
		log.Fatal(err)
	}
	low, high := signal.Support()
	share := signal.Distribution(0.5) // share of the values up to 1/2
	fmt.Printf("%.4g to %.4f, %.4f\n", low, high, share)
	// Output: 0 to 110.1508, 0.5009
}
