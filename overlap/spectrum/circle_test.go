package spectrum

import (
	"math"
	"testing"
)

// The quarter of a circle is the law of the root of a value of Marchenko and Pastur's.
func TestQuarterCircle(t *testing.T) {
	q := QuarterCircle{Sigma: 1.3}
	p := mustProduct(t, 1.3*1.3, 1)
	for k := range 60 {
		x := 0.05 * float64(k)
		near(t, "distribution", q.Distribution(x), p.Distribution(x*x), 1e-8)
		if x > 0 && x < q.Edge() {
			near(t, "density", q.Density(x), 2*x*p.Density(x*x), 1e-11)
		}
	}
	near(t, "density outside", q.Density(2.61)+q.Density(-0.1), 0, 0)
}

func TestCircle(t *testing.T) {
	c := Circle{Radius: 0.8}
	near(t, "density", c.Density(0.5-0.6i), 1/(math.Pi*0.64), 1e-15)
	near(t, "density outside", c.Density(0.5-0.7i), 0, 0)
	near(t, "distribution", c.Distribution(0.4), 0.25, 1e-15)
	near(t, "distribution outside", c.Distribution(2), 1, 0)
}

func TestScores(t *testing.T) {
	near(t, "edge of a product of two", LinearScores(1).Edge(), math.Sqrt(27./4), 1e-14)
	near(t, "edge of scores of many dimensions", SoftmaxScores(1e-9).Edge(), 2*math.Sqrt(math.E-1), 1e-8)
	near(t, "edge without scores", Scores{0, 0.49, 2}.Edge(), 1.4, 1e-15)
	// The edge of a product of sides T, d, T is the upper end of its law.
	for _, c := range []float64{0.2, 1, 3} {
		_, high := mustProduct(t, 1, 1, c).Support()
		near(t, "edge of linear scores", LinearScores(c).Edge(), math.Sqrt(high), 1e-13*high)
	}
	near(t, "edge of twice the matrix", Scores{0.8, 1.2, 1.5}.Edge(), 2*Scores{0.2, 0.3, 1.5}.Edge(), 1e-14)
	// The linear part and the variance of f(x) = E + ax + ..., by the trapezoidal rule.
	for _, c := range []struct {
		scores Scores
		f      func(x float64) float64
	}{
		{SoftmaxScores(1), func(x float64) float64 { return math.Exp(x - 0.5) }},
		{ReLUScores(1), func(x float64) float64 { return max(x, 0) }},
		{SigmoidScores(1), func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
	} {
		var mean, square, linear float64
		for x := -14.; x <= 14; x += 1. / 4096 {
			weight := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) / 4096
			mean += weight * c.f(x)
			square += weight * c.f(x) * c.f(x)
			linear += weight * x * c.f(x)
		}
		near(t, "a²", c.scores.Linear, linear*linear, 2e-8)
		near(t, "b", c.scores.Rest, square-mean*mean-linear*linear, 2e-8)
	}
}
