package spectrum_test

import (
	"fmt"
	"log"

	"antipode/overlap/spectrum"
)

// The law of the singular values of a signal after three layers.
func Example() {
	signal, err := spectrum.Covariance(3, 0.5, 1) // layers, T/D, scale
	if err != nil {
		log.Fatal(err)
	}
	low, high := signal.Support()
	share := signal.Distribution(0.5) // fraction of the singular values up to 1/2
	fmt.Printf("%.4g to %.4f, %.4f\n", low, high, share)
	// Output: 0 to 110.1508, 0.5009
}

// The Marchenko-Pastur law: squared singular values of a random matrix with twice as many rows as
// columns.
func ExampleProduct() {
	squares, err := spectrum.NewProduct(1, 2) // mean and ratio
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean %.4g, at 0 %.4g, density at 1 %.4f\n", squares.Mean(), squares.Atom(),
		squares.Density(1))
	// Output: mean 1, at 0 0.5, density at 1 0.1592
}

// A quarter of the eigenvalues of a large Markov matrix have at most half of the largest absolute value.
func ExampleCircle() {
	law := spectrum.Circle{Radius: 1}
	fmt.Printf("%.4f, %.2f\n", law.Density(0.3+0.4i), law.Distribution(0.5))
	// Output: 0.3183, 0.25
}

// The mean of tr Σ, exact for 10 tokens and 5 dimensions, at the input and after two layers.
func ExampleMeanTrace() {
	const tokens, dim, layers = 10, 5, 2
	fmt.Printf("%.4g\n", spectrum.MeanTrace(tokens, dim, layers, spectrum.RowVariance(tokens), true))
	// Output: [10 9.091 28.72]
}
