package overlap

import (
	"fmt"
	"math"

	"antipode/overlap/internal/interval"
	"antipode/overlap/internal/line"
)

// An Enclosure is an interval that is proved to contain a probability: the interval accounts for all
// truncation and rounding errors.
type Enclosure struct{ Low, High float64 }

// The largest parameters for which enclosures are available.
const (
	LargestCertifiedDim  = 100
	LargestCertifiedBeta = 20
)

// CertifyUniform returns an enclosure of AntipodalUniform for two tokens, or two clusters of equal mass,
// under value matrices with independent entries. The probability to become antipodal depends neither on the
// attention nor on the standard deviation σ of the value matrices. The enclosure of the probability is
// narrower than 1e-12. If interval arithmetic cannot decide whether the end -1 attracts, the enclosure is [0,
// 1]. CertifyUniform returns an error if dim is above LargestCertifiedDim, if beta is above
// LargestCertifiedBeta, or if New returns an error for dim and beta.
//
// With h' = (d-2)/cosh(β(1-z)) + z, u = atanh z, and G(u) the probability that the overlap starts below tanh
// u, the probability to become antipodal is
//
//	∫ G e^(-h) du / ∫ e^(-h) du.
//
// CertifyUniform computes the integrals of G e^(-h) and e^(-h) from Taylor series on cells. The remainder of
// a Taylor series is its last coefficient, enclosed over the whole cell (Moore, Interval Analysis, 1966). As
// h' increases with u, the slope h' beyond the outermost cell lies between its value at the edge of this cell
// and its limit.
func CertifyUniform(dim int, beta float64) (Enclosure, error) { return certify(dim, beta, math.NaN()) }

// CertifyFrom returns an enclosure of AntipodalFrom(z0) for z0 in (-1, 1); see CertifyUniform.
func CertifyFrom(dim int, beta, z0 float64) (Enclosure, error) {
	if !(z0 > -1 && z0 < 1) {
		return Enclosure{}, fmt.Errorf("overlap: z0 = %v is not allowed: it must be between -1 and 1", z0)
	}
	return certify(dim, beta, z0)
}

// certify computes the enclosure of CertifyFrom or, if z0 is NaN, that of CertifyUniform.
func certify(dim int, beta, z0 float64) (Enclosure, error) {
	if err := checkTokens(dim, beta, Softmax); err != nil {
		return Enclosure{}, err
	}
	if dim > LargestCertifiedDim || beta > LargestCertifiedBeta {
		return Enclosure{}, fmt.Errorf("overlap: no proof for dimension %d and beta %v: "+
			"they may be up to %d and %d", dim, beta, LargestCertifiedDim, LargestCertifiedBeta)
	}
	c := &certificate{dim: dim, beta: interval.Of(beta), point: line.Atanh(z0)}
	u := interval.Of(1).Add(interval.Of(z0)).Div(interval.Of(1).Sub(interval.Of(z0))).Log().Scale(-1)
	c.rounded = u.Sub(interval.Of(c.point)).Abs().High
	end := c.slopeAt(interval.Of(-1))
	switch {
	case end.Low >= 0:
		return Enclosure{0, 0}, nil
	case end.High >= 0:
		return Enclosure{0, 1}, nil
	}
	p := c.probability()
	return Enclosure{max(0, p.Low), min(1, p.High)}, nil
}

// A certificate computes an Enclosure of the probability that two tokens become antipodal.
type certificate struct {
	dim   int
	beta  interval.Interval
	point float64 // u = atanh z of the starting overlap, rounded; NaN for uniform tokens
	// rounded bounds the difference between point and the exact value of atanh z at the start.
	rounded float64
}

// slopeAt encloses the slope h' at overlap z.
func (c *certificate) slopeAt(z interval.Interval) interval.Interval {
	y := c.beta.Mul(interval.Of(1).Sub(z))
	return interval.Of(float64(c.dim - 2)).Mul(y.Sech()).Add(z)
}

// bottom returns a position u = atanh z near the minimum of the function h.
func (c *certificate) bottom() float64 {
	low, high := -certifiedReach, certifiedReach
	for range 30 {
		if u := 0.5 * (low + high); c.slopeAt(interval.Of(u).Tanh()).Low < 0 {
			low = u
		} else {
			high = u
		}
	}
	return high
}

// certifiedReach is the |u|, u = atanh z, beyond which the slope h' is nearly constant.
const certifiedReach = 20.0

// startAt encloses the density of u = atanh z for the overlap z of two uniform tokens. The density of u is
// proportional to cosh^(1-d) u, whose integral over the line is √π Γ((d-1)/2)/Γ(d/2).
func (c *certificate) startAt(u interval.Interval) interval.Interval {
	if !c.uniform() {
		return interval.Of(0)
	}
	half := interval.Of(float64(0.5 * float64(c.dim)))
	whole := interval.LogGammaRatio(half, interval.Of(-0.5)).Exp().Mul(interval.Pi.Sqrt())
	return u.Sech().Log().Mul(interval.Of(float64(c.dim - 1))).Exp().Div(whole)
}

func (c *certificate) uniform() bool { return math.IsNaN(c.point) }

// probability encloses the probability that two tokens become antipodal.
func (c *certificate) probability() interval.Interval {
	u := c.bottom()
	if u == c.point {
		u += 0x1p-20
	}
	below := interval.Of(0)
	if c.uniform() {
		// Walk from 0 to u; half of all pairs of uniform tokens start below overlap 0.
		w := certifiedWalk{certificate: c, density: interval.Of(1), below: interval.Ratio(1, 2), width: 0.1}
		for w.at != u {
			w.step(u)
		}
		below = w.below
	} else if u > c.point {
		below = interval.Of(1)
	}
	var mass, weighted interval.Interval
	for _, direction := range []float64{-1, 1} {
		w := certifiedWalk{certificate: c, at: u, density: interval.Of(1), below: below, width: 0.1}
		w.finish(direction)
		mass, weighted = mass.Add(w.mass), weighted.Add(w.weighted)
	}
	return weighted.Div(mass)
}

// A certifiedWalk holds the values of e^(-h) and G at the current position u, and the integrals of e^(-h) and
// Ge^(-h) up to this position.
type certifiedWalk struct {
	*certificate
	at             float64
	density, below interval.Interval // e^(-h) and G at the current position
	mass, weighted interval.Interval
	width          float64 // half the width of the next cell of the walk
}

// finish walks until the remaining integral of e^(-h) is small, and adds an enclosure of this remaining
// integral. The size of the slope |h'| grows in the direction of the walk.
func (w *certifiedWalk) finish(direction float64) {
	last := w.slopeAt(interval.Of(direction)).Abs()
	for {
		slope := w.slopeAt(interval.Of(w.at).Tanh())
		if direction < 0 {
			slope = slope.Neg()
		}
		if slope.Low > 0 {
			rest := w.density.Div(interval.Interval{Low: slope.Low, High: last.High})
			far := math.Abs(w.at) >= certifiedReach
			if far || !(rest.Width() > float64(0x1p-62*w.mass.Low)) {
				side := interval.Interval{Low: 0, High: w.below.High}
				if direction > 0 {
					side = interval.Interval{Low: w.below.Low, High: 1}
				}
				w.mass, w.weighted = w.mass.Add(rest), w.weighted.Add(rest.Mul(side))
				return
			}
		}
		until := float64(direction * (certifiedReach + 1))
		if ahead := w.point - w.at; direction*ahead > 0 {
			until = w.point
		}
		w.step(until)
		if w.at == w.point {
			w.jump(direction)
		}
	}
}

// jump accounts for the jump of the distribution function G at the starting overlap, whose atanh in float64
// differs slightly from the exact value.
func (w *certifiedWalk) jump(direction float64) {
	sliver := float64(w.density.High * w.rounded * 1.01) // as the slope h' is below d
	w.weighted = w.weighted.Add(interval.Interval{Low: -sliver, High: sliver})
	w.below = interval.Of(max(0, direction))
}

// step crosses one cell of the walk in the direction of the point until, and not beyond this point.
func (w *certifiedWalk) step(until float64) {
	for ; ; w.width *= 0.7 {
		next := w.at + math.Copysign(float64(2*w.width), until-w.at)
		if math.Abs(until-w.at) <= float64(2*w.width) {
			next = until
		}
		if w.pass(next) {
			w.width = min(0.3, 1.3*w.width)
			return
		}
	}
}

// pass crosses the cell of the walk from the current point to b. pass reports false if the Taylor series of
// the cell are too inaccurate.
func (w *certifiedWalk) pass(b float64) bool {
	a := w.at
	c := float64(0.5 * (a + b))
	whole := interval.Interval{Low: min(a, b), High: max(a, b)}
	back, forth := interval.Of(a).Sub(interval.Of(c)), interval.Of(b).Sub(interval.Of(c))
	both := back.Hull(forth)
	steep := w.slopeAt(whole.Tanh()).Mul(both).Abs().High
	startWhole := w.startAt(whole)
	rest := newCellSeries(w.dim, w.beta, whole, interval.Of(-steep).Hull(interval.Of(steep)).Exp(),
		startWhole)
	if size := both.Abs().High; !rest.resolved(size) && size > 1e-3 {
		return false
	}
	near := newCellSeries(w.dim, w.beta, interval.Of(c), interval.Of(1), w.startAt(interval.Of(c)))
	slope, start := near.slope.with(&rest.slope), near.start.with(&rest.start)
	density := near.density.with(&rest.density)
	middle := w.below.Sub(start.integral(back))
	rough := rest.times(middle.Add(startWhole.Mul(both)))
	product := near.times(middle)
	product = product.with(&rough)
	here := w.density.Mul(slope.integral(back).Exp())
	mass := density.integral(forth).Sub(density.integral(back))
	weighted := product.integral(forth).Sub(product.integral(back))
	if b < a {
		mass, weighted = mass.Neg(), weighted.Neg()
	}
	w.mass, w.weighted = w.mass.Add(here.Mul(mass)), w.weighted.Add(here.Mul(weighted))
	w.density = here.Mul(slope.integral(forth).Neg().Exp())
	w.below = middle.Add(start.integral(forth))
	w.at = b
	return true
}
