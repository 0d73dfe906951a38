package activation

import (
	"math"
	"sync"

	"antipode/sphere/chebyshev"
	"antipode/sphere/elementary"
	"antipode/sphere/memo"
)

// The logistic distribution is a mixture of centred normal distributions: if K has Kolmogorov's distribution
// and N is standard normal, 2KN is logistic (Andrews and Mallows 1974). So tanh y = 2P(KN < y) - 1 is the
// mean of 2Φ(y/K) - 1. For Gaussian x and y of variance w and correlation z, the mean E tanh x tanh y is
// therefore a mean of arcsine kernels over independent copies K and K' with Kolmogorov's distribution:
//
//	(2/π) E arcsin(s z), s = w/√((w+K²)(w+K'²)).

// Scales are values of K² for a random variable K with Kolmogorov's distribution, and Probabilities are the
// probabilities of these values: the nodes and weights of the trapezoidal rule in log K, whose error falls
// like e^(-π²/2h) as the step h falls.
var Scales, Probabilities = kolmogorov()

func kolmogorov() (squares, weights []float64) {
	const step, low, high = 0.13, -14, 12 // beyond, the density is below 1e-18
	total := 0.0
	for k := low; k <= high; k++ {
		x := elementary.Exp(step * float64(k))
		w := float64(step * x * kolmogorovDensity(x))
		squares, weights = append(squares, float64(x*x)), append(weights, w)
		total += w
	}
	for k := range weights {
		weights[k] /= total
	}
	return squares, weights
}

// kolmogorovDensity returns the density of Kolmogorov's distribution, the derivative of 1 - 2Σ (-1)^(k-1)
// e^(-2k²x²), from one of two series, the series that converges fast at x.
func kolmogorovDensity(x float64) float64 {
	sum := 0.0
	if x > 1 {
		sign := 8 * x
		for k := 1.0; k < 9; k++ {
			sum += float64(sign * k * k * elementary.Exp(-2*k*k*x*x))
			sign = -sign
		}
		return sum
	}
	for k := 1.0; k < 18; k += 2 {
		a := float64(k * k * math.Pi * math.Pi / (8 * x * x))
		sum += float64((2*a - 1) * elementary.Exp(-a))
	}
	return math.Sqrt(2*math.Pi) * sum / float64(x*x)
}

// tanh sets the correlation φ̂ of tanh. The quotient (1-φ̂)/(1-z) comes from a table, as its exact value is a
// mean of some hundred arcsines.
func (c *Correlation) tanh() {
	t := tanhTables.At(c.variance)
	c.moment = t.moment
	c.fall = t.at
}

// A tanhTable interpolates (1-φ̂(z))/(1-z) of tanh for z = tanh u ≥ 0 on cells of width ½ in u. The
// singularities of φ̂(tanh u) have |Im u| ≥ π/2, so that interpolation at the 16 points of a cell has an
// error of 1e-17.
type tanhTable struct {
	cells  func() []chebyshev.Polynomial // cells of the table, computed at the first use
	end    float64                       // the u = atanh z at which the cells end
	last   float64                       // limit of (1-φ̂)/(1-z), used beyond the last cell
	moment float64                       // mean square E tanh² for pre-activations
}

const cellsPerUnit = 2

func (t *tanhTable) at(at overlap) float64 {
	if at.u >= t.end {
		return t.last
	}
	place := cellsPerUnit * at.u
	cell := int(place)
	return t.cells()[cell].At(float64(2*(place-float64(cell))) - 1)
}

// tanhTables holds recently used tables of tanh, indexed by the variance of pre-activations, as an experiment
// uses a few tables again and again.
var tanhTables = memo.Of(64, newTanhTable)

func newTanhTable(variance float64) *tanhTable {
	mixture := newMixture(variance)
	c := Correlation{variance: variance}
	cells := int(math.Ceil(cellsPerUnit * c.Reach()))
	return &tanhTable{
		cells:  sync.OnceValue(func() []chebyshev.Polynomial { return mixture.cells(cells) }),
		end:    float64(cells) / cellsPerUnit,
		last:   mixture.fall(overlap{math.Inf(1), 1, 2, 0}),
		moment: 2 / math.Pi * mixture.whole,
	}
}

// A mixture is a weighted mean of functions arcsin(sz) of an overlap z.
type mixture struct {
	parts []weightedArcsine
	whole float64 // the mean of arcsin s over the parts
}

type weightedArcsine struct {
	arcsine
	weight float64
}

// newMixture returns the mixture that is proportional to the correlation of tanh for pre-activations of
// variance w, without pairs of Scales of negligible probability.
func newMixture(w float64) mixture {
	const negligible = 1e-17
	var m mixture
	for i, v := range Scales {
		for j, u := range Scales[:i+1] {
			weight := float64(Probabilities[i] * Probabilities[j])
			if j < i {
				weight *= 2
			}
			if weight < negligible {
				continue
			}
			product := math.Sqrt((w + v) * (w + u))
			rest := float64(w*(v+u)) + float64(v*u)
			part := weightedArcsine{arcsine{w / product, math.Sqrt(rest) / product}, weight}
			m.parts = append(m.parts, part)
			m.whole += float64(weight * part.whole())
		}
	}
	return m
}

func (m *mixture) fall(at overlap) float64 {
	sum := 0.0
	for _, p := range m.parts {
		sum += float64(p.weight * p.fall(at))
	}
	return sum / m.whole
}

// cells returns the first count cells of a tanhTable.
func (m *mixture) cells(count int) []chebyshev.Polynomial {
	cells := make([]chebyshev.Polynomial, count)
	nodes := chebyshev.Nodes()
	for k := range cells {
		var values [chebyshev.Order]float64
		for i, x := range nodes {
			u := (float64(k) + float64(0.5*(1+x))) / cellsPerUnit
			e := elementary.Exp(-2 * u)
			values[i] = m.fall(overlap{u, (1 - e) / (1 + e), 2 / (1 + e), 2 * e / (1 + e)})
		}
		cells[k] = chebyshev.Interpolation(&values, &nodes)
	}
	return cells
}
