package arrays_test

import (
	"fmt"
	"log"

	"antipode/experiments/measure/arrays"
)

// Example reads the first numbers of a matrix in a file of weights.
func Example() {
	file, err := arrays.Open("../weights/testdata/model.safetensors", arrays.Floats)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	a := file.Arrays[0]
	x := make([]float64, a.Count())
	err = a.Read(x, 0, new([]byte))
	fmt.Println(len(file.Arrays), a.Name, a.Shape, err)
	// Output: 14 encoder.layers.0.steps [1] has no real numbers of 16, 32 or 64 bits
}
