package exactlaw

import (
	"math"

	"antipode/overlap/internal/quadrature"
)

// stencilSize is the number of lattice points among which the mass at a point between lattice points is
// divided, and from which a function is interpolated at such a point.
const stencilSize = 12

// A massVector is the law of u = atanh Z, propagated forwards from layer to layer: masses at the points of a
// lattice, and the mass that has left the lattice at the left end. A massVector suits a start at a single
// point, if the random steps make the law smooth. Means of functions that the lattice resolves are accurate.
type massVector struct {
	grid
	mass    []float64
	escaped float64
	matrix  *band
}

// setMatrix sets the transition matrix of a layer that depends on a random number with the given values and
// probabilities. The function step returns the u to which the layer takes u for a value of the number.
func (f *massVector) setMatrix(numbers, probabilities []float64, step func(u, number float64) float64) {
	weigh := func(_ float64, k int, x float64) (float64, [stencilSize]float64) {
		return probabilities[k], lagrangePolynomials(x)
	}
	f.matrix = f.interpolationMatrix(numbers, step, weigh)
}

// interpolationMatrix returns a matrix whose rows are sums over the numbers. Each term of a row is a factor
// times the weights of the lattice points around step(u, number). The function weigh computes the factor and
// the weights from u, from the index k of the number, and from the position x of step(u, number) between two
// lattice points.
func (f *massVector) interpolationMatrix(
	numbers []float64, step func(u, number float64) float64,
	weigh func(u float64, k int, x float64) (factor float64, weights [stencilSize]float64),
) *band {
	states := len(f.mass)
	move := newBand(states)
	sum := make([]float64, states+4*stencilSize) // sum begins at column -2·stencilSize
	for i := range states {
		low, high := len(sum), 0
		for k, w := range numbers {
			x := (step(f.at(i), w)-f.first)/f.width + 2*stencilSize
			x = max(stencilSize, min(float64(len(sum)-stencilSize-1), x))
			floor := math.Floor(x)
			first := int(floor) - stencilSize/2 + 1
			factor, weights := weigh(f.at(i), k, x-floor)
			for j, weight := range weights {
				sum[first+j] += float64(factor * weight)
			}
			low, high = min(low, first), max(high, first+stencilSize)
		}
		move.set(i, span{low - 2*stencilSize, append([]float64(nil), sum[low:high]...)})
		clear(sum[low:high])
	}
	return move
}

// lagrangePolynomials returns the values at x in [0, 1) of the Lagrange polynomials of the points
// -stencilSize/2+1 to stencilSize/2.
func lagrangePolynomials(x float64) (weight [stencilSize]float64) {
	product := 1.0 // product of the distances of x to all points before point k
	for k := range weight {
		weight[k] = barycentricWeights[k] * product
		product *= x - float64(k-stencilSize/2+1)
	}
	product = 1 // product of the distances of x to all points after point k
	for k := stencilSize - 1; k >= 0; k-- {
		weight[k] *= product
		product *= x - float64(k-stencilSize/2+1)
	}
	return weight
}

// barycentricWeights[k] is the inverse of the product of the distances of point k of lagrangePolynomials to
// all other points.
var barycentricWeights = func() (scale [stencilSize]float64) {
	for k := range scale {
		scale[k] = 1
		for j := range scale {
			if j != k {
				scale[k] /= float64(k - j)
			}
		}
	}
	return scale
}()

// advance propagates the masses at the lattice points through a number of layers.
func (f *massVector) advance(layers int) { f.matrix.eachPower(layers, f.step) }

func (f *massVector) step(move *band, _ int) {
	f.mass, f.escaped = move.pushForward(f.mass, f.escaped)
}

// pushForward returns the masses at the lattice points after a step of the chain, and left plus the mass that
// leaves the lattice at the left end in this step.
func (m *band) pushForward(mass []float64, left float64) (next []float64, gone float64) {
	next = make([]float64, len(mass))
	for i, s := range m.rows {
		left += float64(mass[i] * m.left[i])
		addMultiple(next[s.first:], mass[i], s.p)
	}
	return next, left
}

// below returns the probability that atanh Z is below a point u inside the lattice, without the mass that has
// left the lattice. The masses near u are spread by integrals of the Lagrange polynomials that also propagate
// the masses. Only the law near u matters for the error, however rough the law is elsewhere.
func (f *massVector) below(u float64) float64 {
	x := (u - f.first) / f.width
	last := int(math.Floor(x)) // the cell that contains the point u
	first := last - stencilSize
	sum := 0.0
	for _, mass := range f.mass[:first] {
		sum += mass
	}
	for cell := first - stencilSize; cell <= last; cell++ {
		weights := lagrangeIntegrals(min(1, x-float64(cell)))
		for j, weight := range weights {
			if i := cell + j - stencilSize/2 + 1; i >= first {
				sum += float64(f.mass[i] * weight)
			}
		}
	}
	return sum
}

// lagrangeIntegrals returns the integrals over [0, x] of the Lagrange polynomials of lagrangePolynomials.
func lagrangeIntegrals(x float64) (sum [stencilSize]float64) {
	for i, node := range quadrature.Gauss.Node {
		for k, weight := range lagrangePolynomials(float64(0.5 * x * (1 + node))) {
			sum[k] += float64(0.5 * x * quadrature.Gauss.Weight[i] * weight)
		}
	}
	return sum
}
