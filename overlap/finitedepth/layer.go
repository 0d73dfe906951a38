package finitedepth

import (
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// A Layer is the effect of one layer of recursion (4) on two tokens, or clusters of equal mass, near an end z
// = ±1 of the overlap: the layer multiplies the length of the short vector, X¹+X² near z = -1 and X¹-X² near
// z = +1, by a random factor.
type Layer struct {
	dim         int
	short, long float64 // 1/b² and 1/c² of the package comment
}

// Antipodal returns the Layer near z = -1 of the recursion with depth layers per unit of time. Antipodal
// returns an error if dim < 2, if beta is not in [0, MaxBeta], if attention is neither Softmax nor
// Unnormalized, if sigma is not positive and finite, or if depth is less than 1. Antipodal also returns an
// error if σ, times about e^β for unnormalized attention, is not below 1e150.
func Antipodal(dim int, beta float64, attention overlap.Attention, sigma float64, depth int) (Layer, error) {
	sum, difference := 1.0, -elementary.Expm1(-2*beta)/(1+elementary.Exp(-2*beta))
	if attention == overlap.Unnormalized {
		sum = float64(0.5*elementary.Exp(beta)) + float64(0.5*elementary.Exp(-beta))
		difference *= sum
	}
	return newLayer(dim, beta, attention, sigma, depth, sum, difference)
}

// Within returns the Layer for two close tokens of the same cluster, in the presence of two opposite clusters
// of equal size (z = -1). The attention output of both tokens is p-q times the unit vector of the axis of the
// clusters. So a layer rotates the axis and normalises the tokens, but adds no noise to the difference of the
// two tokens. The errors of Within are those of Antipodal.
func Within(dim int, beta float64, attention overlap.Attention, sigma float64, depth int) (Layer, error) {
	difference := -elementary.Expm1(-2*beta) / (1 + elementary.Exp(-2*beta))
	if attention == overlap.Unnormalized {
		difference = float64(0.5*elementary.Exp(beta)) - float64(0.5*elementary.Exp(-beta))
	}
	return newLayer(dim, beta, attention, sigma, depth, 0, difference)
}

// Single returns the Layer near z = +1. The errors of Single are those of Antipodal.
func Single(dim int, beta float64, attention overlap.Attention, sigma float64, depth int) (Layer, error) {
	sum := 1.0
	if attention == overlap.Unnormalized {
		sum = elementary.Exp(beta)
	}
	return newLayer(dim, beta, attention, sigma, depth, 0, sum)
}

// newLayer returns the Layer in which attention multiplies the short vector by short and the long vector by
// long; the factors short and long are p+q and p-q in either order.
func newLayer(
	dim int, beta float64, attention overlap.Attention, sigma float64, depth int, short, long float64,
) (Layer, error) {
	if _, err := overlap.New(dim, beta, attention, sigma); err != nil {
		return Layer{}, err
	}
	if depth < 1 {
		return Layer{}, fmt.Errorf("finitedepth: depth %d is not allowed: it must be 1 or more", depth)
	}
	scale := sigma * max(short, long)
	if !(scale < 1e150) {
		return Layer{}, fmt.Errorf("finitedepth: depth is not available for beta %v and sigma %v: "+
			"the standard deviation of the noise, %.3g, must be below 1e150", beta, sigma, scale)
	}
	inverse := func(weight float64) float64 {
		weight *= sigma
		return float64(depth) / (weight * weight)
	}
	return Layer{dim, inverse(short), inverse(long)}, nil
}

// Lyapunov returns the Lyapunov exponent λ per layer at the end of the overlap. If λ < 0, log(1∓z) falls by
// 2|λ| per layer on average, and the end attracts; if λ ≥ 0, the end does not attract. The absolute error of
// λ is below 1e-13 up to dimension 10. If dim·b² is below 1, the absolute error is below 2e-11·dim·b², where
// b² is the variance of the noise of the short vector.
func (l Layer) Lyapunov() float64 {
	long := 0.0
	if !math.IsInf(l.long, 1) {
		long = logChi(l.dim-1, l.long) - float64(2*logChi(l.dim, l.long))
	}
	return float64(0.5 * (long + l.averageShort()))
}

// Lundberg returns the Lundberg exponent κ > 0 at the end of the overlap, and false if the end does not
// attract (λ ≥ 0). In the linear recursion near the end, the distance 1∓z from the end returns from x to y
// with probability at most (x/y)^κ; AntipodalReturn and SingleReturn bound returns in recursion (4) itself.
// The relative error of κ is below 1e-9 + 1e-14·dim/(κ|λ|). A rigorous bound must reduce κ by the error of κ.
func (l Layer) Lundberg() (float64, bool) {
	if !(l.Lyapunov() < 0) {
		return 0, false
	}
	normal := l.moment(0)
	logPower := func(kappa float64) float64 { // log of the moment, finite even where the moment is not
		ratio := max(math.SmallestNonzeroFloat64, min(l.moment(kappa)/normal, math.MaxFloat64))
		return elementary.Log(ratio)
	}
	// The function logPower is convex, 0 at κ = 0 with a negative slope, and infinite at κ = dim/2. The
	// search for the zero of logPower starts from small κ, as moments with large κ may exceed float64.
	largest := 0.5 * float64(l.dim) * (1 - 0x1p-40)
	low := 0.5
	for logPower(low) > 0 {
		low *= 0.5
	}
	high := min(2*low, largest)
	for ; !(logPower(high) > 0); high = min(2*high, largest) {
		if low = high; high == largest {
			return largest, true
		}
	}
	return quadrature.Root(logPower, low, high), true
}

// moment returns the moment E(|P_U^⊥ V|/|U|)^(2κ) of the factor of the short vector, up to a constant.
func (l Layer) moment(kappa float64) float64 {
	return l.weightedMoment(kappa, func(float64) float64 { return 1 })
}

// weightedMoment returns the mean of (|P_U^⊥ V|/|U|)^(2κ) times a function weight of 1-B, up to a constant,
// where 1-B is the squared length of the part of s orthogonal to U.
func (l Layer) weightedMoment(kappa float64, weight func(rest float64) float64) float64 {
	short := func(rest float64) float64 {
		if math.IsInf(l.short, 1) {
			return weight(rest)
		}
		return weight(rest) * chiPower(l.dim-1, float64(rest*l.short), kappa)
	}
	if math.IsInf(l.long, 1) {
		return short(1)
	}
	sum, _ := l.directions(0.5-kappa, short)
	return sum
}

// averageShort returns the mean E Δ_(d-1)((1-B)/b²) of the package comment.
func (l Layer) averageShort() float64 {
	if math.IsInf(l.short, 1) {
		return 0
	}
	short := func(rest float64) float64 { return logChi(l.dim-1, float64(rest*l.short)) }
	if math.IsInf(l.long, 1) {
		return short(1)
	}
	sum, weight := l.directions(0.5, short)
	return sum / weight
}

// directions integrates f(1-B) and the constant 1 over the direction of U, with the weight E |U|^(2μ-1) given
// the direction, up to a factor that both integrals share.
func (l Layer) directions(mu float64, f func(rest float64) float64) (sum, weight float64) {
	const step = 0.25 // step in v, where B = 1/(1+e^(-2v))
	power := float64(0.5 * float64(l.dim-1))
	// The variable B is of the order 1/(ν+d).
	middle := -float64(0.5 * elementary.Log(l.long+float64(l.dim)))
	// across and value are computed for rest = at. Below v = -18 rest is always 1, so across and value are
	// not computed again.
	var at, across, value float64
	add := func(v float64) bool {
		t := elementary.Exp(2 * v)
		b, rest := t/(1+t), 1/(1+t)
		if rest != at {
			at, across, value = rest, chiPower(l.dim-1, float64(rest*l.long), mu), f(rest)
		}
		// rest^(power+½) combines the measure of v and, at large ν, the factor (ν(1-B))^μ.
		exponent := -float64(power*elementary.Log1p(t)) - float64(0.5*l.long*b)
		density := float64(math.Sqrt(b*rest) * elementary.Exp(exponent) * across)
		weight += density
		sum += float64(density * value)
		return density > 1e-18*weight
	}
	for i := 0; add(middle + float64(step*float64(i))); i++ {
	}
	for i := -1; add(middle + float64(step*float64(i))); i-- {
	}
	return sum, weight
}
