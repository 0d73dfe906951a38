package spectrum

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// MaxRatio is the largest allowed ratio c_i of a Product, and 1/MaxRatio is the smallest.
const MaxRatio = 1e6

// Product is the limit law of the squared singular values of a product M₁M₂…M_n of large independent random
// matrices with independent entries: the free multiplicative convolution of Marchenko-Pastur laws. The ratio
// c_i of M_i is the number of rows of the product divided by the number of columns of M_i. The law counts as
// many values as the product has rows, so it includes an atom at 0.
//
// The S-transform of a Product is Π 1/(1+c_i z) for mean 1. Hence u = ψ(1/x), where ψ is the generating
// function of the moments, satisfies
//
//	x = (1+u) Π (1+c_i u)/u,
//
// and the density of the law at a real x is |Im u|/(πx). The points u in the upper half-plane with real x
// form a curve. The angle θ of u is a coordinate on this curve: arg(1+u) + Σ arg(1+c_i u) = θ. As the left
// side grows with |u|, the curve has one point u for each θ in (0, π). As θ grows from 0 to π, x falls from
// the upper to the lower end of the support.
type Product struct {
	mean    float64
	factors []factor // 1+u and all 1+c_i u, the largest ratio first
}

// factor is a factor (1+ratio·u)^count of the equation of a Product.
type factor struct {
	ratio float64
	count int
}

// NewProduct returns the limit law of the squared singular values of a product of matrices with the given
// ratios, scaled to the given mean. The order of the ratios does not matter. NewProduct returns an error if
// mean is not positive and finite, if no ratio is given, or if a ratio is not in [1/MaxRatio, MaxRatio].
func NewProduct(mean float64, ratios ...float64) (*Product, error) {
	if !(mean > 0 && mean <= math.MaxFloat64) {
		return nil, fmt.Errorf("spectrum: a mean of %v is not allowed: it must be above 0", mean)
	}
	if len(ratios) == 0 {
		return nil, fmt.Errorf("spectrum: a product of no matrices is not allowed: there must be at least 1")
	}
	p := &Product{mean: mean}
	p.multiply(1)
	for _, c := range ratios {
		if !(c >= 1/MaxRatio && c <= MaxRatio) {
			return nil, fmt.Errorf("spectrum: a ratio of %v is not allowed: it must be from %g to %g",
				c, 1/MaxRatio, MaxRatio)
		}
		p.multiply(c)
	}
	slices.SortFunc(p.factors, func(a, b factor) int { return cmp.Compare(b.ratio, a.ratio) })
	return p, nil
}

func (p *Product) multiply(ratio float64) {
	k := slices.IndexFunc(p.factors, func(f factor) bool { return f.ratio == ratio })
	if k < 0 {
		k, p.factors = len(p.factors), append(p.factors, factor{ratio: ratio})
	}
	p.factors[k].count++
}

// Mean returns the mean of the law of the squared singular values.
func (p *Product) Mean() float64 { return p.mean }

// Atom returns the mass of the law at 0: 1-1/c if the largest ratio c is above 1, and otherwise 0.
func (p *Product) Atom() float64 { return 1 - 1/p.factors[0].ratio }

// Support returns the ends of the support of the continuous part of the law. The lower end is 0 if the
// largest of the numbers 1, c_1, c_2, ... occurs more than once.
func (p *Product) Support() (low, high float64) {
	far := 1 / p.factors[0].ratio
	for p.slope(far) < 0 {
		far *= 2
	}
	high = p.end(quadrature.Bisect(p.slope, 0, far))
	if p.factors[0].count == 1 {
		low = p.end(quadrature.Bisect(p.slope, -1/p.factors[1].ratio, -1/p.factors[0].ratio))
	}
	return low, high
}

// slope returns the derivative d log x/d log u = Σ cu/(1+cu) - 1 at a real u, where the sum is over all
// factors 1+cu.
func (p *Product) slope(u float64) float64 {
	sum := -1.0
	for _, f := range p.factors {
		cu := float64(f.ratio * u)
		sum += float64(float64(f.count) * cu / (1 + cu))
	}
	return sum
}

// end returns |x| at a real u, where x is the value of the law that belongs to u.
func (p *Product) end(u float64) float64 {
	x := p.mean / math.Abs(u)
	for _, f := range p.factors {
		for range f.count {
			x = float64(x * math.Abs(1+float64(f.ratio*u)))
		}
	}
	return x
}

// point is the point u = r(-cos δ + i sin δ) of the curve of a Product, with δ = π-θ. Near x = 0, cu is close
// to -1 for the largest ratio c, so 1+cu is computed from δ and w = 1-cr to avoid cancellation.
type point struct {
	angle, w          float64 // the angle δ and w = 1-cr
	sin, cos, oneLess float64 // sin δ, cos δ and 1-cos δ
	radius, logarithm float64 // |u| = r, and log x minus the logarithm of the mean
}

// shifted returns the real and the imaginary part of 1+au for a = share·c, where c is the largest ratio.
func (q *point) shifted(share float64) (re, im float64) {
	return (1 - share) + float64(share*(q.oneLess+float64(q.w*q.cos))), float64(share * (1 - q.w) * q.sin)
}

// at returns the point of the curve at the angle δ in (0, π).
func (p *Product) at(angle float64) *point {
	q := &point{angle: angle}
	q.sin, q.cos = elementary.SinCos(angle)
	half, _ := elementary.SinCos(0.5 * angle)
	q.oneLess = 2 * float64(half*half)
	largest := p.factors[0].ratio
	deficit := func(w float64) (value, slope float64) { // θ minus the sum of the angles
		q.w = w
		value = math.Pi - angle
		for _, f := range p.factors {
			share, count := f.ratio/largest, float64(f.count)
			re, im := q.shifted(share)
			value -= float64(count * elementary.Atan2(im, re))
			slope += float64(count * share * q.sin / (float64(re*re) + float64(im*im)))
		}
		return value, slope
	}
	low := -1.0
	for {
		if value, _ := deficit(low); value <= 0 {
			break
		}
		low *= 2
	}
	q.w = quadrature.Newton(deficit, low, 1)
	q.radius = (1 - q.w) / largest
	q.logarithm = -elementary.Log(q.radius)
	for _, f := range p.factors {
		re, im := q.shifted(f.ratio / largest)
		q.logarithm += float64(0.5 * float64(f.count) * elementary.Log(float64(re*re)+float64(im*im)))
	}
	return q
}

// ascent returns the derivative d log x/dδ along the curve. With u d log x/du = a+ib and real log x, this
// derivative is (a²+b²)/b.
func (p *Product) ascent(q *point) float64 {
	a, b := -1.0, 0.0
	for _, f := range p.factors {
		share, count := f.ratio/p.factors[0].ratio, float64(f.count)
		re, im := q.shifted(share)
		squared := float64(re*re) + float64(im*im)
		size := float64(share * (1 - q.w)) // |cu|; and less is |cu|-cos δ
		less := q.oneLess - float64(share*q.w) - (1 - share)
		a += float64(count * size * less / squared)
		b += float64(count * im / squared)
	}
	return (float64(a*a) + float64(b*b)) / b
}

// find returns the point of the curve that belongs to a value x inside the support of the law.
func (p *Product) find(x float64) *point {
	logarithm := elementary.Log(x / p.mean)
	return p.at(quadrature.Newton(func(angle float64) (value, slope float64) {
		q := p.at(angle)
		return q.logarithm - logarithm, p.ascent(q)
	}, 0, math.Pi))
}

// Density returns the density at x of the continuous part of the law; x must be 0 or at least 1e-100 of the
// mean. The density is 0 outside the support, and +Inf at x = 0 if 0 is the lower end of the support.
func (p *Product) Density(x float64) float64 {
	low, high := p.Support()
	switch {
	case x == 0 && low == 0:
		return math.Inf(1)
	case !(x > low && x < high):
		return 0
	}
	q := p.find(x)
	return float64(q.radius*q.sin) / float64(math.Pi*x)
}

// Distribution returns the probability of a value at most x, including the atom at 0. The integral of the
// density has a closed form on the curve: ∫ Im u d log x is Im[nu - log(1+u) - Σ log(1+c_i u)/c_i].
func (p *Product) Distribution(x float64) float64 {
	low, high := p.Support()
	switch {
	case x < 0:
		return 0
	case x <= low:
		return p.Atom()
	case x >= high:
		return 1
	}
	q := p.find(x)
	above := 0.0 // probability above x, times π
	for _, f := range p.factors {
		re, im := q.shifted(f.ratio / p.factors[0].ratio)
		above += float64(float64(f.count) * (elementary.Atan2(im, re) / f.ratio))
	}
	return 1 - (above-float64(float64(p.matrices())*q.radius*q.sin))/math.Pi
}

// matrices returns the number n of matrices of the product.
func (p *Product) matrices() int {
	n := -1
	for _, f := range p.factors {
		n += f.count
	}
	return n
}

// Variance returns the variance of the law: the square of the mean times the sum of the ratios.
func (p *Product) Variance() float64 {
	sum := -1.0
	for _, f := range p.factors {
		sum += float64(float64(f.count) * f.ratio)
	}
	return float64(sum * p.mean * p.mean)
}
