package weak

import (
	"math"
	"testing"

	"antipode/sde"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/floats"
)

// cubature is a discrete law on R^n, points with weights, that has the moments of n independent standard
// normal numbers up to degree seven.
type cubature struct {
	points  [][]float64
	weights []float64
}

// newCubature returns the fully symmetric rule for n ≥ 3 whose points have three entries ±√3, two entries
// ±√3, or one entry ±1 or ±b; the others are 0. The weights and b follow from the moments 1, 3 and 15 of x²,
// x⁴ and x⁶, from those of x²y² and x²y²z², which are 1, and from that of x⁴y², which is 3 and determines √3.
func newCubature(n int) *cubature {
	const triple = 1. / 216
	count := float64(n)
	pair := (1./9 - 8*(count-2)*triple) / 4
	others := 4 * (count - 1) * (pair + (count-2)*triple) // weight of the points where entry i is ±√3
	square := (6 - 9*others) / (1 - 3*others)
	outer := (1 - 3*others) / (square * (square - 1))
	inner := (1-3*others)/2 - outer*square
	c := &cubature{}
	for i := range n {
		c.add(n, inner, 1, i)
		c.add(n, outer, math.Sqrt(square), i)
		for j := range i {
			c.add(n, pair, math.Sqrt(3), i, j)
			for k := range j {
				c.add(n, triple, math.Sqrt(3), i, j, k)
			}
		}
	}
	rest := 1.
	for _, w := range c.weights {
		rest -= w
	}
	c.add(n, rest, 0)
	return c
}

// add adds the points whose given entries are ±value, with all signs, and whose other entries are 0.
func (c *cubature) add(n int, weight, value float64, entries ...int) {
	for signs := range 1 << len(entries) {
		point := make([]float64, n)
		for bit, e := range entries {
			point[e] = value * float64(1-2*(signs>>bit&1))
		}
		c.points, c.weights = append(c.points, point), append(c.weights, weight)
	}
}

// schemeKernel is the transition operator of the overlap z of two tokens for one step of a cell: it maps a
// function of z to its mean after the step, without random numbers. The Gaussian increments are replaced by
// the points of a cubature rule, which changes the mean at a given time by a term of order L^-3.
//
// Functions are represented by their values at Chebyshev points in y = tanh(u/stretch), u = atanh z, and
// interpolated by polynomials. As functions of z means have logarithmic terms at ±1, so that polynomials in z
// would converge slowly.
type schemeKernel struct {
	stretch float64
	y       []float64
	rows    [][]float64
}

// newSchemeKernel returns the operator for one step of the stepper of a cell of two tokens, with the given
// number of Chebyshev points. Only those of the d² entries of an increment that act on the plane of the
// tokens are integrated over, except for heun, where all are.
func newSchemeKernel(t *testing.T, c sde.Cell, stretch float64, points int) *schemeKernel {
	t.Helper()
	k := &schemeKernel{stretch: stretch}
	for i := range points {
		k.y = append(k.y, -math.Cos(math.Pi*(float64(i)+0.5)/float64(points)))
	}
	columns := 2
	if m, limit := c.Model.(sde.TransformerSDE); limit && m.Scheme == sde.Heun {
		columns = c.Dim
	}
	rule := newCubature(c.Dim * columns)
	stepper, root := sde.NewStepper(c), math.Sqrt(1/float64(c.Depth))
	x, increment := make([]float64, 2*c.Dim), make([]float64, c.Dim*c.Dim)
	for i := range k.y {
		u, row := k.u(i), make([]float64, points)
		for n, point := range rule.points {
			for e, v := range point {
				increment[e/columns*c.Dim+e%columns] = root * v
			}
			c.FromBrownian(increment, increment)
			clear(x)
			x[0], x[1] = 1/math.Sqrt(1+math.Exp(-2*u)), 1/math.Sqrt(1+math.Exp(2*u))
			x[c.Dim], x[c.Dim+1] = x[0], -x[1]
			must.Do(t, stepper.Step(x, increment))
			k.add(row, rule.weights[n], pairU(x, c.Dim))
		}
		k.rows = append(k.rows, row)
	}
	return k
}

// u returns atanh of the overlap at a Chebyshev point.
func (k *schemeKernel) u(point int) float64 { return k.stretch * math.Atanh(k.y[point]) }

// add adds to row the interpolation weights of the points for the value at u, times factor, by the
// barycentric formula.
func (k *schemeKernel) add(row []float64, factor, u float64) {
	y, sum := math.Tanh(u/k.stretch), 0.0
	weights := make([]float64, len(k.y))
	for i, point := range k.y {
		if y == point {
			row[i] += factor
			return
		}
		weights[i] = math.Sqrt((1-point)*(1+point)) / (y - point) * float64(1-2*(i&1))
		sum += weights[i]
	}
	floats.AddScaled(row, factor/sum, weights)
}

// mean returns the mean of a function of the overlap after a number of steps, as a function of
// atanh of the overlap at the start.
func (k *schemeKernel) mean(f func(z float64) float64, steps int) func(u float64) float64 {
	values := make([]float64, len(k.y))
	for i := range k.y {
		values[i] = f(math.Tanh(k.u(i)))
	}
	for range steps {
		next := make([]float64, len(values))
		for i, row := range k.rows {
			next[i] = floats.Dot(row, values)
		}
		values = next
	}
	return func(u float64) float64 {
		row := make([]float64, len(values))
		k.add(row, 1, u)
		return floats.Dot(row, values)
	}
}

// pairU returns atanh of the overlap of two tokens, computed from the lengths of their sum and difference.
func pairU(x []float64, d int) float64 {
	sum, difference := 0.0, 0.0
	for k := range d {
		s, d := x[k]+x[d+k], x[k]-x[d+k]
		sum, difference = sum+s*s, difference+d*d
	}
	return 0.5 * math.Log(sum/difference)
}

// The cubature has all moments of standard normal numbers up to degree seven in up to three entries; these
// are products of double factorials.
func TestCubature(t *testing.T) {
	moment := [8]float64{1, 0, 1, 0, 3, 0, 15, 0}
	for _, n := range []int{3, 6, 9} {
		c := newCubature(n)
		for a := range 8 {
			for b := range 8 - a {
				for e := range 8 - a - b {
					sum := 0.0
					for i, p := range c.points {
						sum += c.weights[i] * math.Pow(p[0], float64(a)) * math.Pow(p[n/2],
							float64(b)) * math.Pow(p[n-1], float64(e))
					}
					if want := moment[a] * moment[b] * moment[e]; !(math.Abs(sum-want) <= 1e-11) {
						t.Errorf("n=%d: moment of degrees %d, %d, %d is %v, want %v", n, a, b, e, sum, want)
					}
				}
			}
		}
	}
}
