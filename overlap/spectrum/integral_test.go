package spectrum

import (
	"math"

	"antipode/sphere/elementary"
)

// Integral returns the integral of f over the continuous part of the law, by the trapezoidal rule in t
// with δ = π/(1+e^(-π sinh t)). It is accurate to some 12 digits if f is smooth and no ratio other than
// the largest is within a few percent of it.
func (p *Product) Integral(f func(x float64) float64) float64 {
	const far = 3.5 // where the angle is within 1e-22 of an end
	previous := math.NaN()
	for n := 16; ; n *= 2 {
		sum := 0.0
		width := far / float64(n)
		for k := -n; k <= n; k++ {
			e := elementary.Exp(float64(float64(k) * width))
			sinh, cosh := 0.5*(e-1/e), 0.5*(e+1/e)
			angle := math.Pi / (1 + elementary.Exp(float64(-math.Pi*sinh)))
			if angle == math.Pi {
				break
			}
			q := p.at(angle)
			sum += float64(float64(angle*(math.Pi-angle)*cosh) *
				float64(p.mass(q)*f(float64(p.mean*elementary.Exp(q.logarithm)))))
		}
		sum = float64(sum * width)
		if math.Abs(sum-previous) <= 1e-12*math.Abs(sum) || n == 1024 {
			return sum
		}
		previous = sum
	}
}

// mass returns the mass per angle, Im u/π times d log x/dδ.
func (p *Product) mass(q *point) float64 {
	return float64(q.radius * q.sin / math.Pi * p.ascent(q))
}

// Moment returns the mean of the k-th power, k ≥ 0, exactly up to rounding. By Lagrange inversion of
// z = u/((1+u)Π(1+c_i u)), it is mean^k/k times the coefficient of u^(k-1) in ((1+u)Π(1+c_i u))^k. It is
// +Inf on overflow.
func (p *Product) Moment(k int) float64 {
	if k == 0 {
		return 1
	}
	coefficients := make([]float64, k) // coefficients below u^k of a product of factors 1+cu
	coefficients[0] = 1
	for _, f := range p.factors {
		for range f.count * k {
			for j := k - 1; j > 0; j-- {
				coefficients[j] += float64(f.ratio * coefficients[j-1])
			}
		}
	}
	moment := coefficients[k-1] / float64(k)
	for range k {
		moment = float64(moment * p.mean)
	}
	return moment
}
