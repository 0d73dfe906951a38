package exactlaw

import (
	"math"
	"slices"
)

// A preimage of a point y is a point x that a layer takes to y, together with the weight of F(x) in
//
//	F'(y) = E[ΣF(x)], a sum over all x with g(x) = y, with a negative sign where g decreases.
//
// The layer takes u = atanh Z to g(u); F and F' are the distribution functions of u before and after the
// layer.
type preimage struct{ at, weight float64 }

// A piecewiseMap represents the effect g of a layer on u by the values y of g at increasing points u, between
// which g is monotone.
type piecewiseMap struct {
	g    func(u float64) (value, slope float64)
	u, y []float64
}

// newPiecewiseMap tabulates g at the points of a lattice, at the poles of g and at the extrema of g. The
// function g returns a value and a derivative.
func newPiecewiseMap(l grid, g func(u float64) (value, slope float64), poles []float64) *piecewiseMap {
	c := &piecewiseMap{g: g, u: make([]float64, l.count, l.count+4), y: make([]float64, 0, l.count+4)}
	for i := range c.u {
		c.u[i] = l.at(i)
	}
	for _, pole := range poles {
		c.u = slices.Insert(c.u, c.search(pole), pole)
	}
	for _, u := range c.u {
		c.y = append(c.y, c.value(u))
	}
	for _, u := range c.extrema(poles) {
		i := c.search(u)
		c.u, c.y = slices.Insert(c.u, i, u), slices.Insert(c.y, i, c.value(u))
	}
	return c
}

func (c *piecewiseMap) value(u float64) float64 {
	value, _ := c.g(u)
	return value
}

func (c *piecewiseMap) search(u float64) int {
	i, _ := slices.BinarySearch(c.u, u)
	return i
}

// extrema returns the extrema of g that are not poles of g.
func (c *piecewiseMap) extrema(poles []float64) (at []float64) {
	for k := 1; k+1 < len(c.u); k++ {
		up := c.y[k] - c.y[k-1]
		if down := c.y[k] - c.y[k+1]; up*down > 0 && !slices.Contains(poles, c.u[k]) {
			upright := func(u float64) float64 { return up * c.value(u) }
			at = append(at, goldenSectionMaximum(upright, c.u[k-1], c.u[k+1]))
		}
	}
	return at
}

// goldenSectionMaximum returns the approximate maximum of f, which must have a single maximum between a and
// b, by golden-section search.
func goldenSectionMaximum(f func(u float64) float64, a, b float64) float64 {
	golden := 0.5 * (math.Sqrt(5) - 1)
	x, y := b-float64(golden*(b-a)), a+float64(golden*(b-a))
	fx, fy := f(x), f(y)
	for b-a > 1e-8 {
		if fx > fy {
			b, y, fy = y, x, fx
			x = b - float64(golden*(b-a))
			fx = f(x)
		} else {
			a, x, fx = x, y, fy
			y = a + float64(golden*(b-a))
			fy = f(y)
		}
	}
	return 0.5 * (a + b)
}

// addPreimages appends to list i the preimages under g of point i of the lattice, with the given weight,
// which is negative where g decreases. The end of the lattice takes the place of a preimage beyond the end.
func (c *piecewiseMap) addPreimages(l grid, weight float64, lists [][]preimage) {
	notBelow := func(y float64) int {
		return int(max(0, min(float64(l.count), math.Ceil((y-l.first)/l.width))))
	}
	last := len(c.u) - 1
	add := func(i int, at, weight float64) { lists[i] = append(lists[i], preimage{at, weight}) }
	for i := range notBelow(c.y[0]) {
		add(i, c.u[0], weight)
	}
	for i := notBelow(c.y[last]); i < l.count; i++ {
		add(i, c.u[last], weight)
	}
	for k := range last {
		low, high := notBelow(c.y[k]), notBelow(c.y[k+1])
		for i := low; i < high; i++ {
			add(i, c.root(k, l.at(i)), weight)
		}
		for i := high; i < low; i++ {
			add(i, c.root(k, l.at(i)), -weight)
		}
	}
}

// root returns the u between points k and k+1 of the piecewiseMap at which g is y, by Newton's method from a
// linearly interpolated start. If a step of Newton's method leaves the interval, bisection replaces this
// step.
func (c *piecewiseMap) root(k int, y float64) float64 {
	const precision = 1e-13
	low, high, rises := c.u[k], c.u[k+1], c.y[k+1] > c.y[k]
	u := low + float64((high-low)*((y-c.y[k])/(c.y[k+1]-c.y[k])))
	for range 100 {
		value, slope := c.g(u)
		if (value < y) == rises {
			low = u
		} else {
			high = u
		}
		next := u - (value-y)/slope
		if !(next >= low && next <= high) {
			next = low + float64(0.5*(high-low))
		}
		change := next - u
		curvature := max(math.Abs(slope), 1/math.Abs(slope)) // estimate near a pole or an extremum of g
		if u = next; change*change*curvature <= precision || high-low < precision {
			break
		}
	}
	return u
}

// setTransitions sets the transitions of a layer that depends on a random number with the given values and
// probabilities. For a value of the number, the function step returns the u to which the layer takes u, and
// the function poles returns the poles of step.
func (f *distribution) setTransitions(
	numbers, probabilities []float64, step func(u, number float64) (next, slope float64),
	poles func(number float64, l grid) []float64,
) {
	lists := make([][]preimage, f.count)
	for k, number := range numbers {
		g := func(u float64) (next, slope float64) { return step(u, number) }
		newPiecewiseMap(f.grid, g, poles(number, f.grid)).addPreimages(f.grid, probabilities[k], lists)
	}
	f.transitions = make([][]stencil, f.count)
	for i, list := range lists {
		for _, c := range list {
			s := f.stencil(c.at)
			for k := range s.weights {
				s.weights[k] *= c.weight
			}
			f.transitions[i] = append(f.transitions[i], s)
		}
	}
}
