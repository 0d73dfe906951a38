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
// coordinates of the tokens are modelled as independent normal vectors, freedom in number, whose covariance K
// is the geometry x. The spectrum of XXᵀ consists of a bulk, whose second moment is tr K² + (tr K)²/freedom,
// and possibly an outlier. The argument fromEdge is the position of the largest bulk eigenvalue relative to
// the edge of the bulk, in units of the Tracy-Widom law.
func (k *Stack) stableRank(x gram, freedom, fromEdge float64) float64 {
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
	top, out := k.spikedEigenvalue(trace, largest, freedom, fromEdge)
	if !out {
		return max(1, (squares+(float64(trace*trace)+squares)/freedom)/float64(top*top))
	}
	trace -= largest
	squares = max(0, squares-float64(largest*largest))
	return 1 + (squares+(float64(trace*trace)+squares)/freedom)/float64(top*top)
}

// rankBand returns the ends of the band of the stable rank: the stable ranks at which log M/D and the largest
// bulk eigenvalue are at the ends of their bands. The band of the stable rank also includes the fluctuation
// of the sum of squared bulk eigenvalues, whose logarithm has a variance of at most 8/d; the variance 8/d is
// attained if one bulk eigenvalue dominates the sum.
func (k *Stack) rankBand(x gram, rank, deviation, freedom float64) (low, high float64) {
	excess := rank - 1
	if !(excess > 0) {
		return rank, rank
	}
	squares := quantile * math.Sqrt(8/freedom)
	end := func(by, fromEdge float64) float64 {
		there := max(k.stableRank(k.shifted(x, by), freedom, fromEdge)-1, math.SmallestNonzeroFloat64)
		far := elementary.Log(there / excess)
		rank := 1 + float64(excess*elementary.Exp(math.Copysign(math.Hypot(far, squares), -by)))
		return min(rank, float64(min(k.architecture.Tokens, k.architecture.Dim)))
	}
	return end(quantile*deviation, edgeHigh), end(-quantile*deviation, edgeLow)
}

// degreesOfFreedom returns the degrees of freedom of the tokens at the input and after each layer. The number
// of degrees of freedom is d, or less if the input is a linear map of fewer features; later layers reduce the
// contribution of the input to the stream.
func (k *Stack) degreesOfFreedom(all [][2]branch) []float64 {
	d, f, share := float64(k.architecture.Dim), float64(k.architecture.Input.Features), 1.0
	freedom := func() float64 {
		if f == 0 {
			return d
		}
		return 1 / (1/d + float64(share*share)/f)
	}
	freedoms := []float64{freedom()}
	for _, layer := range all {
		for b := range layer {
			skip := float64(layer[b].skip2 * k.groups.meanSquare(layer[b].before.square))
			share *= skip / (skip + float64(layer[b].strength2*k.groups.meanSquare(layer[b].output.square)))
		}
		freedoms = append(freedoms, freedom())
	}
	return freedoms
}

// spikedEigenvalue returns the largest eigenvalue of a sample covariance matrix, and whether this eigenvalue
// is an outlier. The covariance has the given trace, one eigenvalue largest = ℓ·level, and all other
// eigenvalues equal to level; γ is T divided by the degrees of freedom. For ℓ > 1+√γ the outlier is level(ℓ +
// γℓ/(ℓ-1)) (Baik, Ben Arous and Péché). The largest bulk eigenvalue, which may exceed the outlier, is at the
// edge level(1+√γ)² up to a Tracy-Widom fluctuation with the constants of Johnstone (2001).
func (k *Stack) spikedEigenvalue(trace, largest, freedom, fromEdge float64) (top float64, out bool) {
	t := float64(k.architecture.Tokens)
	level := max(trace-largest, 0) / (t - 1)
	if level == 0 {
		return largest, true
	}
	root := math.Sqrt(freedom) + math.Sqrt(t)
	unit := root * math.Cbrt(1/math.Sqrt(freedom)+1/math.Sqrt(t))
	edge := level / freedom * max(float64(root*root)+float64(fromEdge*unit), 0)
	gamma := t / freedom
	if l := largest / level; l > 1+math.Sqrt(gamma) {
		top = float64(level * (l + float64(gamma*l)/(l-1)))
	}
	return max(top, edge), top > edge
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
