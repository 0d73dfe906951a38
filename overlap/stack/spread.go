package stack

import (
	"math"

	"antipode/sphere/elementary"
)

// quantile is that of the normal law of a band which 99 in a hundred networks are in.
const quantile = 2.575829303548901

// A network of finite size has a geometry of its own, which differs from the mean over networks. Most of it
// is in the common part of the tokens, m = Σx/T, of which M = |m|²/d has d degrees of freedom, while the
// differences D = Σ|x-m|²/(d(T-1)) have T-1 times as many. They are followed to first order as if all
// tokens were alike: given its hidden layer, the output of a branch has d independent normal coordinates,
// and a sum skip·x + output has squared norms of variances (4 skip² M κ + 2κ²)/d for an output of κ. The
// hidden layer adds that of κ: of values 2κ²/d, of an MLP the variance of a neuron's share over the width.
// LayerNorm behind a branch leaves of these what does not move the norm of its output.
//
// M/D decides the cosine, (M - D/T)/(M + D - D/T).

// parts are M and D of a stream or a branch's output, as if tokens were alike.
type parts struct{ common, differences float64 }

func (k *Stack) parts(square, inner float64) parts {
	t := float64(k.shape.Tokens)
	gap := max(square-inner, 0)
	return parts{inner + gap/t, gap}
}

func (k *Stack) partsOf(x gram) parts {
	return k.parts(k.groups.meanSquare(x.square), k.groups.mean(x.inner))
}

// moved is a cosine after log M/D has moved.
func (k *Stack) moved(cosine, by float64) float64 {
	t := float64(k.shape.Tokens)
	p := k.parts(1, cosine)
	if p.differences == 0 {
		return cosine
	}
	ratio := float64(p.common / p.differences * elementary.Exp(by))
	if math.IsInf(ratio, 1) {
		return 1
	}
	return (ratio - 1/t) / (ratio + 1 - 1/t)
}

// covariance of log M and log D.
type covariance struct{ common, both, differences float64 }

// ratio is the variance of log M/D.
func (c covariance) ratio() float64 { return max(0, c.common-2*c.both+c.differences) }

// spreads are the standard deviations of log M/D after each layer, from the input on.
func (k *Stack) spreads(all [][2]branch, streams []gram) []float64 {
	d, others := float64(k.shape.Dim), float64(k.shape.Tokens-1)
	freedom := d
	if f := float64(k.shape.Input.Features); f > 0 {
		freedom = d * f / (d + f)
	}
	c := covariance{common: 2 / freedom, differences: 2 / (freedom * others)}
	if k.shape.Input.Fixed {
		c = covariance{}
	}
	deviations := []float64{math.Sqrt(c.ratio())}
	for _, layer := range all {
		for b := range layer {
			c = k.advance(c, &layer[b], b == 1)
		}
		deviations = append(deviations, math.Sqrt(c.ratio()))
	}
	return deviations
}

// advance takes a covariance past a branch.
func (k *Stack) advance(c covariance, b *branch, isMLP bool) covariance {
	t := float64(k.shape.Tokens)
	x, y := k.partsOf(b.before).times(b.skip2), k.partsOf(b.output).times(b.strength2)
	sum := parts{x.common + y.common, x.differences + y.differences}
	if !(sum.common > 0 && sum.differences > 0 && y.common > 0 && y.differences > 0) {
		return covariance{}
	}
	next := c.through(x, y, sum, k.slope(b, isMLP))
	cross, own := k.noise(b)
	inside := k.values(b).over(parts{b.share(y.common), b.share(y.differences)})
	if isMLP {
		inside = k.neurons(k.groups.mean(b.input.inner))
	}
	if k.shape.Norm == PeriNorm { // what moves the norm of the output is taken back
		own = own.over(y).normalised(y, t).times(y)
		inside = inside.normalised(y, t)
	}
	n := cross.plus(own).over(sum)
	next = covariance{next.common + n.common, next.both + n.both, next.differences + n.differences}
	share := parts{y.common / sum.common, y.differences / sum.differences}
	next.common += float64(share.common * share.common * inside.common)
	next.both += float64(share.common * share.differences * inside.both)
	next.differences += float64(share.differences * share.differences * inside.differences)
	if k.shape.Norm != PostNorm {
		return next
	}
	return next.normalised(sum, t)
}

// share is a part of the output without the strength of the branch.
func (b *branch) share(part float64) float64 {
	return part / max(b.strength2, math.SmallestNonzeroFloat64)
}

func (p parts) times(factor float64) parts {
	return parts{float64(factor * p.common), float64(factor * p.differences)}
}

// through is the covariance of log M and log D of a sum x + y, of which y depends on the log M/D of x with
// that slope.
func (c covariance) through(x, y, sum, slope parts) covariance {
	pull := parts{y.common * slope.common / sum.common, y.differences * slope.differences / sum.differences}
	mm, md := x.common/sum.common+pull.common, -pull.common
	dm, dd := pull.differences, x.differences/sum.differences-pull.differences
	mixed := float64(mm*dd) + float64(md*dm)
	return covariance{
		common:      float64(mm*mm*c.common) + float64(2*mm*md*c.both) + float64(md*md*c.differences),
		both:        float64(mm*dm*c.common) + float64(mixed*c.both) + float64(md*dd*c.differences),
		differences: float64(dm*dm*c.common) + float64(2*dm*dd*c.both) + float64(dd*dd*c.differences),
	}
}

// over is the covariance of logarithms, of that of numbers.
func (c covariance) over(p parts) covariance {
	return covariance{c.common / float64(p.common*p.common), c.both / float64(p.common*p.differences),
		c.differences / float64(p.differences*p.differences)}
}

// normalised is the covariance after LayerNorm: log M and log D less the log of their sum.
func (c covariance) normalised(sum parts, tokens float64) covariance {
	weight := sum.common / (sum.common + float64(sum.differences*(tokens-1)/tokens))
	r, rest := c.ratio(), 1-weight
	return covariance{float64(rest * rest * r), float64(-weight * rest * r), float64(weight * weight * r)}
}

// noise is the covariance of M and D of a sum of a stream and an output that is normal given its hidden
// layer: what comes of both, and of the output alone.
func (k *Stack) noise(b *branch) (cross, own covariance) {
	x, y := b.before.plus(b.skip2, 0, b.before), b.output.plus(b.strength2, 0, b.output)
	cross, own = k.moments(x, y), k.moments(y, y)
	cross = covariance{float64(4 * cross.common), float64(4 * cross.both), float64(4 * cross.differences)}
	own = covariance{float64(2 * own.common), float64(2 * own.both), float64(2 * own.differences)}
	return cross, own
}

func (c covariance) plus(other covariance) covariance {
	return covariance{c.common + other.common, c.both + other.both, c.differences + other.differences}
}

// times is over, back again.
func (c covariance) times(p parts) covariance {
	return covariance{float64(c.common * p.common * p.common), float64(c.both * p.common * p.differences),
		float64(c.differences * p.differences * p.differences)}
}

// values is the covariance of M and D of attention's output that comes from value weights.
func (k *Stack) values(b *branch) covariance {
	own := k.moments(b.output, b.output)
	return covariance{2 * own.common, 2 * own.both, 2 * own.differences}
}

// moments are, over d, products of what two geometries X and Y have along the mean of tokens and across it:
// with 1/T for the mean and H for what is left, (1ᵀX1)(1ᵀY1)/T⁴, 1ᵀXHY1/(T²(T-1)) and tr HXHY/(T-1)².
func (k *Stack) moments(x, y gram) covariance {
	t, d := float64(k.shape.Tokens), float64(k.shape.Dim)
	rowsX, rowsY := k.groups.rowSums(x), k.groups.rowSums(y)
	sumX, sumY, both := 0.0, 0.0, 0.0
	for i, n := range k.groups.count {
		sumX += float64(n * rowsX[i])
		sumY += float64(n * rowsY[i])
		both += float64(n * rowsX[i] * rowsY[i])
	}
	all := float64(sumX*sumY) / float64(t*t)
	across := k.groups.product(x, y) - 2*both/t + all
	return covariance{all / float64(d*t*t), (both - float64(all*t)) / float64(d*t*t*(t-1)),
		across / float64(d*(t-1)*(t-1))}
}

// rowSums are of each group's tokens the sums of their inner products with all tokens.
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

// slope is the derivative of log κ of a branch's output by log M/D of its input, of which the cosines of all
// pairs move.
func (k *Stack) slope(b *branch, isMLP bool) parts {
	const step = 1e-3
	before, after := k.outputAt(b.input, -step, isMLP), k.outputAt(b.input, step, isMLP)
	logarithm := func(x, y float64) float64 {
		if !(x > 0 && y > 0) {
			return 0
		}
		return elementary.Log(y/x) / (2 * step)
	}
	return parts{logarithm(before.common, after.common), logarithm(before.differences, after.differences)}
}

// outputAt is what a branch makes of normalised tokens whose log M/D has moved.
func (k *Stack) outputAt(x gram, by float64, isMLP bool) parts {
	moved := newGram(len(x.square))
	for i := range x.square {
		moved.square[i] = 1
		for j := range x.square {
			moved.inner[i][j] = k.moved(x.inner[i][j], by)
		}
	}
	var out gram
	if isMLP {
		out = k.mlp(moved)
	} else {
		out, _ = k.attention(moved)
	}
	if k.shape.Norm == PeriNorm {
		out = out.normalised()
	}
	return k.partsOf(out)
}

// neurons is the covariance of log κ of both parts of the output of an MLP that comes from its finite width:
// over neurons of F² and G, the square of the mean over tokens of a hidden number and its variance.
func (k *Stack) neurons(rho float64) covariance {
	h := k.hidden
	rho = h.correlation(max(rho, 0))
	common, own := math.Sqrt(float64(h.variance*rho)), math.Sqrt(float64(h.variance*(1-rho)))
	var f2, f4, s, s2, cross float64 // moments of F² and of E[φ²|g]
	for i, g := range normal.x {
		mean, square := 0.0, 0.0
		for j, e := range normal.x {
			v := h.phi(float64(common*g) + float64(own*e))
			mean += float64(normal.weight[j] * v)
			square += float64(normal.weight[j] * v * v)
		}
		w, m2 := normal.weight[i], float64(mean*mean)
		f2 += float64(w * m2)
		f4 += float64(w * m2 * m2)
		s += float64(w * square)
		s2 += float64(w * square * square)
		cross += float64(w * m2 * square)
	}
	if h.gated { // times a normal number v of common variance a and own variance b
		a, b := float64(common*common), float64(own*own)
		// F² gets g²a, E[φ²|g] gets g²a + b
		mean2 := float64(3*a*a) + float64(2*a*b) + float64(b*b)
		f2, f4, s, s2 = float64(a*f2), float64(3*a*a*f4), float64((a+b)*s), float64(mean2*s2)
		cross = float64((float64(3*a*a) + float64(a*b)) * cross)
	}
	// with T tokens M is F² + G/T, D is G = S - F²
	t, width := float64(k.shape.Tokens), float64(k.shape.Width)
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

// normal are points and weights of the trapezoidal rule for a standard normal number.
var normal = func() (rule struct{ x, weight []float64 }) {
	const step, reach = 0.35, 7
	for k := -reach / step; k <= reach/step; k++ {
		x := float64(k * step)
		rule.x = append(rule.x, x)
		rule.weight = append(rule.weight, step/math.Sqrt(2*math.Pi)*elementary.Exp(-0.5*x*x))
	}
	return rule
}()
