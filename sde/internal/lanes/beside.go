package lanes

import (
	"math"

	"antipode/sphere/activation"
)

// Beside is what stands beside the Gaussian matrix of a layer, X_i ← normalise(X_i + M A_i + Drift A_i +
// F_i): a mean of the matrix, and an MLP of infinite width, Gaussian vectors F_i of covariance Strength
// φ̂(<X_i,X_j>) in each coordinate.
type Beside struct {
	Drift       float64
	Strength    float64 // 0 for no MLP
	Correlation *activation.Correlation
	// InSequence normalises before the MLP, which has the overlap of what comes out.
	InSequence bool
}

// escapes reports whether opposite clusters do not stay opposite.
func (b *Beside) escapes() bool { return b != nil && b.Strength > 0 && !b.Correlation.Odd() }

// beside takes a plane chain of independent entries to the next layer, with what stands beside them. Given
// the overlap the noises of S and D are Gaussian, with a covariance that is the sum of that of M(aS+bD) and
// M(cS+eD) and, as F₁ and F₂ have the same variance, of 2·Strength(1±φ̂) on the diagonal. Its Cholesky factor
// takes two columns of independent standard normal numbers to them.
type beside struct {
	Beside
	deviation float64
}

func newBeside(p Plane) *beside {
	if p.Beside == nil {
		return nil
	}
	return &beside{*p.Beside, p.Deviation}
}

// step returns the squares of S and D after a layer, from those before it, the weights of attention and
// columns of a matrix of entries of that deviation.
func (l *beside) step(
	p *scaledSquares, a, b, c, e float64, first, second *[4]float64,
) (above, below float64) {
	sum, difference := l.spread(p)
	return l.move(p, a, b, c, e, sum, difference, first, second)
}

// attend is a step without the MLP.
func (l *beside) attend(
	p *scaledSquares, a, b, c, e float64, first, second *[4]float64,
) (above, below float64) {
	return l.move(p, a, b, c, e, 0, 0, first, second)
}

// follow is the step of the MLP alone, with columns of its own.
func (l *beside) follow(p scaledSquares, first, second *[4]float64) (above, below float64) {
	sum, difference := l.spread(&p)
	return l.move(&p, 0, 0, 0, 0, sum, difference, first, second)
}

// move is a step with given variances of what the MLP adds to S and D.
func (l *beside) move(
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

// A factor takes independent standard normal vectors g and h to the noises sum·g of S and shared·g +
// difference·h of D.
type factor struct{ sum, shared, difference float64 }

// factorOf returns the factor of the noises ax·g + by·h of S and cx·g + ey·h of D, to which independent ones
// of the variances sum and difference are added. The determinant has no difference of numbers that are nearly
// equal.
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

// spread returns the variances 2·Strength(1+φ̂) and 2·Strength(1-φ̂) that the MLP adds to each coordinate of
// S and D, over the square of the deviation. Where S or D vanishes so does its variance, at the same rate, if
// φ is odd or for D.
func (l *beside) spread(p *scaledSquares) (sum, difference float64) {
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
