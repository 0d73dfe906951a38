package overlap_test

import (
	"fmt"

	"antipode/overlap"
)

// ReLU attention has the positive part of the overlap as its weight, so that tokens at an obtuse angle do
// not attend to each other.
func ExampleNewKernel() {
	relu := func(z float64) (p, q float64) { return 0.5, 0.5 * max(z, 0) }
	d, err := overlap.NewKernel(4, relu, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.PlusOne(), d.MinusOne())
	fmt.Printf("P(antipodal) = %.6f\n", d.AntipodalUniform().Value)
	// Output:
	// attracting attracting
	// P(antipodal) = 0.317595
}

// Linear attention is symmetric under z ↦ -z, so half of all pairs become antipodal.
func ExampleNewKernel_linear() {
	linear := func(z float64) (p, q float64) { return 0.5, 0.5 * z }
	d, err := overlap.NewKernel(8, linear, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("P(antipodal) = %.6f\n", d.AntipodalUniform().Value)
	// Output: P(antipodal) = 0.500000
}

// The theory of two tokens of dimension 8.
func Example() {
	d, err := overlap.New(8, 2, overlap.Softmax, 1) // dimension, β, attention, σ
	if err != nil {
		fmt.Println(err)
		return
	}
	from, err := d.AntipodalFrom(-0.5)
	fmt.Printf("%v, %.6f of random pairs, %.6f from overlap -0.5, %v\n",
		d.MinusOne(), d.AntipodalUniform().Value, from.Value, err)
	// Output: attracting, 0.120933 of random pairs, 0.285893 from overlap -0.5, <nil>
}

// Attention replaced by the mean of both tokens, with a custom MLP in addition, which maps an overlap z
// to z³.
func ExampleNewKernel_moments() {
	d, err := overlap.NewKernel(3, overlap.Moments(func(z float64) (own, shared float64) {
		mean := (1 + z) / 2
		return mean + 0.5, mean + 0.5*z*z*z
	}), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.PlusOne(), d.MinusOne())
	fmt.Printf("P(antipodal) = %.6f\n", d.AntipodalUniform().Value)
	// Output:
	// attracting attracting
	// P(antipodal) = 0.214979
}
