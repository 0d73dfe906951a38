package stack

import (
	"math"

	"antipode/sphere/elementary"
)

// Mean, 0.5 % quantile and 99.5 % quantile of the Tracy-Widom law for real matrices. These numbers locate the
// largest eigenvalue of the bulk of a spectrum relative to the edge of the bulk.
const (
	edgeMean = -1.2065336
	edgeLow  = -4.15
	edgeHigh = 2.42
)

// stableRank returns the stable rank Σλ²/λ₁² of the Gram matrix XXᵀ of the tokens, with eigenvalues λ. The
// coordinates of the tokens are modelled as independent normal vectors, as many as the degrees of freedom,
// whose covariance K is the geometry x. The spectrum of XXᵀ consists of a bulk, whose second moment is tr K²
// + (tr K)²/n for n degrees of freedom, and possibly an outlier. The argument fromEdge is the position of
// the largest bulk eigenvalue relative to the edge of the bulk, in units of the Tracy-Widom law.
func (k *Stack) stableRank(x gram, n freedom, fromEdge float64) float64 {
	squares, trace := 0.0, 0.0
	for i, n := range k.groups.count {
		trace += float64(n * x.square[i])
		squares += float64(n * x.square[i] * x.square[i])
		for j, m := range k.groups.count {
			if i == j {
				m--
			}
			squares += float64(float64(n*m) * x.inner[i][j] * x.inner[i][j])
		}
	}
	largest := k.powerIteration(x)
	top, out := k.spikedEigenvalue(trace, largest, n, fromEdge)
	if !out {
		return max(1, (squares+(float64(trace*trace)+squares)/n.differences)/float64(top*top))
	}
	trace -= largest
	squares = max(0, squares-float64(largest*largest))
	return 1 + (squares+(float64(trace*trace)+squares)/n.differences)/float64(top*top)
}

// rankBand returns the ends of the band of the stable rank: the stable ranks at which log M/D and the largest
// bulk eigenvalue are at the ends of their bands. The band of the stable rank also includes the fluctuation
// of the sum of squared bulk eigenvalues, whose logarithm has a variance of at most 8/d; the variance 8/d is
// attained if one bulk eigenvalue dominates the sum.
func (k *Stack) rankBand(x gram, rank, deviation float64, n freedom) (low, high float64) {
	excess := rank - 1
	if !(excess > 0) {
		return rank, rank
	}
	squares := quantile * math.Sqrt(8/n.differences)
	end := func(by, fromEdge float64) float64 {
		there := max(k.stableRank(k.shifted(x, by), n, fromEdge)-1, math.SmallestNonzeroFloat64)
		far := elementary.Log(there / excess)
		rank := 1 + float64(excess*elementary.Exp(math.Copysign(math.Hypot(far, squares), -by)))
		return min(rank, float64(min(k.architecture.Tokens, k.architecture.Dim)))
	}
	return end(quantile*deviation, edgeHigh), end(-quantile*deviation, edgeLow)
}

// freedom holds numbers of degrees of freedom. The differences of tokens have the Gram matrix K in the mean,
// and the squared norm of the Gram matrix exceeds tr K² by about (tr K)²/differences. The inner products of
// differences with the common part of all tokens have mean squares that are smaller than the product of both
// squared norms by the factor 1/common.
type freedom struct{ differences, common float64 }

// inputShare holds the fractions of a stream that are due to the input: of the mean squared norm of the
// tokens, of the mean squared difference of tokens, and of the mean inner product.
type inputShare struct{ square, differences, common float64 }

// after returns the fractions after a branch and its skip connection.
func (i inputShare) after(g *groups, b *branch) inputShare {
	part := func(skip, branch float64) float64 { // each is at least 0, but for errors of rounding
		skip, branch = float64(b.skip2*max(0, skip)), float64(b.strength2*max(0, branch))
		if skip > 0 {
			return skip / (skip + branch)
		}
		return 0
	}
	square, output := g.meanSquare(b.before.square), g.meanSquare(b.output.square)
	inner, mixed := g.mean(b.before.inner), g.mean(b.output.inner)
	return inputShare{float64(i.square * part(square, output)),
		float64(i.differences * part(square-inner, output-mixed)), float64(i.common * part(inner, mixed))}
}

// freedom returns the degrees of freedom of the tokens of a stream. The numbers are d, or less if the input
// is a linear map of fewer features, and infinite for an input whose geometry is fixed.
func (s Architecture) freedom(i inputShare) freedom {
	d, f := float64(s.Dim), float64(s.Input.Features)
	if s.Input.Fixed {
		return freedom{d / float64((1-i.differences)*(1+i.differences)),
			d / (1 - float64(i.differences*i.common))}
	}
	if f > 0 {
		d = 1 / (1/d + float64(i.square*i.square)/f)
	}
	return freedom{d, d}
}

// degreesOfFreedom returns the degrees of freedom of the tokens at the input and after each layer. Later
// layers reduce the contribution of the input to the stream.
func (k *Stack) degreesOfFreedom(all [][2]branch) []freedom {
	freedoms := []freedom{k.architecture.freedom(inputShare{1, 1, 1})}
	for _, layer := range all {
		freedoms = append(freedoms, k.architecture.freedom(layer[1].fromInput))
	}
	return freedoms
}

// spikedEigenvalue returns the largest eigenvalue of a sample covariance matrix, and whether this eigenvalue
// is an outlier. The covariance has the given trace, one eigenvalue largest = ℓ·level, and all other
// eigenvalues equal to level; γ is T divided by the degrees of freedom. For ℓ > 1+√γ the outlier is level(ℓ
// + γℓ/(ℓ-1)) (Baik, Ben Arous and Péché), or that of outlier if the common part of the tokens has other
// degrees of freedom than their differences. The largest bulk eigenvalue, which may exceed the outlier, is
// at the edge level(1+√γ)² up to a Tracy-Widom fluctuation with the constants of Johnstone (2001).
func (k *Stack) spikedEigenvalue(
	trace, largest float64, n freedom, fromEdge float64,
) (top float64, out bool) {
	t, f := float64(k.architecture.Tokens), n.differences
	level := max(trace-largest, 0) / (t - 1)
	if level == 0 {
		return largest, true
	}
	edge := level
	if !math.IsInf(f, 1) {
		root := math.Sqrt(f) + math.Sqrt(t)
		unit := root * math.Cbrt(1/math.Sqrt(f)+1/math.Sqrt(t))
		edge = level / f * max(float64(root*root)+float64(fromEdge*unit), 0)
	}
	gamma, l := t/f, largest/level
	switch {
	case n.differences != n.common:
		top = float64(level * outlier(l-1, gamma, t/n.common))
	case l > 1+math.Sqrt(gamma):
		top = float64(level * (l + float64(gamma*l)/(l-1)))
	}
	return max(top, edge), top > edge
}

// outlier returns the largest eigenvalue λ of XXᵀ for T×d matrices X = B + c uvᵀ with unit vectors u and v
// and c² = b, or 0 if no eigenvalue is outside the spectrum of BBᵀ. The spectrum of BBᵀ is that of Marchenko
// and Pastur with the ratio gamma. The inner products of cv with the rows of B have the mean square
// b·common/T. If g is the mean of 1/(λ-μ) over the eigenvalues μ of BBᵀ, then bg(common λg + 1 - common) is
// 1 (Benaych-Georges and Nadakuditi, 2012) and λ is (1+(1-gamma)g)/(g-gamma g²), so that g solves a
// quadratic equation.
func outlier(b, gamma, common float64) float64 {
	if !(b > 0) {
		return 0
	}
	linear := b + gamma
	g := 2 / (linear + math.Sqrt(float64(linear*linear)+float64(4*b*(common-gamma))))
	if root := math.Sqrt(gamma); float64(g*root*(1+root)) >= 1 {
		return 0
	}
	return (1 + float64((1-gamma)*g)) / float64(g*(1-float64(gamma*g)))
}

// powerIteration returns the largest eigenvalue of the T×T matrix of mean inner products of the tokens, by
// power iteration over groups.
func (k *Stack) powerIteration(x gram) float64 {
	v := make([]float64, len(x.square))
	for i := range v {
		v[i] = 1
	}
	value := 0.0
	for range 200 {
		next, before := make([]float64, len(v)), value
		value = 0
		for i := range v {
			next[i] = float64((x.square[i] - x.inner[i][i]) * v[i])
			for j, m := range k.groups.count {
				next[i] += float64(m * x.inner[i][j] * v[j])
			}
			value = max(value, math.Abs(next[i]))
		}
		if value == 0 {
			return 0
		}
		for i := range v {
			v[i] = next[i] / value
		}
		if math.Abs(value-before) <= 1e-12*value {
			break
		}
	}
	return value
}
