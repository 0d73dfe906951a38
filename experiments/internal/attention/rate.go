package attention

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"antipode/experiments/internal/statistics"
)

// Rate is the exponent of a fitted power of a size, with a 95 % interval.
type Rate struct{ Value, Low, High float64 }

// FitRate fits the law y = c x^rate to means y at sizes x with standard errors, by weighted least squares of
// logarithms. For four sizes or more, FitRate fits c x^rate (1+a x^-correction), so that a correction of this
// order is not mistaken for a part of the rate. Means that are not positive are ignored. If fewer than two
// means are left, the result is NaN. The standard errors are taken as exact. If a standard error is not above
// 0, as for single samples, the means have equal weights and the interval is NaN.
func FitRate(sizes, means, errors []float64, correction float64) Rate {
	sizes, means, errors = positive(sizes, means, errors)
	n, terms := len(sizes), 2
	if n < 2 {
		return Rate{math.NaN(), math.NaN(), math.NaN()}
	}
	if n >= 4 {
		terms = 3
	}
	known := !slices.ContainsFunc(errors, func(e float64) bool { return !(e > 0) })
	design, right := mat.NewDense(n, terms, nil), mat.NewVecDense(n, nil)
	for k, x := range sizes {
		weight := 1.0
		if known {
			weight = means[k] / errors[k]
		}
		for j, term := range []float64{1, math.Log(x), math.Pow(x, -correction)}[:terms] {
			design.Set(k, j, weight*term)
		}
		right.SetVec(k, weight*math.Log(means[k]))
	}
	var normal, inverse mat.Dense
	var side, solution mat.VecDense
	normal.Mul(design.T(), design)
	side.MulVec(design.T(), right)
	if err := inverse.Inverse(&normal); err != nil {
		return Rate{math.NaN(), math.NaN(), math.NaN()}
	}
	solution.MulVec(&inverse, &side)
	half := statistics.Quantile95 * math.Sqrt(inverse.At(1, 1))
	if !known {
		half = math.NaN()
	}
	value := solution.AtVec(1)
	return Rate{value, value - half, value + half}
}

// positive removes the sizes whose mean is not positive, with their means and standard errors.
func positive(sizes, means, errors []float64) (x, y, e []float64) {
	for k, m := range means {
		if m > 0 {
			x, y, e = append(x, sizes[k]), append(y, m), append(e, errors[k])
		}
	}
	return x, y, e
}

// String returns the fitted power of the number T of tokens, with its interval.
func (r Rate) String() string {
	if math.IsNaN(r.Value) {
		return "a power that cannot be fitted"
	}
	if math.IsNaN(r.Low) {
		return fmt.Sprintf("T^%.3f", r.Value)
	}
	text := fmt.Sprintf("T^%.3f (95%%: %.3f to %.3f)", r.Value, r.Low, r.High)
	return strings.ReplaceAll(text, "-", "−")
}
