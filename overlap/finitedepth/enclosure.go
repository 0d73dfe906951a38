package finitedepth

import (
	"antipode/overlap"
	"antipode/overlap/internal/interval"
)

// CertifyCriticalBeta returns an enclosure of CriticalBeta. The Lyapunov exponent at z = -1 is proved, in
// interval arithmetic, to be positive for β at the lower end of the enclosure, so that z = -1 does not
// attract, and to be negative for β at the upper end of the enclosure. For dim = 3 the lower end is 0. The
// second result of CertifyCriticalBeta is false if the signs of the Lyapunov exponent cannot be proved within
// a relative distance 1e-6 of CriticalBeta, as at depths of more than about 10^9 layers, and for dim = 2,
// where CriticalBeta does not exist. The errors of CertifyCriticalBeta are those of Antipodal. The package
// comment describes the proof.
func CertifyCriticalBeta(
	dim int, attention overlap.Attention, sigma float64, depth int,
) (overlap.Enclosure, bool, error) {
	beta, exists, err := CriticalBeta(dim, attention, sigma, depth)
	if err != nil || !exists {
		return overlap.Enclosure{}, false, err
	}
	at := func(beta float64) interval.Interval {
		return enclosedExponent(dim, enclosedLayerAt(beta, attention, sigma, depth, interval.Of(2), true))
	}
	size, width, widest := beta, 0x1p-40, 0x1p-20
	if dim == 3 { // the exponent is negative for every β > 0 close to 0
		size, widest = 1, 0x1p-4
	}
	low, high := interval.Of(0), interval.Of(0)
	for ; !(low.Low > 0 && high.High < 0); width *= 2 {
		if !(width <= widest) {
			return overlap.Enclosure{}, false, nil
		}
		low, high = interval.Of(1), at(beta+float64(width*size))
		if dim > 3 {
			low = at(beta - float64(width*size))
		}
	}
	width *= 0.5
	e := overlap.Enclosure{Low: 0, High: beta + float64(width*size)}
	if dim > 3 {
		e.Low = beta - float64(width*size)
	}
	return bisected(e, at), true, nil
}

// bisected halves an enclosure of the zero of a decreasing function at repeatedly, until interval arithmetic
// cannot prove the sign of the function in the middle of the enclosure.
func bisected(e overlap.Enclosure, at func(x float64) interval.Interval) overlap.Enclosure {
	for {
		middle := float64(0.5 * (e.Low + e.High))
		switch value := at(middle); {
		case !(e.Low < middle && middle < e.High):
			return e
		case value.Low > 0:
			e.Low = middle
		case value.High < 0:
			e.High = middle
		default:
			return e
		}
	}
}

// enclosedExponent encloses 2λ, twice the Lyapunov exponent per layer at an end of the overlap; dim must be
// at least 3, and the squares of b and c must be positive.
func enclosedExponent(dim int, layer enclosedLayer) interval.Interval {
	half := interval.Ratio(1, 2)
	short, ok := newPoissonLaw(half.Div(layer.short))
	long, known := newPoissonLaw(half.Div(layer.long))
	if !ok || !known {
		return interval.All
	}
	whole := float64(0.5 * float64(dim))
	across := whole - 0.5
	value := short.logarithm(across).Sub(long.logarithm(whole))
	falling, powers := short.reciprocals(across, short.mean), long.reciprocals(whole, interval.Of(0.5))
	const negligible, last = 0x1p-58, 400
	for n := 1.0; ; n++ {
		term := falling.next().Mul(powers.next())
		if n > 1 && (term.High < negligible || n == last) {
			rest := term.Mul(interval.Of(n + 0.5)).Div(interval.Of(n - 1))
			return value.Sub(interval.Interval{Low: 0, High: rest.High})
		}
		value = value.Sub(term.Div(interval.Of(n)))
		powers.factor = powers.factor.Add(interval.Of(1))
	}
}

// logarithm encloses E ψ(a+J) - log x for a ≥ 1 and J with the Poisson law l of mean x, where ψ is the
// digamma function.
func (l *poissonLaw) logarithm(a float64) interval.Interval {
	first := interval.Of(a).Add(interval.Of(l.first))
	at := first.Sub(l.mean).Div(l.mean).Log1p().Add(interval.DigammaLessLog(first))
	least := at
	var sum interval.Interval
	for i, weight := range l.weights {
		sum = sum.Add(weight.Mul(at))
		at = at.Add(interval.Of(1).Div(interval.Of(a + l.first + float64(i))))
	}
	// For j above the stored weights, ψ(a+j) - log x is at most (a+j)/x, so the omitted terms fall nearly as
	// fast as the weights. For j below the stored weights, ψ(a+j) - log x is at least ψ(1) - log x.
	beyond := interval.Of(a + l.first + float64(len(l.weights))).Div(l.mean).Scale(1)
	size := least.Abs().Hull(l.mean.Log().Abs().Add(interval.Of(1))).Hull(beyond).High
	rest := l.rest.Mul(interval.Of(size))
	return sum.Add(interval.Interval{Low: -rest.High, High: rest.High}).Div(l.total())
}

// total encloses the sum of all weights of the Poisson law, including those that are not stored.
func (l *poissonLaw) total() interval.Interval {
	return l.sum.Add(interval.Interval{Low: 0, High: l.rest.High})
}

// A reciprocals computes the means E Π_{i<n} f_i/(a+J+i) for n = 1, 2 …, where J has a Poisson law of mean x,
// and either all f_i = x or f_i = i+½.
type reciprocals struct {
	*poissonLaw
	a, n   float64
	factor interval.Interval
	terms  []interval.Interval
}

func (l *poissonLaw) reciprocals(a float64, factor interval.Interval) *reciprocals {
	return &reciprocals{l, a, 0, factor, append([]interval.Interval(nil), l.weights...)}
}

// next returns the mean E Π_{i<n} f_i/(a+J+i) for the next n. For each J = j without a stored weight, the
// omitted term is at most the weight of j, except for f_i = x and j < first: in this case the omitted term is
// at most the weight of j+n, as a ≥ 1.
func (r *reciprocals) next() interval.Interval {
	var sum interval.Interval
	for i, t := range r.terms {
		j := r.first + float64(i)
		r.terms[i] = t.Mul(r.factor).Div(interval.Of(r.a + j + r.n))
		sum = sum.Add(r.terms[i])
	}
	r.n++
	rest := r.rest
	for _, weight := range r.weights[:min(int(r.n), len(r.weights))] {
		if r.first > 0 {
			rest = rest.Add(weight)
		}
	}
	return sum.Add(interval.Interval{Low: 0, High: rest.High}).Div(r.total())
}
