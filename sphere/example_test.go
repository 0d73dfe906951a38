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

// Two clusters opposite each other.
func Example() {
	x := []float64{1, 0, 1, 0, -1, 0}                             // three tokens of dimension 2
	outcome, pair := sphere.NewClassifier(3, 1e-3).Classify(x, 2) // tolerance; antipodal, and some pair is
	fmt.Println(outcome, pair)
	// Output: antipodal true
}
