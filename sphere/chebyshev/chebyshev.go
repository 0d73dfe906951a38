// Package chebyshev interpolates a function on [-1, 1] by Chebyshev polynomials.
//
//	nodes := Nodes()
//	var values [Order]float64
//	for k, x := range nodes {
//		values[k] = elementary.Exp(x)
//	}
//	c := Interpolation(&values, &nodes)
package chebyshev

import (
	"math"

	"antipode/sphere/elementary"
)

// Order is the number of points of a Chebyshev interpolation.
const Order = 16

// A Polynomial is a polynomial of degree Order-1 on [-1, 1], given by its coefficients in the Chebyshev
// basis.
type Polynomial [Order]float64

// Nodes returns the points cos(π(i+½)/Order) of a Chebyshev interpolation.
func Nodes() (nodes [Order]float64) {
	for i := range nodes {
		_, nodes[i] = elementary.SinCos(float64(math.Pi * (float64(i) + 0.5) / Order))
	}
	return nodes
}

// Interpolation returns the polynomial with the given values at the nodes, which must be those of Nodes.
func Interpolation(values, nodes *[Order]float64) (c Polynomial) {
	for i, x := range nodes {
		before, now := x, 1.0 // the Chebyshev polynomials T_-1 and T_0
		for k := range c {
			c[k] += float64(float64(values[i]*now) * (2.0 / Order))
			before, now = now, float64(2*x*now)-before
		}
	}
	c[0] *= 0.5
	return c
}

// At returns the value of the polynomial at x in [-1, 1], computed by Clenshaw's recurrence.
func (c *Polynomial) At(x float64) float64 {
	var b1, b2 float64
	for k := Order - 1; k > 0; k-- {
		b1, b2 = float64(2*x*b1)-b2+c[k], b1
	}
	return float64(x*b1) - b2 + c[0]
}
