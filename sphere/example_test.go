package sphere_test

import (
	"fmt"

	"antipode/sphere"
)

// Three tokens in two dimensions, one opposite to the others.
func ExampleGram() {
	tokens := []float64{1, 0, 1, 0, -1, 0}
	gram := make([]float64, 9)
	sphere.Gram(gram, tokens, 2)
	fmt.Println(gram)
	fmt.Println(sphere.Dot(tokens[:2], tokens[4:]))
	// Output:
	// [1 1 -1 1 1 -1 -1 -1 1]
	// -1
}
