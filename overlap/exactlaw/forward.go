package exactlaw

import (
	"math"

	"antipode/overlap/internal/quadrature"
)

// interpolated is the number of lattice points that share what comes to a point between them.
const interpolated = 12

// forward is the law of u on a lattice by masses of its points, which goes forwards, and what has left the
// lattice at the left end. It suits a start from one point and moves that are smooth together: functions
// that a lattice resolves have the right means.
type forward struct {
	points
	mass []float64
	left float64
	move *band
}

// setMoves sets the transitions: to the points that step gives for each of some numbers, with
// their probabilities.
func (f *forward) setMoves(numbers, probabilities []float64, step func(u, number float64) float64) {
	f.move = f.moves(numbers, step, func(_ float64, k int, x float64) (float64, [interpolated]float64) {
		return probabilities[k], lagrange(x)
	})
}

// moves returns a band whose rows are sums over the numbers of weights of the points around that to which
// step leads, and of a factor: both may depend on u, the number, and where between two points it leads.
func (f *forward) moves(
	numbers []float64, step func(u, number float64) float64,
	weigh func(u float64, k int, x float64) (factor float64, weights [interpolated]float64),
) *band {
	states := len(f.mass)
	move := newBand(states)
	sum := make([]float64, states+4*interpolated) // from column -2·interpolated on
	for i := range states {
		low, high := len(sum), 0
		for k, w := range numbers {
			x := (step(f.at(i), w)-f.first)/f.width + 2*interpolated
			x = max(interpolated, min(float64(len(sum)-interpolated-1), x))
			floor := math.Floor(x)
			first := int(floor) - interpolated/2 + 1
			factor, weights := weigh(f.at(i), k, x-floor)
			for j, weight := range weights {
				sum[first+j] += float64(factor * weight)
			}
			low, high = min(low, first), max(high, first+interpolated)
		}
		move.set(i, span{low - 2*interpolated, append([]float64(nil), sum[low:high]...)})
		clear(sum[low:high])
	}
	return move
}

// lagrange returns the values at x in [0, 1) of the Lagrange polynomials of the points
// -interpolated/2+1 to interpolated/2.
func lagrange(x float64) (weight [interpolated]float64) {
	product := 1.0 // of the distances to the points before one
	for k := range weight {
		weight[k] = lagrangeScale[k] * product
		product *= x - float64(k-interpolated/2+1)
	}
	product = 1 // and after it
	for k := interpolated - 1; k >= 0; k-- {
		weight[k] *= product
		product *= x - float64(k-interpolated/2+1)
	}
	return weight
}

// lagrangeScale is one by the product of the distances of a point of lagrange to the others.
var lagrangeScale = func() (scale [interpolated]float64) {
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

// advance takes the law forwards by a number of layers.
func (f *forward) advance(layers int) { f.move.forwards(layers, f.step) }

func (f *forward) step(move *band, _ int) {
	f.mass, f.left = move.forward(f.mass, f.left)
}

// forward returns masses after a step, and adds to what has left the lattice at the left end.
func (m *band) forward(mass []float64, left float64) (next []float64, gone float64) {
	next = make([]float64, len(mass))
	for i, s := range m.rows {
		left += float64(mass[i] * m.left[i])
		addTo(next[s.first:], mass[i], s.p)
	}
	return next, left
}

// below is the probability of u below a point of the lattice's inside, from the same polynomials by
// which the law goes forwards. What is far from the point does not matter, however rough the law.
func (f *forward) below(u float64) float64 {
	x := (u - f.first) / f.width
	last := int(math.Floor(x)) // the last cell, of which a part is below
	first := last - interpolated
	sum := 0.0
	for _, mass := range f.mass[:first] {
		sum += mass
	}
	for cell := first - interpolated; cell <= last; cell++ {
		weights := integrals(min(1, x-float64(cell)))
		for j, weight := range weights {
			if i := cell + j - interpolated/2 + 1; i >= first {
				sum += float64(f.mass[i] * weight)
			}
		}
	}
	return sum
}

// integrals returns the integrals over [0, x] of the polynomials of lagrange.
func integrals(x float64) (sum [interpolated]float64) {
	for i, node := range quadrature.Gauss.Node {
		for k, weight := range lagrange(float64(0.5 * x * (1 + node))) {
			sum[k] += float64(0.5 * x * quadrature.Gauss.Weight[i] * weight)
		}
	}
	return sum
}
