package overlap

import (
	"fmt"
	"math"
	"sync"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/chebyshev"
	"antipode/sphere/elementary"
)

// MaxSpread is the largest spread S of random scores that package overlap accepts.
const MaxSpread = 20

// NewResampled returns the overlap diffusion of two tokens whose queries and keys are drawn anew in each
// layer, in the limit of many key dimensions. The scores of tokens are x_iᵀ(βI + SG)x_j, where S is the
// spread and G is a matrix of independent standard normal entries, drawn anew in each layer and independent
// of the value matrix. Drift and variance of the overlap are those of NewIsotropic, averaged over the
// attention weights. Spread 0 gives the diffusion of NewIsotropic.
//
// With softmax the attention weight of a token for itself is p_i = 1/(1+e^(-g_i)), where (g₁, g₂) is normal
// with mean β(1-z), variance 2S²(1-z) and correlation -z. So g₁ = x + r and g₂ = x - r with independent
// normal x and r: the mean of x is β(1-z) and the variance of x is S²(1-z)²; the mean of r is 0 and the
// variance of r is S²(1-z²). For α_i = tanh(g_i/2) = p_i-q_i, the addition theorem of tanh gives
//
//	α₁α₂ = (cosh x - cosh r)/(cosh x + cosh r), α₁-α₂ = 2 sinh r/(cosh x + cosh r),
//	q₁+q₂ = (e^(-x) + cosh r)/(cosh x + cosh r),
//
// and with C = E α₁α₂ and w = E (α₁-α₂)²/(2(1+z)) the diffusion of u = atanh z for independent entries is
//
//	h' = [(d-2)(1-C) + z(1+C) - (d-3)zw]/(1+C+w), γ² = σ²(1+C+w).
//
// At overlap z = -1, C = τ = E tanh²(β+Sg) and w = S² E sech⁴(β+Sg) with g standard normal, so that the end
// -1 attracts if and only if (d-2)(1-τ) + (d-3)w < 1+τ. At overlap z = +1, C = w = 0.
//
// Unnormalized attention has weights ½exp(s_ij), where the scores s_ij are normal with covariances
// S²<x_i,x_k><x_j,x_l>, so that products of weights have lognormal means. In units of
// ½(e^(2β)+e^(2βz))e^(2S²), with K = exp(-S²(1-z²)), the mean products of unnormalized weights are
//
//	e = K, f = 2E(p₁q₂+q₁p₂) = exp(-S²(1-z))/cosh β(1-z), w = (1-K)/(1-z²).
//
// With unnormalized attention and value matrices of independent entries, the end +1 does not attract if
// S²(d-3) ≥ d-1.
//
// In addition to the errors of NewIsotropic, NewResampled returns an error if the spread is not in [0,
// MaxSpread], or if the value matrices produce no noise at +1 (A+B = C = 0).
func NewResampled(
	dim int, beta float64, attention Attention, sigma, spread float64, covariance Covariance,
) (*Diffusion, error) {
	if !(spread >= 0 && spread <= MaxSpread) {
		return nil, fmt.Errorf("overlap: spread %v is not allowed: it must be from 0 to %d", spread,
			MaxSpread)
	}
	plain, err := NewIsotropic(dim, beta, attention, sigma, covariance, 1, 1)
	if err != nil || spread == 0 {
		return plain, err
	}
	if noiseless(covariance) {
		return nil, fmt.Errorf("overlap: covariance %v: antisymmetric value matrices are not available "+
			"with random queries and keys", covariance)
	}
	r := &resampled{dim: dim, beta: beta, sigma: sigma, spread: spread, attention: attention,
		covariance: covariance}
	return newDiffusion(dim, r, r.end(-1), r.end(1), false), nil
}

// CriticalSpreads returns the spreads of random scores, up to MaxSpread in ascending order, at which the
// antipodal pair of two tokens begins or ceases to attract. Usually there is at most one critical spread,
// above which the antipodal pair does not attract. CriticalSpreads scans spreads that start at 1/50 and
// increase by a tenth in each step. The errors of CriticalSpreads are those of NewResampled.
func CriticalSpreads(dim int, beta float64, attention Attention, covariance Covariance) ([]float64, error) {
	if _, err := NewResampled(dim, beta, attention, 1, 1, covariance); err != nil {
		return nil, err
	}
	slope := func(spread float64) float64 {
		r := &resampled{dim: dim, beta: beta, sigma: 1, spread: spread, attention: attention,
			covariance: covariance}
		return r.Slope(line.At(-1))
	}
	var spreads []float64
	before := slope(0)
	if math.Abs(before) < endRounding(dim) {
		before = 0 // the end is at its threshold without random scores
	}
	for low, high := 0.0, 0.02; low < MaxSpread; low, high = high, min(1.1*high, MaxSpread) {
		after := slope(high)
		if crosses(before, after) {
			spreads = append(spreads, quadrature.Root(slope, low, high))
		}
		before = after
	}
	return spreads, nil
}

// resampled is the model of two tokens with random queries and keys.
type resampled struct {
	dim                 int
	beta, sigma, spread float64
	attention           Attention
	covariance          Covariance
	once                sync.Once
	// table holds the averages of products of softmax weights from u = -line.Asymptote on; the table is
	// computed at the first use.
	table [][3]chebyshev.Polynomial
}

// endRounding is the largest slope |h'| at an end that is attributed to rounding.
func endRounding(dim int) float64 { return 16 * float64(dim) * line.LimitError }

func (r *resampled) end(side float64) line.End {
	slope := r.Slope(line.At(side))
	if math.Abs(slope) < endRounding(r.dim) {
		slope = 0
	}
	return line.Converging(side, slope, line.Asymptote)
}

func (r *resampled) Slope(at line.Position) float64 {
	m, _ := r.moments(at)
	return bounded(pullOf(r.covariance, r.dim, at.Z, &m) / varianceOf(r.covariance, &m))
}

func (r *resampled) Variance(at line.Position) float64 {
	m, root := r.moments(at)
	return float64(root*root) * varianceOf(r.covariance, &m)
}

// Pull returns γ²h'.
func (r *resampled) Pull(at line.Position) float64 {
	m, root := r.moments(at)
	return root * (root * pullOf(r.covariance, r.dim, at.Z, &m))
}

func (r *resampled) drift(at line.Position) float64 {
	return times(at.Above*at.Below*(float64(0.5*r.Slope(at))-at.Z), r.Variance(at))
}

// moments returns the moments of the attention weights, averaged over the random scores, and σ times the
// square root of the unit of these moments.
func (r *resampled) moments(at line.Position) (m moments, root float64) {
	if r.attention == Unnormalized {
		return r.lognormal(at)
	}
	var a [3]float64
	if place := tablePerUnit * (at.U() + line.Asymptote); math.Abs(at.U()) < line.Asymptote {
		r.once.Do(r.tabulate)
		cell := int(place)
		x := float64(2*(place-float64(cell))) - 1
		for k := range a {
			a[k] = r.table[cell][k].At(x)
		}
	} else {
		a = r.averages(at)
	}
	product, w, sum := a[0], a[1], a[2]
	tau := product + float64(at.Above*w) // the mean E α²
	return moments{
		e: 1 + product, f: 1 - product, w: w,
		within: 0.5 * (1 - tau), sum: sum, difference: 0.5 * at.Above * w,
	}, r.sigma
}

func (r *resampled) lognormal(at line.Position) (m moments, root float64) {
	square := float64(r.spread * r.spread)
	y := square * at.Above * at.Below
	lost := -elementary.Expm1(-y) // 1-K with K of NewResampled
	w := square
	if y > 0 {
		w *= lost / y
	}
	f := float64(elementary.Exp(-square*at.Below) * sech(float64(r.beta*at.Below)))
	ratio := elementary.Exp(-float64(2 * r.beta * at.Below))
	share := ratio / (1 + ratio)
	half := elementary.Exp(float64(0.5*r.beta) + float64(0.5*square))
	return moments{
		e: 1 - lost, f: f, w: w, within: 0.5 * f, sum: share * (2 - lost), difference: share * lost,
	}, r.sigma * half * half * math.Sqrt(0.5*(1+ratio))
}

// averages returns C, w and E(q₁+q₂)² for softmax, by the trapezoidal rule in the standardised normal
// variables x and r of NewResampled. The integrands of C, w and E(q₁+q₂)² have poles at x = ±r + iπ, at
// distance at least π from the real axis. With the steps stepX and stepR, the errors of the trapezoidal rule
// due to the poles and due to the normal density are each at most e^(-34). Numerators and denominators of the
// integrands are multiplied by 2e^(-|x|), so that nothing overflows.
func (r *resampled) averages(at line.Position) (means [3]float64) {
	const reach = 8.5
	along, across := float64(r.spread*at.Below), float64(r.spread*math.Sqrt(at.Above*at.Below))
	step := func(scale float64) float64 { return min(0.5, 0.5/scale) }
	stepX, stepR := step(along), step(across)
	type node struct{ weight, cosh, sinh float64 } // sinh is sinh r/r times the standardised r
	var nodes []node
	for k := 0; ; k++ {
		n := float64(stepR * float64(k))
		if n > reach {
			break
		}
		v := float64(across * n)
		e := elementary.Exp(v)
		sinh := 1.0
		if v > 0 {
			d := elementary.Expm1(v)
			sinh = 0.5 * (d + d/(1+d)) / v
		}
		weight := elementary.Exp(-0.5 * n * n)
		if k > 0 {
			weight *= 2
		}
		nodes = append(nodes, node{weight, 0.5 * (e + 1/e), n * sinh})
	}
	total := 0.0
	points := int(reach / stepX)
	for j := -points; j <= points; j++ {
		n := float64(stepX * float64(j))
		x := float64(r.beta*at.Below) + float64(along*n)
		outer := elementary.Exp(-0.5 * n * n)
		shrunk := elementary.Exp(-math.Abs(x))
		great, tail := 1+float64(shrunk*shrunk), 2.0 // 2e^(-|x|) cosh x and e^(-x)
		if x >= 0 {
			tail = float64(2 * shrunk * shrunk)
		}
		for _, v := range nodes {
			weight := float64(outer * v.weight)
			small := float64(2 * shrunk * v.cosh)
			inverse := 1 / (great + small)
			apart, below := float64(2*shrunk*v.sinh*inverse), float64((tail+small)*inverse)
			means[0] += float64(weight * (great - small) * inverse)
			means[1] += float64(weight * apart * apart)
			means[2] += float64(weight * below * below)
			total += weight
		}
	}
	for k := range means {
		means[k] /= total
	}
	means[1] *= 2 * r.spread * r.spread * at.Below
	return means
}

// tablePerUnit is the number of table cells per unit of u = atanh z. The averages C, w and E(q₁+q₂)² are
// functions of e^(-2u) that are analytic for |Im u| < π/4, so that interpolation at 16 points in each cell
// has an error of 6^(-16).
const tablePerUnit = 2

// tabulate tabulates the averages of products of softmax weights. Interpolation in the table takes a
// thousandth of the time of the computation of the averages.
func (r *resampled) tabulate() {
	const cells = 2 * line.Asymptote * tablePerUnit
	table := make([][3]chebyshev.Polynomial, cells)
	nodes := chebyshev.Nodes()
	for cell := range table {
		var values [3][chebyshev.Order]float64
		for i, x := range nodes {
			u := float64((float64(cell)+float64(0.5*(1+x)))*(1.0/tablePerUnit)) - line.Asymptote
			for k, v := range r.averages(line.Of(u)) {
				values[k][i] = v
			}
		}
		for k := range values {
			table[cell][k] = chebyshev.Interpolation(&values[k], &nodes)
		}
	}
	r.table = table
}
