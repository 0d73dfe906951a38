package picture_test

import (
	"fmt"

	"antipode/experiments/figure"
	"antipode/experiments/simulate/picture"
)

func ExampleSphere() {
	times := []float64{0, 1}
	tokens := [][][]float64{{{1, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {0.6, 0.8, 0}}}
	m := picture.Motion{Times: times, Tokens: tokens}
	drawn, err := picture.Sphere(m, figure.Width, 430, "a caption")
	fmt.Println(len(drawn.Panels), err) // a sphere at each time, and the overlaps
	// Output: 3 <nil>
}
