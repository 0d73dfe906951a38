package chebyshev

import (
	"fmt"
	"math"
	"testing"

	"antipode/sphere/elementary"
)

func Example() {
	nodes := Nodes()
	var values [Order]float64
	for k, x := range nodes {
		values[k] = elementary.Exp(x)
	}
	c := Interpolation(&values, &nodes)
	fmt.Printf("%.10f\n", c.At(0.3))
	// Output: 1.3498588076
}

// Polynomials of a degree below the number of nodes are reproduced, even at the ends.
func TestPolynomialsAreExact(t *testing.T) {
	nodes := Nodes()
	for degree := range Order {
		var values [Order]float64
		for k, x := range nodes {
			values[k] = math.Pow(x, float64(degree))
		}
		c := Interpolation(&values, &nodes)
		for _, x := range []float64{-1, -0.7, 0.013, 0.5, 1} {
			if got, want := c.At(x), math.Pow(x, float64(degree)); !(math.Abs(got-want) <= 1e-13) {
				t.Errorf("x^%d at %v is %v, want %v", degree, x, got, want)
			}
		}
	}
}
