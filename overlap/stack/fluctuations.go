package stack

import (
	"math"

	"antipode/sphere/elementary"
)

// quantile is the quantile of the standard normal law for a two-sided band with probability 99 %.
const quantile = 2.575829303548901

// The geometry of the tokens in a network of finite size differs randomly from the mean geometry over
// networks. Most of the fluctuation is in the mean m = Σx/T of the T tokens x: M = |m|²/d has d degrees of
// freedom, while the differences D = Σ|x-m|²/(d(T-1)) have d(T-1) degrees of freedom. The fluctuations of M
// and D are propagated to first order as if all tokens had the same geometry. Given the hidden layer of a
// branch (attention or MLP), the output of the branch has d independent normal coordinates. For a branch
// output of squared norm κ, the squared norm of the sum skip·x + output has the variance (4 skip² M κ +
// 2κ²)/d. The hidden layer adds the variance of κ: for attention 2κ²/d and a part due to the weights of
// rows, and for an MLP the variance of the contribution of one neuron, divided by the width. LayerNorm after
// a branch removes those fluctuations that change only the norm of the branch output.
//
// The mean cosine of different tokens is (M - D/T)/(M + D - D/T), and so depends only on M/D.

// components holds M (common) and D (differences) of the tokens of a stream or of a branch output: the
// squared norm of the mean of the tokens, and the mean squared difference of tokens from their mean, both
// divided by d.
type components struct{ common, differences float64 }

func (k *Stack) components(square, inner float64) components {
	t := float64(k.architecture.Tokens)
	gap := max(square-inner, 0)
	return components{inner + gap/t, gap}
}

func (k *Stack) componentsOf(x gram) components {
	return k.components(k.groups.meanSquare(x.square), k.groups.mean(x.inner))
}

// shiftedCosine returns the mean cosine of tokens after log M/D has increased by the given amount.
func (k *Stack) shiftedCosine(cosine, by float64) float64 {
	t := float64(k.architecture.Tokens)
	p := k.components(1, cosine)
	if p.differences == 0 {
		return cosine
	}
	ratio := float64(p.common / p.differences * elementary.Exp(by))
	if math.IsInf(ratio, 1) {
		return 1
	}
	return (ratio - 1/t) / (ratio + 1 - 1/t)
}

// shifted returns the geometry of tokens of geometry x after log M/D has increased by the given amount, with
// the same norms.
func (k *Stack) shifted(x gram, by float64) gram {
	moved := newGram(len(x.square))
	for i := range x.square {
		moved.square[i] = x.square[i]
		for j := range x.square {
			root := math.Sqrt(float64(x.square[i] * x.square[j]))
			moved.inner[i][j] = float64(root * k.shiftedCosine(x.inner[i][j]/root, by))
		}
	}
	return moved
}

// covariance is the covariance matrix of log M and log D over networks, or of M and D.
type covariance struct{ common, cross, differences float64 }

// ofLogRatio returns the variance over networks of log M/D, where M is the squared norm of the mean token and
// D the mean squared difference of tokens from their mean.
func (c covariance) ofLogRatio() float64 { return max(0, c.common-2*c.cross+c.differences) }

// logRatioDeviations returns the standard deviations of log M/D at the input and after each layer.
func (k *Stack) logRatioDeviations(all [][2]branch, streams []gram) []float64 {
	d, others := float64(k.architecture.Dim), float64(k.architecture.Tokens-1)
	freedom := d
	if f := float64(k.architecture.Input.Features); f > 0 {
		freedom = d * f / (d + f)
	}
	c := covariance{common: 2 / freedom, differences: 2 / (freedom * others)}
	if k.architecture.Input.Fixed {
		c = covariance{}
	}
	deviations := []float64{math.Sqrt(c.ofLogRatio())}
	for _, layer := range all {
		for b := range layer {
			c = k.propagateFluctuations(c, &layer[b], b == 1)
		}
		deviations = append(deviations, math.Sqrt(c.ofLogRatio()))
	}
	return deviations
}

// propagateFluctuations propagates the covariance of log M and log D through a branch (attention or MLP) and
// the skip connection parallel to the branch.
func (k *Stack) propagateFluctuations(c covariance, b *branch, isMLP bool) covariance {
	t := float64(k.architecture.Tokens)
	x, y := k.componentsOf(b.before).times(b.skip2), k.componentsOf(b.output).times(b.strength2)
	sum := components{x.common + y.common, x.differences + y.differences}
	if !(sum.common > 0 && sum.differences > 0) {
		return covariance{}
	}
	next := c.linearised(x, y, sum, k.outputSensitivity(b, isMLP))
	cross, own := k.outputCovariance(b)
	output := components{b.share(y.common), b.share(y.differences)}
	var inside covariance
	if isMLP {
		inside = k.widthCovariance(k.groups.mean(b.input.inner))
	} else {
		before := 1.
		if k.architecture.Norm == PeriNorm {
			before = k.groups.meanSquare(b.raw)
		}
		inside = k.valueCovariance(b).ofLogarithms(output).plus(k.rowCovariance(b, output.times(before)))
	}
	if k.architecture.Norm == PeriNorm { // LayerNorm removes changes of the norm
		own = own.ofLogarithms(y).normalised(y, t).ofComponents(y)
		inside = inside.normalised(y, t)
	}
	n := cross.plus(own).ofLogarithms(sum)
	next = covariance{next.common + n.common, next.cross + n.cross, next.differences + n.differences}
	share := components{y.common / sum.common, y.differences / sum.differences}
	next.common += float64(share.common * share.common * inside.common)
	next.cross += float64(share.common * share.differences * inside.cross)
	next.differences += float64(share.differences * share.differences * inside.differences)
	if k.architecture.Norm != PostNorm {
		return next
	}
	return next.normalised(sum, t)
}

// share returns part, a component of the branch output, divided by the squared strength of the branch.
func (b *branch) share(part float64) float64 {
	return part / max(b.strength2, math.SmallestNonzeroFloat64)
}

func (p components) times(factor float64) components {
	return components{float64(factor * p.common), float64(factor * p.differences)}
}

// linearised returns, to first order, the covariance of log M and log D of the sum of a stream x and a branch
// output y, given the covariance c of log M and log D of x. M and D of y depend on M/D of x: slope holds the
// derivatives of log M and log D of y with respect to log M/D of x.
func (c covariance) linearised(x, y, sum, slope components) covariance {
	pull := components{
		y.common * slope.common / sum.common, y.differences * slope.differences / sum.differences,
	}
	mm, md := x.common/sum.common+pull.common, -pull.common
	dm, dd := pull.differences, x.differences/sum.differences-pull.differences
	mixed := float64(mm*dd) + float64(md*dm)
	return covariance{
		common:      float64(mm*mm*c.common) + float64(2*mm*md*c.cross) + float64(md*md*c.differences),
		cross:       float64(mm*dm*c.common) + float64(mixed*c.cross) + float64(md*dd*c.differences),
		differences: float64(dm*dm*c.common) + float64(2*dm*dd*c.cross) + float64(dd*dd*c.differences),
	}
}

// ofLogarithms converts a covariance of M and D, whose means are p, to a covariance of log M and log D.
// Where a mean is 0, nothing fluctuates, and the result is 0.
func (c covariance) ofLogarithms(p components) covariance {
	over := func(x, square float64) float64 {
		if square == 0 {
			return 0
		}
		return x / square
	}
	return covariance{
		common:      over(c.common, float64(p.common*p.common)),
		cross:       over(c.cross, float64(p.common*p.differences)),
		differences: over(c.differences, float64(p.differences*p.differences)),
	}
}

// normalised returns the covariance of log M and log D after LayerNorm, which divides M and D by the mean
// squared norm of the tokens.
func (c covariance) normalised(sum components, tokens float64) covariance {
	weight := sum.common / (sum.common + float64(sum.differences*(tokens-1)/tokens))
	r, rest := c.ofLogRatio(), 1-weight
	return covariance{float64(rest * rest * r), float64(-weight * rest * r), float64(weight * weight * r)}
}

// outputCovariance returns the covariance of M and D of the sum of a stream and a branch output, which is
// normal given the hidden layer of the branch. The result cross is the part of the covariance due to products
// of stream and output; own is the part due to the output alone.
func (k *Stack) outputCovariance(b *branch) (cross, own covariance) {
	x, y := b.before.plus(b.skip2, 0, b.before), b.output.plus(b.strength2, 0, b.output)
	cross, own = k.moments(x, y), k.moments(y, y)
	cross = covariance{float64(4 * cross.common), float64(4 * cross.cross), float64(4 * cross.differences)}
	own = covariance{float64(2 * own.common), float64(2 * own.cross), float64(2 * own.differences)}
	return cross, own
}

func (c covariance) plus(other covariance) covariance {
	return covariance{c.common + other.common, c.cross + other.cross, c.differences + other.differences}
}

// ofComponents converts a covariance of log M and log D to a covariance of M and D, whose means are p.
func (c covariance) ofComponents(p components) covariance {
	return covariance{float64(c.common * p.common * p.common), float64(c.cross * p.common * p.differences),
		float64(c.differences * p.differences * p.differences)}
}

// valueCovariance returns the covariance of M and D of the attention output due to the random value weights.
func (k *Stack) valueCovariance(b *branch) covariance {
	own := k.moments(b.output, b.output)
	return covariance{2 * own.common, 2 * own.cross, 2 * own.differences}
}

// moments returns products of two Gram matrices X and Y of T tokens along the mean of the tokens and
// orthogonal to the mean, divided by d: (1ᵀX1)(1ᵀY1)/T⁴, 1ᵀXHY1/(T²(T-1)) and tr HXHY/(T-1)², where H = I -
// 11ᵀ/T.
func (k *Stack) moments(x, y gram) covariance {
	t, d := float64(k.architecture.Tokens), float64(k.architecture.Dim)
	rowsX, rowsY := k.groups.rowSums(x), k.groups.rowSums(y)
	sumX, sumY, both := 0.0, 0.0, 0.0
	for i, n := range k.groups.count {
		sumX += float64(n * rowsX[i])
		sumY += float64(n * rowsY[i])
		both += float64(n * rowsX[i] * rowsY[i])
	}
	all := float64(sumX*sumY) / float64(t*t)
	across := k.groups.frobenius(x, y) - 2*both/t + all
	return covariance{all / float64(d*t*t), (both - float64(all*t)) / float64(d*t*t*(t-1)),
		across / float64(d*(t-1)*(t-1))}
}

// rowSums returns, for a token of each group, the sum of the inner products of the token with all tokens.
func (g *groups) rowSums(x gram) []float64 {
	sums := make([]float64, len(g.count))
	for i := range g.count {
		sums[i] = x.square[i] - x.inner[i][i]
		for j, m := range g.count {
			sums[i] += float64(m * x.inner[i][j])
		}
	}
	return sums
}

// outputSensitivity returns the derivatives of log M and log D of a branch output with respect to log M/D of
// the tokens that the branch reads, where the cosines of all pairs of tokens change together.
func (k *Stack) outputSensitivity(b *branch, isMLP bool) components {
	const step = 1e-3
	before, after := k.outputAt(b, -step, isMLP), k.outputAt(b, step, isMLP)
	logarithm := func(x, y float64) float64 {
		if !(x > 0 && y > 0) {
			return 0
		}
		return elementary.Log(y/x) / (2 * step)
	}
	return components{
		logarithm(before.common, after.common), logarithm(before.differences, after.differences),
	}
}

// outputAt returns M and D of the branch output for tokens of geometry x whose log M/D has
// increased by the given amount.
func (k *Stack) outputAt(b *branch, by float64, isMLP bool) components {
	moved := k.shifted(b.input, by)
	var out gram
	if isMLP {
		out = k.mlp(moved, b.freedom)
	} else {
		out, _ = k.attention(moved, b.freedom)
	}
	if k.architecture.Norm == PeriNorm {
		out = out.normalised()
	}
	return k.componentsOf(out)
}

// widthCovariance returns the covariance of log M and log D of an MLP output due to the finite width of the
// MLP, for tokens of cosine rho. The covariance follows from the covariance over neurons of F² and G, where F
// is the mean and G the variance, over tokens, of a hidden activation.
func (k *Stack) widthCovariance(rho float64) covariance {
	h := k.hidden
	rho = h.correlation(max(rho, 0))
	common, own := math.Sqrt(float64(h.variance*rho)), math.Sqrt(float64(h.variance*(1-rho)))
	var f2, f4, s, s2, cross float64 // moments of F² and of E[φ²|g], given the common part g
	for i, g := range normalRule.x {
		mean, square := 0.0, 0.0
		for j, e := range normalRule.x {
			v := h.phi(float64(common*g) + float64(own*e))
			mean += float64(normalRule.weight[j] * v)
			square += float64(normalRule.weight[j] * v * v)
		}
		w, m2 := normalRule.weight[i], float64(mean*mean)
		f2 += float64(w * m2)
		f4 += float64(w * m2 * m2)
		s += float64(w * square)
		s2 += float64(w * square * square)
		cross += float64(w * m2 * square)
	}
	if h.gated { // times a normal variable with common variance a and individual variance b
		a, b := float64(common*common), float64(own*own)
		// F² is multiplied by g²a, and E[φ²|g] by g²a + b.
		mean2 := float64(3*a*a) + float64(2*a*b) + float64(b*b)
		f2, f4, s, s2 = float64(a*f2), float64(3*a*a*f4), float64((a+b)*s), float64(mean2*s2)
		cross = float64((float64(3*a*a) + float64(a*b)) * cross)
	}
	// For T tokens, M is F² + G/T and D is G = S - F².
	t, width := float64(k.architecture.Tokens), float64(k.architecture.Width)
	gap := s - f2
	m := f2 + gap/t
	varF, varS, cov := f4-float64(f2*f2), s2-float64(s*s), cross-float64(f2*s)
	varG, covFG := varS+varF-2*cov, cov-varF
	varM, covMG := varF+2*covFG/t+varG/float64(t*t), covFG+varG/t
	if !(m > 0 && gap > 0) {
		return covariance{}
	}
	return covariance{varM / float64(width*m*m), covMG / float64(width*m*gap), varG / float64(width*gap*gap)}
}

// normalRule holds the points and weights of the trapezoidal rule for a standard normal variable.
var normalRule = func() (rule struct{ x, weight []float64 }) {
	const step, reach = 0.35, 7
	for k := -reach / step; k <= reach/step; k++ {
		x := float64(k * step)
		rule.x = append(rule.x, x)
		rule.weight = append(rule.weight, step/math.Sqrt(2*math.Pi)*elementary.Exp(-0.5*x*x))
	}
	return rule
}()
