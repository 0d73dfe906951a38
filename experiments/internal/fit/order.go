// Package fit fits a power of the depth of a network to correlated means at several depths, with a confidence
// interval of the power.
package fit

import (
	"math"
	"slices"

	"antipode/sphere/elementary"
)

// Estimates are means of the same statistic of simulated trajectories at several depths of the network. The
// trajectories at different depths share random numbers, so that the means are correlated.
type Estimates struct {
	Depths     []float64
	Means      []float64
	Covariance []float64 // covariance of the means, row by row
}

// Stderr returns the standard error of the mean at the i-th depth.
func (e Estimates) Stderr(i int) float64 { return math.Sqrt(e.Covariance[i*len(e.Means)+i]) }

// Difference returns the mean at the i-th depth minus the mean at the j-th depth, with the standard error of
// the difference.
func (e Estimates) Difference(i, j int) (value, stderr float64) {
	n, c := len(e.Means), e.Covariance
	return e.Means[i] - e.Means[j], math.Sqrt(max(0, c[i*n+i]-c[i*n+j]+(c[j*n+j]-c[j*n+i])))
}

// Extrapolated returns the extrapolated estimates of Talay and Tubaro, Stochastic Anal. Appl. 8 (1990) 483.
// For each depth L and the next depth rL, the extrapolated estimate at L is the combination (r·mean(rL) -
// mean(L))/(r-1), in which errors of order 1/L cancel.
func (e Estimates) Extrapolated() Estimates {
	n := len(e.Means)
	out := Estimates{e.Depths[:n-1], make([]float64, n-1), make([]float64, (n-1)*(n-1))}
	weight := func(i int) (first, second float64) {
		r := e.Depths[i+1] / e.Depths[i]
		return -1 / (r - 1), r / (r - 1)
	}
	for i := range n - 1 {
		a, b := weight(i)
		out.Means[i] = float64(a*e.Means[i]) + float64(b*e.Means[i+1])
		for j := range n - 1 {
			c, d := weight(j)
			row, next := e.Covariance[i*n+j:], e.Covariance[(i+1)*n+j:]
			out.Covariance[i*(n-1)+j] = float64(a*(float64(c*row[0])+float64(d*row[1]))) +
				float64(b*(float64(c*next[0])+float64(d*next[1])))
		}
	}
	return out
}

// The range and the step of the orders p that Order considers.
const (
	leastOrder, greatestOrder = 0.25, 6.0
	orderStep                 = 0.02
)

// Order returns the order p at which means approach their limit as the depth L grows. Order fits
//
//	mean = limit + c·L^-p + c'·L^-(p+1)
//
// to the estimates by least squares with their covariance. The interval from low to high has 95 % confidence:
// it consists of the orders around p for which the sum of squares exceeds the least sum by at most 3.84. If
// the least sum exceeds the degrees of freedom, the fit is poor, and 3.84 is increased in proportion. The
// term in c' is included if there are enough depths; without this term, p would be the slope of a secant. The
// absolute value of the term in c' is restricted to at most half of the term in c at the least depth. If
// limit is NaN, the limit is fitted too. All results are NaN if the interval is not bounded: if there are
// fewer depths than unknowns, if the covariance is singular, or if the approach to the limit is smaller than
// the noise.
func (e Estimates) Order(limit float64) (order, low, high float64) {
	nan := math.NaN()
	f, freedom := e.fit(limit)
	if f == nil || freedom < 0 {
		return nan, nan, nan
	}
	best := leastOrder
	for p := leastOrder; p <= greatestOrder; p += orderStep {
		if f(p) < f(best) {
			best = p
		}
	}
	best = leastNear(f, best)
	const quantile = 3.841458820694124 // of χ² with one degree of freedom, at 95 %
	threshold := f(best) + quantile
	if freedom > 0 {
		threshold = f(best) + float64(quantile*max(1, f(best)/float64(freedom)))
	}
	low, high = crossing(f, threshold, best, -orderStep), crossing(f, threshold, best, orderStep)
	if math.IsNaN(low+high) || low == best || high == best {
		return nan, nan, nan
	}
	return best, low, high
}

// leastNear returns the order at which the function f is least, within orderStep of p.
func leastNear(f func(p float64) float64, p float64) float64 {
	a, b := p-orderStep, p+orderStep
	for range 60 {
		third := (b - a) / 3
		if f(a+third) < f(b-third) {
			b -= third
		} else {
			a += third
		}
	}
	return (a + b) / 2
}

// crossing returns the order at which the function f first reaches a threshold, from the order p on in the
// direction of step. The result is NaN if f does not reach the threshold up to the last considered order.
func crossing(f func(p float64) float64, threshold, p, step float64) float64 {
	below := p
	for above := p + step; above >= leastOrder && above <= greatestOrder; above += step {
		if f(above) < threshold {
			below = above
			continue
		}
		for range 50 {
			if middle := (below + above) / 2; f(middle) < threshold {
				below = middle
			} else {
				above = middle
			}
		}
		return below
	}
	return math.NaN()
}

// fit returns the least sum of squares of the fit of Order as a function of the order p, and the degrees of
// freedom of this sum. The function is nil if the covariance is singular.
func (e Estimates) fit(limit float64) (sum func(order float64) float64, freedom int) {
	n := len(e.Means)
	factor := Cholesky(e.Covariance, n)
	if factor == nil {
		return nil, 0
	}
	one, y := make([]float64, n), slices.Clone(e.Means)
	freedom = n - 2
	free := math.IsNaN(limit)
	for i := range y {
		if one[i] = 1; !free {
			y[i] -= limit
		}
	}
	white := func(v []float64) []float64 {
		Whiten(factor, v)
		if free {
			Remove(v, one)
		}
		return v
	}
	if free {
		freedom--
		Whiten(factor, one)
	}
	white(y)
	second := freedom > 0
	if second {
		freedom--
	}
	return func(order float64) float64 {
		first, next := make([]float64, n), make([]float64, n)
		for i, depth := range e.Depths {
			first[i] = elementary.Exp(-order * elementary.Log(depth/e.Depths[0]))
			next[i] = first[i] * (e.Depths[0] / depth)
		}
		white(first)
		if !second {
			return residual(y, first)
		}
		return dominated(y, first, white(next))
	}, freedom
}

// residual returns the squared norm of y minus the orthogonal projection of y on v.
func residual(y, v []float64) float64 {
	left := slices.Clone(y)
	Remove(left, v)
	return Inner(left, left)
}

// dominated returns the least squared norm of y - c·first - c'·next over the coefficients with |c'| ≤ |c|/2.
// If the minimum without this condition violates it, the minimum is on the boundary of the allowed region.
func dominated(y, first, next []float64) float64 {
	across := slices.Clone(next)
	Remove(across, first)
	c2 := Inner(y, across) / Inner(across, across)
	c1 := (Inner(y, first) - float64(c2*Inner(next, first))) / Inner(first, first)
	if math.Abs(c2) <= 0.5*math.Abs(c1) {
		left := slices.Clone(y)
		Remove(left, first)
		Remove(left, across)
		return Inner(left, left)
	}
	plus, minus := slices.Clone(first), slices.Clone(first)
	for i, v := range next {
		plus[i] += float64(0.5 * v)
		minus[i] -= float64(0.5 * v)
	}
	return min(residual(y, plus), residual(y, minus))
}

// Inner returns the inner product of two vectors, summed in the order of the entries and without fused
// operations, so that the result does not depend on the processor.
func Inner(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

// Remove subtracts from the vector v its orthogonal projection on the vector along.
func Remove(v, along []float64) {
	square := Inner(along, along)
	if square == 0 {
		return
	}
	share := Inner(v, along) / square
	for i := range v {
		v[i] -= float64(share * along[i])
	}
}

// Cholesky returns the lower triangular Cholesky factor of a symmetric n×n matrix (row-major). The result is
// nil if the matrix is not positive definite by a margin well above rounding errors.
func Cholesky(matrix []float64, n int) []float64 {
	const rounding = 1e-12
	factor := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			rest := matrix[i*n+j] - Inner(factor[i*n:i*n+j], factor[j*n:j*n+j])
			if i > j {
				factor[i*n+j] = rest / factor[j*n+j]
				continue
			}
			if !(rest > rounding*matrix[i*n+i]) {
				return nil
			}
			factor[i*n+i] = math.Sqrt(rest)
		}
	}
	return factor
}

// Whiten solves factor·w = v for w, where factor is lower triangular, and stores w in v. If the covariance of
// v has the Cholesky factor factor, the entries of w are uncorrelated.
func Whiten(factor, v []float64) {
	n := len(v)
	for i := range v {
		v[i] = (v[i] - Inner(factor[i*n:i*n+i], v[:i])) / factor[i*n+i]
	}
}

// Moments are the sums over trajectories from which means of values and the covariance of these means are
// computed.
type Moments struct {
	count   float64
	Sums    []float64
	squares []float64 // sums of products, row by row; only the upper triangle
}

// NewMoments returns Moments without a trajectory; each trajectory will have n values.
func NewMoments(n int) *Moments {
	return &Moments{Sums: make([]float64, n), squares: make([]float64, n*n)}
}

// Add adds the values of one more trajectory to the sums.
func (m *Moments) Add(values []float64) {
	m.count++
	n := len(values)
	for i, v := range values {
		m.Sums[i] += v
		for j := i; j < n; j++ {
			m.squares[i*n+j] += float64(v * values[j])
		}
	}
}

// Estimates returns the means of the values, one for each depth, and the covariance of the means. The
// covariance is NaN for fewer than two trajectories.
func (m *Moments) Estimates(depths []int) Estimates {
	n := len(m.Sums)
	e := Estimates{make([]float64, n), make([]float64, n), make([]float64, n*n)}
	for i, s := range m.Sums {
		e.Depths[i], e.Means[i] = float64(depths[i]), s/m.count
	}
	for i := range n {
		for j := i; j < n; j++ {
			c := (m.squares[i*n+j]/m.count - float64(e.Means[i]*e.Means[j])) / (m.count - 1)
			if i == j {
				c = max(c, 0) // 0 up to rounding
			}
			e.Covariance[i*n+j], e.Covariance[j*n+i] = c, c
		}
	}
	return e
}
