package overlap

import (
	"math"

	"antipode/overlap/internal/interval"
)

// seriesOrder is the order of the Taylor series on a cell of CertifyUniform. The order must be even.
const seriesOrder = 26

// A powerSeries holds enclosures of the coefficients of (u-c)^k in a Taylor series at the middle c of a cell.
// The coefficient of order seriesOrder gives the remainder, and is enclosed over the whole cell.
type powerSeries [seriesOrder + 1]interval.Interval

// cellSeries holds the Taylor series in u = atanh z of the slope h', of e^(-h), and of the density f of the
// start.
type cellSeries struct{ slope, density, start powerSeries }

// newCellSeries returns the Taylor series of a cell at u, which is a point or an interval of points, given
// the value density of e^(-h) at u and the value start of f at u. The recursion of the Taylor coefficients
// follows from
//
//	v' = -2zv, S' = -STy', T' = S²y', h' = (d-2)S + z, (e^(-h))' = -h'e^(-h), f' = -(d-1)zf,
//
// where v = z' = 1-z², y = β(1-z), S = 1/cosh y and T = tanh y.
func newCellSeries(dim int, beta, u, density, start interval.Interval) *cellSeries {
	var z, v, y, s, t powerSeries
	c := &cellSeries{}
	one := interval.Of(1)
	z[0], v[0] = u.Tanh(), u.Sech().Square()
	// 1-z = 2/(1+e^(2u))
	y[0] = beta.Mul(interval.Of(2).Div(one.Add(u.Scale(1).Exp())))
	s[0], t[0] = y[0].Sech(), y[0].Tanh()
	c.density[0], c.start[0] = density, start
	across, steep := interval.Of(float64(dim-2)), interval.Of(float64(1-dim))
	for k := 0; ; k++ {
		c.slope[k] = across.Mul(s[k]).Add(z[k])
		if k == seriesOrder {
			return c
		}
		next := interval.Of(float64(k + 1))
		z[k+1] = v[k].Div(next)
		y[k+1] = beta.Mul(z[k+1]).Neg()
		v[k+1] = convolution(&z, &v, k).Scale(1).Neg().Div(next)
		var fall, rise interval.Interval // coefficients of -S' and T'
		for i := range k + 1 {
			slope := y[k-i+1].Mul(interval.Of(float64(k - i + 1)))
			fall = fall.Add(convolution(&s, &t, i).Mul(slope))
			rise = rise.Add(convolution(&s, &s, i).Mul(slope))
		}
		s[k+1], t[k+1] = fall.Neg().Div(next), rise.Div(next)
		c.density[k+1] = convolution(&c.slope, &c.density, k).Neg().Div(next)
		c.start[k+1] = steep.Mul(convolution(&z, &c.start, k)).Div(next)
	}
}

// convolution returns the coefficient of order k of the product of two power series.
func convolution(a, b *powerSeries, k int) (sum interval.Interval) {
	for i := range k + 1 {
		sum = sum.Add(a[i].Mul(b[k-i]))
	}
	return sum
}

// times returns the power series of the product of e^(-h) with the antiderivative of the density f that has
// the value below at u.
func (c *cellSeries) times(below interval.Interval) (product powerSeries) {
	sum := powerSeries{below}
	for k := range seriesOrder {
		sum[k+1] = c.start[k].Div(interval.Of(float64(k + 1)))
	}
	for k := range product {
		product[k] = convolution(&sum, &c.density, k)
	}
	return product
}

// with returns the power series t at the middle of a cell with the last coefficient of rest, the power series
// over the whole cell.
func (t powerSeries) with(rest *powerSeries) powerSeries {
	t[seriesOrder] = rest[seriesOrder]
	return t
}

// integral returns the integral of the power series from 0 to w, which may be negative.
func (t *powerSeries) integral(w interval.Interval) interval.Interval {
	sum := interval.Of(0)
	for k := seriesOrder; k >= 0; k-- {
		sum = sum.Mul(w).Add(t[k].Div(interval.Of(float64(k + 1))))
	}
	return sum.Mul(w)
}

// resolved reports whether the remainders of the Taylor series on a cell of half-width size are below the
// rounding error.
func (c *cellSeries) resolved(size float64) bool {
	power := math.Pow(size, seriesOrder)
	for _, t := range []*powerSeries{&c.slope, &c.density, &c.start} {
		if !(t[seriesOrder].Abs().High*power <= 0x1p-58) {
			return false
		}
	}
	return true
}
