package finitedepth

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/interval"
)

// An enclosedLayer encloses b² (short) and c² (long), the variances of the noise of the short and of the long
// vector in a layer, at a distance from an end.
type enclosedLayer struct{ short, long interval.Interval }

// enclosedLayerAt returns the layer at overlap z with 1-z = below. If sumIsShort, X¹+X² is the short vector,
// with the factor p+q; otherwise X¹-X² is the short vector, with the factor p-q.
func enclosedLayerAt(
	beta float64, attention overlap.Attention, sigma float64, depth int, below interval.Interval,
	sumIsShort bool,
) enclosedLayer {
	lost := interval.Of(beta).Mul(below).Neg().Expm1()
	two := interval.Of(2)
	sum, difference := interval.Of(1), lost.Neg().Div(two.Add(lost))
	if attention == overlap.Unnormalized {
		half := interval.Of(beta).Exp().Scale(-1)
		sum, difference = half.Mul(two.Add(lost)), half.Mul(lost.Neg())
	}
	unit := interval.Of(sigma).Square().Div(interval.Of(float64(depth)))
	short, long := unit.Mul(difference.Square()), unit.Mul(sum.Square())
	if sumIsShort {
		short, long = long, short
	}
	return enclosedLayer{short.NotNegative(), long.NotNegative()}
}

// A proof tries to prove that E (ζ'/ζ)^κ ≤ 1 for all distances 0 < ζ ≤ within from an end of the overlap, as
// the package comment describes.
type proof struct {
	dim       int
	within    float64
	plus      bool          // whether the end is +1
	end, edge enclosedLayer // layers at distance ζ = 0 and ζ = within from the end
	long      *poissonLaw   // Poisson law of mean 1/(2c²) at the edge; nil for c = 0
	short     *poissonLaw   // Poisson law of mean 1/(2b²) at the edge, for the end -1
}

// newProof returns the proof for the neighbourhood ζ ≤ within of an end of the overlap. newProof reports
// false if the sums over Poisson weights would be too long.
func newProof(
	dim int, beta float64, attention overlap.Attention, sigma float64, depth int, within float64, plus bool,
) (p *proof, ok bool) {
	at := func(zeta float64) enclosedLayer {
		below := interval.Of(zeta)
		if !plus {
			below = interval.Of(2).Sub(below)
		}
		return enclosedLayerAt(beta, attention, sigma, depth, below, !plus)
	}
	p = &proof{dim: dim, within: within, plus: plus, end: at(0), edge: at(within)}
	half := interval.Ratio(1, 2)
	if beta > 0 || plus {
		if p.long, ok = newPoissonLaw(half.Div(p.edge.long)); !ok {
			return nil, false
		}
	}
	if !plus {
		if p.short, ok = newPoissonLaw(half.Div(p.edge.short)); !ok {
			return nil, false
		}
	}
	return p, true
}

// greatestExponent returns the greatest exponent κ for which the bounds of a proof are valid.
func (p *proof) greatestExponent() float64 {
	most := float64(0.4 * float64(p.dim))
	if p.plus {
		return most
	}
	return min(1, most)
}

// holds reports whether the condition E (ζ'/ζ)^κ ≤ 1 is proved for an exponent κ, from 0 to greatestExponent.
func (p *proof) holds(kappa float64) bool {
	one := interval.Of(1)
	radius := interval.Of(p.within).Sqrt().Sqrt()
	ratio := interval.Of(p.within).Div(interval.Of(2).Sub(interval.Of(p.within)))
	rate := interval.Of(2).Log().Scale(2).Mul(interval.Of(kappa)).Mul(ratio).Div(radius.Square())
	// If the noise may be so strong that width is not positive, division by its root gives infinite bounds.
	width := one.Sub(rate.Mul(p.edge.short).Scale(1))
	root := width.Sqrt()
	tilt := rate.Div(width)
	at, ok := p.power(kappa, tilt)
	if !ok {
		return false
	}
	at = at.Div(root)
	none := tilt.Exp().Div(root)
	if more := none.Sub(at); more.High > 0 {
		at = at.Add(interval.Of(0.5 * p.within).Mul(interval.Interval{Low: 0, High: more.High}))
	}
	total := at.Add(p.rareDirections(kappa, radius)).Add(p.rareLengths(kappa))
	return total.High <= 1
}

// power bounds the mean E R^κ exp(tilt·B) from above for all distances ζ ≤ within from the end.
func (p *proof) power(kappa float64, tilt interval.Interval) (bound interval.Interval, ok bool) {
	k := interval.Of(float64(p.dim - 1))
	growth := k.Scale(-1).Add(interval.Of(kappa)).Div(k.Scale(-1).Add(interval.Of(1)))
	most := k.Mul(p.edge.short).Add(interval.Of(max(1, growth.High)))
	if !(tilt.High <= interval.Of(kappa).Div(most).Low) {
		return bound, false // the part of s along U might contribute more than the part orthogonal to U
	}
	across := p.acrossAntipodal
	if p.plus {
		across = p.acrossSingle
	}
	value, slope := p.meanOverLong(kappa, across(kappa, tilt))
	if p.dim == 2 && !p.plus && kappa < 0.5 {
		// The function |x|^(2κ) is not subharmonic on a line, so the moment may fall as b grows. The
		// logarithm of the moment changes by at most max(κ, 1-κ) times the change of log b².
		change := p.edge.short.Div(p.end.short).Log().Abs()
		value = value.Mul(interval.Of(max(kappa, 1-kappa)).Mul(change).Exp())
	}
	excess := interval.Of(kappa).Add(interval.Of(1 - float64(0.5*float64(p.dim))))
	if excess.High > 0 && p.long != nil {
		change := interval.Interval{Low: 0, High: max(0, p.end.long.Div(p.edge.long).Log().High)}
		rate := interval.Of(kappa).Mul(excess.NotNegative()).Mul(change)
		// The last factor bounds the change of the mean of H T/(z-κ) between the edge and the end.
		value = value.Add(rate.Mul(slope).Mul(interval.Of(20 * (1 + kappa)).Mul(change).Exp()))
	}
	return value, value.High < math.Inf(1)
}

// meanOverLong returns two upper bounds: value of the mean of H(K) T(K) over the Poisson variable K, and
// slope of the mean of H(K) T(K)/(z-κ) over K ≥ 1. The function across returns T(K) and an upper bound of T
// for all K.
func (p *proof) meanOverLong(
	kappa float64, across func(k float64) (value, most interval.Interval),
) (value, slope interval.Interval) {
	if p.long == nil {
		value, _ = across(math.Inf(1))
		return value, interval.Of(0)
	}
	law, half := p.long, interval.Of(float64(0.5*float64(p.dim)))
	exponent := interval.Of(kappa)
	z := half.Add(interval.Of(law.first))
	h := interval.LogGammaRatio(z, exponent.Neg()).Add(exponent.Mul(law.mean.Log())).Exp()
	var sum, over, most interval.Interval
	last := len(law.weights) - 1
	for i, weight := range law.weights {
		k := law.first + float64(i)
		var t interval.Interval
		t, most = across(k)
		term := weight.Mul(h).Mul(t)
		if i == 0 && k > 0 {
			// Below the first stored K, each term is at most Kz/(z-κ)/x times the next term.
			least := interval.Of(1).Div(half.Sub(exponent))
			fall := exponent.Mul(interval.Of(max(1, least.High))).Add(interval.Of(k)).Div(law.mean)
			sum = sum.Add(geometric(weight.Mul(h).Mul(most), fall))
			over = over.Add(sum.Mul(interval.Of(10)))
		}
		sum = sum.Add(term)
		z = half.Add(interval.Of(k))
		next := z.Sub(exponent).Div(z)
		if k > 0 {
			over = over.Add(term.Div(half.Add(interval.Of(k - 1)).Sub(exponent)))
		}
		if i == last {
			rest := geometric(weight.Mul(h).Mul(most), law.mean.Div(interval.Of(k+1)))
			sum, over = sum.Add(rest), over.Add(rest.Mul(interval.Of(10)))
		}
		h = h.Mul(next)
	}
	total := interval.Of(law.sum.Low)
	return sum.Div(total), over.Div(total)
}

// geometric bounds the rest of a series after term, if each further term is at most ratio times the term
// before.
func geometric(term, ratio interval.Interval) interval.Interval {
	if !(ratio.High < 1) {
		return interval.Interval{Low: 0, High: math.Inf(1)}
	}
	return interval.Interval{Low: 0, High: term.Mul(ratio).Div(interval.Of(1).Sub(ratio)).High}
}

// acrossSingle returns bounds of T(K) near the end +1, where b is small: with t = 1-B and k = d-1,
//
//	w ≤ (t + kb²)^κ ≤ t^κ + κkb²t^(κ-1) and ≤ t^κ + (kb²)^κ for κ ≤ 1,
//	w ≤ t^κ + b²κ(2κ+k-2)(1+b√(k+2κ))^(2κ-2) for κ ≥ 1.
func (p *proof) acrossSingle(
	kappa float64, tilt interval.Interval,
) func(k float64) (value, most interval.Interval) {
	one, half, exponent := interval.Of(1), interval.Ratio(1, 2), interval.Of(kappa)
	k := interval.Of(float64(p.dim - 1))
	grown, more := tilt.Exp(), tilt.Expm1().Mul(half)
	noise := k.Mul(p.edge.short)
	var extra interval.Interval
	switch {
	case noise.High == 0:
	case kappa >= 1:
		long := one.Add(p.edge.short.Mul(k.Add(exponent.Scale(1))).Sqrt())
		factor := exponent.Mul(exponent.Scale(1).Add(k).Sub(interval.Of(2)))
		extra = p.edge.short.Mul(factor).Mul(long.Log().Mul(exponent.Sub(one).Scale(1)).Exp())
	default:
		extra = noise.Log().Mul(exponent).Exp()
	}
	moment := interval.Interval{}
	return func(n float64) (value, most interval.Interval) {
		a := interval.Of(n).Add(k.Scale(-1))
		if n == p.long.first {
			moment = interval.LogGammaRatio(a, exponent).
				Sub(interval.LogGammaRatio(a.Add(half), exponent)).Exp()
		}
		with := a.Add(half).Add(exponent)
		value = moment.Mul(one.Add(more.Div(with)))
		added := extra
		if less := a.Add(exponent).Sub(one); kappa < 1 && less.Low > 0 {
			linear := exponent.Mul(noise).Mul(moment).Mul(with.Sub(one)).Div(less)
			added = interval.Interval{Low: 0, High: min(added.High, linear.High)}
		}
		value = value.Add(added.Mul(grown))
		moment = moment.Mul(a.Add(exponent)).Mul(a.Add(half)).Div(a.Mul(with))
		return value, grown.Mul(one.Add(extra))
	}
}

// acrossAntipodal returns bounds of T(K) near the end -1 for κ ≤ 1, by the power series of w in B. All terms
// after the first term are negative, so omitting some of them gives an upper bound.
func (p *proof) acrossAntipodal(
	kappa float64, tilt interval.Interval,
) func(k float64) (value, most interval.Interval) {
	terms := p.momentSeries(kappa)
	one, half := interval.Of(1), interval.Ratio(1, 2)
	grown, more := tilt.Exp(), tilt.Expm1().Mul(half)
	return func(n float64) (value, most interval.Interval) {
		most = terms[0].Mul(grown)
		if math.IsInf(n, 1) {
			return terms[0], most
		}
		a := interval.Of(n).Add(interval.Of(float64(0.5 * float64(p.dim))))
		value = terms[0].Mul(one.Add(more.Div(a)))
		moment := one
		for m := 1; m < len(terms) && moment.High > 1e-22; m++ {
			part := interval.Of(float64(m - 1))
			moment = moment.Mul(half.Add(part)).Div(a.Add(part))
			value = value.Sub(terms[m].Mul(moment))
		}
		return value, most
	}
}

// momentSeries returns an upper bound of w(1), followed by the absolute values of the further coefficients of
// the power series of w(1-B) in B: with x = 1/(2b²) and J Poisson of mean x,
//
//	w(1-B) = Σ_n binomial(κ, n) (-B)^n x^(n-κ) E Γ(k/2+κ+J)/Γ(k/2+n+J), k = d-1.
func (p *proof) momentSeries(kappa float64) []interval.Interval {
	law, half := p.short, interval.Of(float64(0.5*float64(p.dim-1)))
	count := p.seriesTerms()
	exponent := interval.Of(kappa)
	sums := make([]interval.Interval, count)
	base := half.Add(interval.Of(law.first))
	g := interval.LogGammaRatio(base, exponent).Sub(exponent.Mul(law.mean.Log())).Exp()
	var beyond interval.Interval
	for i, weight := range law.weights {
		j := law.first + float64(i)
		at := half.Add(interval.Of(j))
		term := weight.Mul(g)
		if i == 0 && j > 0 {
			beyond = beyond.Add(geometric(term, interval.Of(j).Div(law.mean)))
		}
		next := at.Add(exponent).Div(at)
		if i == len(law.weights)-1 {
			beyond = beyond.Add(geometric(term, law.mean.Div(interval.Of(j+1)).Mul(next)))
		}
		for n := range sums {
			sums[n] = sums[n].Add(term)
			term = term.Mul(law.mean).Div(at.Add(interval.Of(float64(n))))
		}
		g = g.Mul(next)
	}
	whole := law.sum.Add(law.rest)
	sums[0] = sums[0].Add(beyond).Div(interval.Of(law.sum.Low))
	binomial := interval.Of(1)
	for n := 1; n < count; n++ {
		// |binomial(κ, n)|
		factor := interval.Of(float64(n - 1)).Sub(exponent).Abs()
		binomial = binomial.Mul(factor).Div(interval.Of(float64(n)))
		sums[n] = sums[n].Div(whole).Mul(binomial).NotNegative()
	}
	return sums
}

// seriesTerms returns the number of terms of the power series of w in B that acrossAntipodal uses. For
// smaller c², fewer terms matter.
func (p *proof) seriesTerms() int {
	switch {
	case p.long == nil || p.long.mean.Low > 1000:
		return 8
	case p.long.mean.Low > 100:
		return 16
	case p.long.mean.Low > 20:
		return 60
	}
	return 200
}

// rareDirections bounds 4^κ times the expectation of R^κ' on the event |δ| < r, for all powers κ' up to κ.
func (p *proof) rareDirections(kappa float64, r interval.Interval) interval.Interval {
	if p.long == nil {
		return interval.Of(0)
	}
	exponent, d, one := interval.Of(kappa), interval.Of(float64(p.dim)), interval.Of(1)
	long := one.Add(d.Mul(p.edge.short)).Sqrt() // E|σ|² is long²
	if kappa > 1 {
		long = one.Add(d.Add(exponent.Scale(1)).Mul(p.edge.short).Sqrt())
	}
	logarithm := interval.Of(2).Log().Mul(exponent).Scale(1).Add(p.logSmallBall(r)).
		Sub(exponent.Scale(1).Mul(r.Log())).Add(exponent.Scale(1).Mul(long.Log()))
	return logarithm.Exp().Mul(d).Div(d.Sub(exponent.Scale(1)))
}

// rareLengths bounds the greatest value, over all distances ζ ≤ within from the end, of (2/ζ)^κ times the
// probability of P > ½.
func (p *proof) rareLengths(kappa float64) interval.Interval {
	exponent, two := interval.Of(kappa), interval.Of(2)
	within := interval.Of(p.within)
	doubling := two.Div(within).Log()
	reach := interval.Of(1).Add(exponent.Add(interval.Of(4)).Scale(1).Mul(doubling).Mul(p.edge.short).Sqrt())
	r := reach.Mul(within.Scale(1).Div(two.Sub(within)).Sqrt())
	far := doubling.Scale(2).Neg().Exp()
	if p.long == nil {
		return far
	}
	if !(r.High < 1) {
		return interval.Interval{Low: 0, High: math.Inf(1)}
	}
	return far.Add(exponent.Mul(doubling).Add(p.logSmallBall(r)).Exp())
}

// logSmallBall bounds the logarithm of the probability that |δ| < r for all distances ζ ≤ within from the
// end; c decreases as ζ grows.
func (p *proof) logSmallBall(r interval.Interval) interval.Interval {
	one, half := interval.Of(1), interval.Of(float64(0.5*float64(p.dim)))
	most, least := one.Div(p.edge.long), one.Div(p.end.long)
	return half.Mul(most.Scale(-1).Mul(r.Square()).Log()).
		Sub(one.Sub(r).Square().Mul(least).Scale(-1)).
		Sub(interval.LogGammaRatio(one, half))
}

// A poissonLaw holds the weights of a Poisson law from first on, up to a common factor; the field sum
// encloses the sum of the stored weights, and rest bounds the sum of all other weights.
type poissonLaw struct {
	mean      interval.Interval
	first     float64
	weights   []interval.Interval
	sum, rest interval.Interval
}

// mostWeights limits the number of stored weights of a Poisson law, and so the time of a proof.
const mostWeights = 1_000_000

func newPoissonLaw(mean interval.Interval) (*poissonLaw, bool) {
	middle := math.Floor(mean.Low)
	width := float64(9*math.Sqrt(mean.High)) + 40
	if !(2*width < mostWeights) {
		return nil, false
	}
	first := max(0, math.Floor(middle-width))
	last := math.Ceil(middle + width)
	law := &poissonLaw{mean: mean, first: first, weights: make([]interval.Interval, int(last-first)+1)}
	at := int(middle - first)
	law.weights[at] = interval.Of(1)
	for i := at + 1; i < len(law.weights); i++ {
		law.weights[i] = law.weights[i-1].Mul(mean).Div(interval.Of(first + float64(i)))
	}
	for i := at; i > 0; i-- {
		law.weights[i-1] = law.weights[i].Mul(interval.Of(first + float64(i))).Div(mean)
	}
	for _, w := range law.weights {
		law.sum = law.sum.Add(w)
	}
	law.rest = geometric(law.weights[len(law.weights)-1], mean.Div(interval.Of(last+1)))
	if first > 0 {
		law.rest = law.rest.Add(geometric(law.weights[0], interval.Of(first).Div(mean)))
	}
	return law, true
}
