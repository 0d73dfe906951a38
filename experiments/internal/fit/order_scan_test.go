package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// leastSum returns the minimum of the weighted sum of squared residuals for a given order, by the normal
// equations with the inverse of the covariance. Its columns are the terms of the model; second says whether
// the term of order+1 is one of them.
func leastSum(e Estimates, limit, order float64, second bool) float64 {
	n := len(e.Means)
	var columns [][]float64
	if math.IsNaN(limit) {
		columns, limit = append(columns, make([]float64, n)), 0
		for i := range n {
			columns[0][i] = 1
		}
	}
	for _, p := range []float64{order, order + 1} {
		column := make([]float64, n)
		for i, depth := range e.Depths {
			column[i] = math.Pow(depth/e.Depths[0], -p)
		}
		columns = append(columns, column)
	}
	if !second {
		columns = columns[:len(columns)-1]
	}
	var inverse, weighted, normal, left, sum mat.Dense
	if err := inverse.Inverse(mat.NewDense(n, n, append([]float64(nil), e.Covariance...))); err != nil {
		return math.NaN()
	}
	design, y := mat.NewDense(n, len(columns), nil), mat.NewDense(n, 1, nil)
	for i := range n {
		y.Set(i, 0, e.Means[i]-limit)
		for j, column := range columns {
			design.Set(i, j, column[i])
		}
	}
	weighted.Mul(design.T(), &inverse)
	normal.Mul(&weighted, design)
	var side, c, fitted mat.Dense
	side.Mul(&weighted, y)
	if err := c.Solve(&normal, &side); err != nil {
		return math.NaN()
	}
	fitted.Mul(design, &c)
	y.Sub(y, &fitted)
	left.Mul(y.T(), &inverse)
	sum.Mul(&left, y)
	return sum.At(0, 0)
}

// Order agrees with a scan of leastSum over orders, in value and interval. The interval is where the sum
// exceeds its minimum by at most 3.84, times the minimum over the degrees of freedom if that is above 1. The
// cases are good and bad fits, with a known limit and an unknown one, of correlated means with different
// standard errors. The second term is well within the bound that Order imposes on it.
func TestOrderAgainstAScan(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	wide := 0
	for _, limit := range []float64{0.3, math.NaN()} {
		for _, noise := range []float64{0.5, 1, 3, 6} {
			e := Estimates{Depths: []float64{8, 16, 32, 64, 128, 256}}
			n := len(e.Depths)
			common := 4e-6
			for i, depth := range e.Depths {
				deviation := (1 + 0.3*float64(i)) * 1e-4
				mean := 0.3 + 0.9*math.Pow(depth/8, -1.2)*(1+0.2*8/depth)
				e.Means = append(e.Means, mean+noise*deviation*r.NormFloat64())
				for j := range n {
					c := common * common
					if i == j {
						c += deviation * deviation
					}
					e.Covariance = append(e.Covariance, c)
				}
			}
			order, low, high := e.Order(limit)
			freedom := 3.0
			if math.IsNaN(limit) {
				freedom--
			}
			f := func(p float64) float64 { return leastSum(e, limit, p, true) }
			best, least := 1.3, math.Inf(1)
			for _, step := range []float64{2e-3, 1e-5} {
				middle := best
				for k := -250; k <= 250; k++ {
					if sum := f(middle + step*float64(k)); sum < least {
						best, least = middle+step*float64(k), sum
					}
				}
			}
			threshold := f(best) + 3.8414588*max(1, f(best)/freedom)
			if f(best) > freedom {
				wide++
			}
			if !(math.Abs(order-best) <= 1e-5) || !(math.Abs(f(low)-threshold) <= 1e-3*threshold) ||
				!(math.Abs(f(high)-threshold) <= 1e-3*threshold) || !(low < best && best < high) {
				t.Errorf("limit %v, noise %v: order %v (%v to %v), by a scan %v; sums %v, %v, want %v", limit,
					noise, order, low, high, best, f(low), f(high), threshold)
			}
		}
	}
	if wide < 3 || wide > 6 {
		t.Errorf("%d of 8 fits are bad", wide)
	}
}
