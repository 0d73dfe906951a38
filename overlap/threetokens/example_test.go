package threetokens_test

import (
	"fmt"

	"antipode/overlap"
	"antipode/overlap/threetokens"
)

func ExampleUniform() {
	laws, err := threetokens.Uniform(2, 2.5, overlap.Softmax, 1, []float64{20}, 1e-3, 5e-3)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f\n", laws[0].TwoAgainstOne.Value)
	// Output: 0.56
}
