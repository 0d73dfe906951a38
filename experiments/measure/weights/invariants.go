package weights

import (
	"math"

	"antipode/experiments/internal/statistics"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Estimate is an estimated value with a 95 % confidence interval.
type Estimate struct {
	Value float64 `column:"@,nullable" meaning:"@"`
	Low   float64 `column:"@_low,nullable" meaning:"lower end of the 95 % interval of the @"`
	High  float64 `column:"@_high,nullable" meaning:"upper end of the 95 % interval of the @"`
}

func around(value, stderr, quantile float64) Estimate {
	return Estimate{value, value - quantile*stderr, value + quantile*stderr}
}

// product is a d × d matrix LR with inner dimension h. The matrix is stored as the three h × h matrices LᵀL,
// RRᵀ and RL, which determine its invariants.
type product struct {
	dim                int
	left, right, cross *mat.Dense
}

// newProduct returns the matrix product LR of L (d × h) and R (h × d).
func newProduct(left, right mat.Matrix) product {
	dim, inner := left.Dims()
	p := product{dim, mat.NewDense(inner, inner, nil), mat.NewDense(inner, inner, nil), mat.NewDense(inner,
		inner, nil)}
	p.left.Mul(left.T(), left)
	p.right.Mul(right, right.T())
	p.cross.Mul(right, left)
	return p
}

// sums holds ‖M‖² = Σ M_ij², tr M² and tr M of a matrix M.
type sums struct{ squares, opposite, trace float64 }

// all returns the sums ‖M‖², tr M² and tr M of the matrix product M.
func (p product) all() (s sums) {
	inner, _ := p.left.Dims()
	for k := range inner {
		for l := range inner {
			s.squares += p.left.At(k, l) * p.right.At(k, l)
			s.opposite += p.cross.At(k, l) * p.cross.At(l, k)
		}
		s.trace += p.cross.At(k, k)
	}
	return s
}

// without returns the sums of the matrix product in which the k-th inner dimension is left out. The argument
// all has the sums of the complete product.
func (p product) without(all sums, k int) sums {
	inner, _ := p.left.Dims()
	for l := range inner {
		twice := 2.
		if l == k {
			twice = 1
		}
		all.squares -= twice * p.left.At(k, l) * p.right.At(k, l)
		all.opposite -= twice * p.cross.At(k, l) * p.cross.At(l, k)
	}
	all.trace -= p.cross.At(k, k)
	return all
}

// invariants returns the invariants a, b and c of a random d × d matrix V with E V_ij V_kl = a δ_ik δ_jl + b
// δ_il δ_jk + c δ_ij δ_kl, estimated from the sums of one such matrix. Three parts of V are independent. The
// symmetric part without its trace has (d+2)(d-1)/2 dimensions with variance a+b. The antisymmetric part has
// d(d-1)/2 dimensions with variance a-b. The multiple of the identity has one dimension with variance a+b+cd.
func (s sums) invariants(dim int) (a, b, c float64) {
	d := float64(dim)
	scalar := s.trace * s.trace / d
	symmetric := ((s.squares+s.opposite)/2 - scalar) / ((d + 2) * (d - 1) / 2)
	antisymmetric := (s.squares - s.opposite) / 2 / (d * (d - 1) / 2)
	return (symmetric + antisymmetric) / 2, (symmetric - antisymmetric) / 2, (scalar - symmetric) / d
}

// Invariants are the invariants a, b and c of the value matrix W_O W_V of an attention head.
type Invariants struct {
	_        struct{} `meaning:"number a of the covariance E V_ij V_kl = a δ_ik δ_jl + b δ_il δ_jk + c δ_ij"`
	_        struct{} `meaning:"δ_kl of V = W_O W_V, about the variance of an entry"`
	A        Estimate `column:"a"`
	_        struct{} `meaning:"number b of the covariance E V_ij V_kl = a δ_ik δ_jl + b δ_il δ_jk + c δ_ij"`
	_        struct{} `meaning:"δ_kl of V = W_O W_V, the covariance of opposite entries"`
	B        Estimate `column:"b"`
	_        struct{} `meaning:"number c of the covariance E V_ij V_kl = a δ_ik δ_jl + b δ_il δ_jk + c δ_ij"`
	_        struct{} `meaning:"δ_kl of V = W_O W_V, the variance of a multiple of the identity"`
	C        Estimate `column:"c"`
	_        struct{} `meaning:"multiple tr(W_O W_V)/d of the identity in W_O W_V: a drift to the tokens"`
	_        struct{} `meaning:"that a head attends to"`
	Identity float64  `column:"identity,nullable"`
}

// invariants estimates the invariants of a matrix product. The confidence intervals are those of the
// jackknife over the inner dimensions, which are exchangeable whether the matrices are random or learned. The
// interval of c follows from the interval of the trace.
func (p product) invariants() Invariants {
	all := p.all()
	a, b, c := all.invariants(p.dim)
	as, bs, traces := &jackknife{}, &jackknife{}, &jackknife{}
	inner, _ := p.left.Dims()
	for k := range inner {
		rest := p.without(all, k)
		a, b, _ := rest.invariants(p.dim)
		as.add(a)
		bs.add(b)
		traces.add(rest.trace / float64(p.dim))
	}
	t := as.quantile()
	identity := all.trace / float64(p.dim)
	low, high := squareRange(around(identity, traces.stderr(), t))
	rest := (a + b) / float64(p.dim)
	return Invariants{A: around(a, as.stderr(), t), B: around(b, bs.stderr(), t),
		C: Estimate{c, low - rest, high - rest}, Identity: identity}
}

// squareRange returns the least and the greatest square of the numbers in the interval of an estimate.
func squareRange(e Estimate) (low, high float64) {
	low, high = e.Low*e.Low, e.High*e.High
	if e.Low <= 0 && e.High >= 0 {
		return 0, max(low, high)
	}
	return min(low, high), max(low, high)
}

// jackknife holds the values of a sum over n items, or of a statistic that grows like a sum, each computed
// with one item left out.
type jackknife struct {
	values []float64
}

func (j *jackknife) add(x float64) { j.values = append(j.values, x) }

// stderr returns the standard error √(n/(n-1) Σ(x_k - x̄)²) of a sum over n items that is x_k without the
// k-th item. A mean without an item changes n/(n-1) times as much, relative to its size, so that the usual
// factor of a jackknife of means is (n-1)/n. The standard error is infinite for a single item.
func (j *jackknife) stderr() float64 {
	n := float64(len(j.values))
	if n < 2 {
		return math.Inf(1)
	}
	_, squares := statistics.Deviations(j.values, func(x float64) float64 { return x })
	return math.Sqrt(n / (n - 1) * squares)
}

// quantile returns the 97.5 % quantile of Student's t distribution for confidence intervals of the statistic.
func (j *jackknife) quantile() float64 {
	if len(j.values) < 2 {
		return 1
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(j.values) - 1)}.Quantile(0.975)
}

// Scores describes the matrix W_QᵀW_K of an attention head by scores x_iᵀ(βI + SG)x_j of unit tokens x_i and
// x_j, with a Gaussian matrix G.
type Scores struct {
	_      struct{} `meaning:"number β of the attention scores x_iᵀ(βI + SG)x_j of unit tokens, from the"`
	_      struct{} `meaning:"part of W_QᵀW_K along the identity, in tokens as the norm leaves them"`
	Beta   Estimate `column:"beta"`
	_      struct{} `meaning:"number S of the attention scores x_iᵀ(βI + SG)x_j of unit tokens, from W_QᵀW_K"`
	_      struct{} `meaning:"without its part along the identity"`
	Spread Estimate `column:"spread"`
}

// scores estimates β and the spread S of an attention head from the product of W_Qᵀ and W_K. The argument
// square is the mean square of the entries of the tokens.
func (p product) scores(square float64) Scores {
	all := p.all()
	inner, _ := p.left.Dims()
	scale, d := square/math.Sqrt(float64(inner)), float64(p.dim)
	beta := func(s sums) float64 { return scale * s.trace }
	spread2 := func(s sums) float64 {
		return scale * scale * d * d * max(0, s.squares-s.trace*s.trace/d) / (d*d - 1)
	}
	betas, spreads := &jackknife{}, &jackknife{}
	for k := range inner {
		rest := p.without(all, k)
		betas.add(beta(rest))
		spreads.add(spread2(rest))
	}
	t := betas.quantile()
	spread := around(spread2(all), spreads.stderr(), t)
	return Scores{Beta: around(beta(all), betas.stderr(), t),
		Spread: Estimate{math.Sqrt(spread.Value), math.Sqrt(max(0, spread.Low)), math.Sqrt(spread.High)}}
}
