package overlap_test

import (
	"fmt"

	"antipode/overlap"
)

// ReLU attention weighs a token with the positive part of its overlap, so that tokens
// at an obtuse angle do not see each other.
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

// Linear attention does not tell z from -z: half of all pairs become antipodal.
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

// Two clusters of one and two tokens are antipodal for a long time only.
func ExampleDiffusion_Lifetime() {
	d, err := overlap.NewMasses(4, 2.5, overlap.Softmax, 1, 1, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	life, _ := d.Lifetime()
	decay, _ := d.DecayTime()
	fmt.Printf("%v: %.2f, %.2f\n", d.MinusOne(), life.Value, decay.Value)
	// Output: entrance: 74.04, 101.33
}

func ExampleDiffusion_EvolveUniform() {
	d, err := overlap.New(4, 1, overlap.Softmax, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	laws, err := d.EvolveUniform([]float64{10}, 1e-5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.5f %.5f\n", laws[0].Antipodal(1e-3).Value, laws[0].Single(1e-3).Value)
	// Output: 0.11047 0.85556
}
