package fokkerplanck_test

import (
	"fmt"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
)

func ExampleUniform() {
	d, err := overlap.New(4, 1, overlap.Softmax, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	laws, err := fokkerplanck.Uniform(d, []float64{10}, 1e-5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.5f %.5f\n", laws[0].Antipodal(1e-3).Value, laws[0].Single(1e-3).Value)
	// Output: 0.11047 0.85556
}

// The law of the overlap of two tokens of dimension 8 at two times.
func Example() {
	d, err := overlap.New(8, 2, overlap.Softmax, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	laws, err := fokkerplanck.Uniform(d, []float64{10, 50}, 1e-5) // times, tolerance
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.5f\n", laws[1].Antipodal(1e-3).Value)
	// Output: 0.12093
}
