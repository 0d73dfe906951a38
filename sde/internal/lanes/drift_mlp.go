package lanes

import (
	"math"

	"antipode/sphere/activation"
)

// DriftMLP describes a drift and an MLP of infinite width in a layer with a Gaussian matrix M: X_i ←
// normalise(X_i + M A_i + Drift A_i + F_i), where A_i is the attention of token X_i. The outputs F_i of the
// MLP are Gaussian vectors; in each coordinate their covariance is Strength φ̂(<X_i,X_j>).
type DriftMLP struct {
	Drift       float64
	Strength    float64 // variance of an output coordinate of the MLP; 0 for no MLP
	Correlation *activation.Correlation
	// InSequence says that the tokens are normalised after attention, and that the MLP is then applied to the
	// normalised tokens.
	InSequence bool
}

// escapes reports whether the MLP makes opposite clusters escape from being opposite, which it does if its
// activation is not odd.
func (b *DriftMLP) escapes() bool { return b != nil && b.Strength > 0 && !b.Correlation.Odd() }

// driftMLP advances a plane chain with independent entries by one layer with a drift and an MLP. Given the
// overlap, the noises of the sum S and the difference D of the two tokens are Gaussian. The covariance of
// these noises is that of M(aS+bD) and M(cS+eD), plus 2·Strength(1±φ̂) on the diagonal, as the outputs F₁ and
// F₂ of the MLP have the same variance. The Cholesky factor of the covariance turns two columns of
// independent standard normal numbers into the noises.
type driftMLP struct {
	DriftMLP
	deviation float64
}

func newDriftMLP(p Plane) *driftMLP {
	if p.DriftMLP == nil {
		return nil
	}
	return &driftMLP{*p.DriftMLP, p.Deviation}
}

// step returns |S|² and |D|² after a layer, given the state p before the layer, the weights a, b, c, e of
// attention (see massesLayer) and two columns of a matrix of standard deviation l.deviation.
func (l *driftMLP) step(
	p *scaledSquares, a, b, c, e float64, first, second *[4]float64,
) (above, below float64) {
	sum, difference := l.spread(p)
	return l.move(p, a, b, c, e, sum, difference, first, second)
}

// attend returns |S|² and |D|² after a layer with attention and drift but without the MLP.
func (l *driftMLP) attend(
	p *scaledSquares, a, b, c, e float64, first, second *[4]float64,
) (above, below float64) {
	return l.move(p, a, b, c, e, 0, 0, first, second)
}

// follow returns |S|² and |D|² after the MLP alone, given two columns of random numbers, which must be
// independent of those of attend.
func (l *driftMLP) follow(p scaledSquares, first, second *[4]float64) (above, below float64) {
	sum, difference := l.spread(&p)
	return l.move(&p, 0, 0, 0, 0, sum, difference, first, second)
}

// move returns |S|² and |D|² after a layer with attention, drift and MLP. The arguments sum and difference
// are the variances that the MLP adds to S and D, divided by the square of the deviation.
func (l *driftMLP) move(
	p *scaledSquares, a, b, c, e, sum, difference float64, first, second *[4]float64,
) (above, below float64) {
	x, y := math.Sqrt(p.above), math.Sqrt(p.below)
	ax, by, cx, ey := float64(a*x), float64(b*y), float64(c*x), float64(e*y)
	f := factorOf(ax, by, cx, ey, sum, difference)
	var s, d [4]float64
	for i := range s {
		s[i] = float64(f.sum * first[i])
		d[i] = math.FMA(f.shared, first[i], float64(f.difference*second[i]))
	}
	s[0], s[1] = s[0]+math.FMA(l.Drift, ax, x), math.FMA(l.Drift, by, s[1])
	d[0], d[1] = math.FMA(l.Drift, cx, d[0]), d[1]+math.FMA(l.Drift, ey, y)
	return retractPair(&s, &d)
}

// factor is the Cholesky factor of the covariance of the noises of S and D, the sum and the difference of two
// tokens. For independent standard normal vectors g and h, the noise of S is sum·g and the noise of D is
// shared·g + difference·h.
type factor struct{ sum, shared, difference float64 }

// factorOf returns the Cholesky factor for the noises ax·g + by·h of S and cx·g + ey·h of D, plus independent
// noises of variances sum and difference. The determinant is computed without subtracting nearly equal
// numbers.
func factorOf(ax, by, cx, ey, sum, difference float64) factor {
	own := sum + math.FMA(ax, ax, float64(by*by))
	across := math.FMA(cx, cx, float64(ey*ey))
	if own == 0 {
		return factor{difference: math.Sqrt(across + difference)}
	}
	minor := math.FMA(ax, ey, -float64(by*cx))
	determinant := math.FMA(minor, minor, math.FMA(sum, across, float64(difference*own)))
	pivot := math.Sqrt(own)
	return factor{pivot, math.FMA(ax, cx, float64(by*ey)) / pivot, math.Sqrt(determinant / own)}
}

// spread returns the variances that the MLP adds to each coordinate of S and of D, divided by the square of
// the deviation. The variances that the MLP adds are 2·Strength(1+φ̂) for S and 2·Strength(1-φ̂) for D. As D
// tends to 0, the variance of D vanishes like |D|². If φ is odd and S tends to 0, the variance of S vanishes
// like |S|².
func (l *driftMLP) spread(p *scaledSquares) (sum, difference float64) {
	if l.Strength == 0 {
		return 0, 0
	}
	logAbove, logBelow := p.logarithms()
	own, shared := l.Correlation.Shares(0.5 * (logAbove - logBelow))
	strength := l.Strength / float64(l.deviation*l.deviation)
	if p.above < p.below && !l.Correlation.Odd() {
		value := l.Correlation.At(float64(0.5*p.above) - 1)
		return 2 * strength * (1 + value), 2 * strength * (1 - value)
	}
	return float64(strength * p.above * (own + shared)), float64(strength * p.below * (own - shared))
}
