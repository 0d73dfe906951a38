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
	outcome, pair := sphere.NewClassifier(3, 1e-3).Classify(x, 2) // tolerance 1e-3; Antipodal, true
	fmt.Println(outcome, pair)
	// Output: antipodal true
}

// One layer of a recursion: a step in the tangent direction, and a retraction to the sphere.
func ExampleRetract() {
	x := []float64{1, 0}
	norm := sphere.Retract(x, x, []float64{0, 0.75})
	fmt.Printf("%.2f %.1f\n", norm, x)
	// Output: 1.25 [0.8 0.6]
}
