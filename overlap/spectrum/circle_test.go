package spectrum

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// The quarter-circle law is the law of the square root of a Marchenko-Pastur variable.
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
	near(t, "edge of a product of two", LinearScores(1, 1).Edge(), math.Sqrt(27./4), 1e-14)
	near(t, "edge of scores of many dimensions", SoftmaxScores(1e-9, 1).Edge(), 2*math.Sqrt(math.E-1), 1e-8)
	near(t, "edge without scores", Scores{0, 0.49, 2}.Edge(), 1.4, 1e-15)
	// The edge for linear scores is the upper end of the law of a product of matrices with sides T, d, T.
	for _, c := range []float64{0.2, 1, 3} {
		_, high := mustProduct(t, 1, 1, c).Support()
		near(t, "edge of linear scores", LinearScores(c, 1).Edge(), math.Sqrt(high), 1e-13*high)
	}
	near(t, "edge of twice the matrix", Scores{0.8, 1.2, 1.5}.Edge(), 2*Scores{0.2, 0.3, 1.5}.Edge(), 1e-14)
	// The linear part and the variance of f(x) = E f + ax + …, computed by the trapezoidal rule.
	for _, c := range []struct {
		scores Scores
		f      func(x float64) float64
	}{
		{SoftmaxScores(1, 1), func(x float64) float64 { return math.Exp(x - 0.5) }},
		{ReLUScores(1, 1), func(x float64) float64 { return max(x, 0) }},
		{SigmoidScores(1, 1), func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
		{SoftmaxScores(1, 0.4), func(x float64) float64 { return math.Exp(0.4*x - 0.08) }},
		{LinearScores(1, 0.4), func(x float64) float64 { return 0.4 * x }},
		{ReLUScores(1, 0.4), func(x float64) float64 { return max(0.4*x, 0) }},
		{SigmoidScores(1, 3), func(x float64) float64 { return 1 / (1 + math.Exp(-3*x)) }},
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

// tracyWidomMean returns the mean of the Tracy-Widom law, from Painlevé's equation q″ = sq + 2q³ with
// q ~ Ai: F = exp(-½∫(q + (x-s)q²)dx), where the integrals begin at s. It uses the Runge-Kutta method
// from 6 down to -7.
func tracyWidomMean() float64 {
	airy := func(x float64) float64 { return real(mathext.AiryAi(complex(x, 0))) }
	const start, h = 6.0, -1e-4
	// q, q′, ∫q, ∫q², ∫(x-s)q², the integrals from s to ∞; their values beyond the starting point are
	// below 1e-5 of the first.
	y := [5]float64{airy(start), (airy(start+1e-4) - airy(start-1e-4)) / 2e-4, 0, 0, 0}
	for x := start; x < 12; x += 1e-3 {
		y[2] += 1e-3 * airy(x+5e-4)
	}
	slope := func(s float64, y [5]float64) [5]float64 {
		return [5]float64{y[1], s*y[0] + 2*y[0]*y[0]*y[0], -y[0], -y[0] * y[0], -y[3]}
	}
	add := func(y, k [5]float64, f float64) [5]float64 {
		for i := range y {
			y[i] += f * k[i]
		}
		return y
	}
	mean := 0.0
	for step := range int(math.Round(-13 / h)) {
		s := start + float64(step)*h
		k1 := slope(s, y)
		k2 := slope(s+h/2, add(y, k1, h/2))
		k3 := slope(s+h/2, add(y, k2, h/2))
		k4 := slope(s+h, add(y, k3, h))
		middle := add(y, k2, h/2)
		f := math.Exp(-0.5 * (middle[2] + middle[4]))
		if s+h/2 > 0 {
			mean -= h * (1 - f)
		} else {
			mean += h * f
		}
		y = add(add(add(add(y, k1, h/6), k2, h/3), k3, h/3), k4, h/6)
	}
	return mean
}

// The mean of the edge agrees with Johnstone's limit for the largest eigenvalue of a square Wishart
// matrix, with the mean of the Tracy-Widom law. At small sizes it agrees, up to its O(1/T), with the mean
// of 2000 bidiagonal matrices of χ variables (Dumitriu and Edelman 2002): within 4 standard errors and
// 0.5/T.
func TestEdgeMean(t *testing.T) {
	mu := tracyWidomMean()
	near(t, "mean of Tracy and Widom", mu, -1.2065335745820, 1e-5)
	for _, tokens := range []float64{1e6, 1e9} {
		size := math.Sqrt(tokens-1) + math.Sqrt(tokens)
		scale := size * math.Cbrt(1/math.Sqrt(tokens-1)+1/math.Sqrt(tokens))
		want := 1.3 * math.Sqrt((size*size+scale*mu)/tokens)
		near(t, "mean of the edge", EdgeMean(1.3, int(tokens)), want, 2/tokens+1e-5*math.Pow(tokens, -2./3))
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, tokens := range []int{40, 160} {
		const draws = 2000
		mean, square := 0.0, 0.0
		for range draws {
			s := largestBidiagonal(r, tokens) / math.Sqrt(float64(tokens))
			mean += s / draws
			square += s * s / draws
		}
		far := math.Abs(0.7*mean - EdgeMean(0.7, tokens))
		if allowed := 4*0.7*math.Sqrt((square-mean*mean)/draws) + 0.5/float64(tokens); far > allowed {
			t.Errorf("T = %d: mean edge %v, want %v: off by more than %v", tokens, 0.7*mean,
				EdgeMean(0.7, tokens),
				allowed)
		}
	}
}

// largestBidiagonal returns a random largest singular value of a square matrix of independent standard
// normal entries. A bidiagonal matrix of χ variables has the same law.
func largestBidiagonal(r *rand.Rand, n int) float64 {
	chi := func(degrees int) float64 {
		return math.Sqrt(2 * distuv.Gamma{Alpha: 0.5 * float64(degrees), Beta: 1, Src: r}.Rand())
	}
	diagonal, off := make([]float64, n), make([]float64, n-1)
	for k := range n {
		diagonal[k] = chi(n - k)
		if k < n-1 {
			off[k] = chi(n - 1 - k)
		}
	}
	// The largest eigenvalue of the tridiagonal BᵀB is the smallest x for which all pivots of x - BᵀB are
	// positive.
	positive := func(x float64) bool {
		pivot := x - diagonal[0]*diagonal[0]
		for k := 1; k < n && pivot > 0; k++ {
			coupling := off[k-1] * diagonal[k-1]
			pivot = x - diagonal[k]*diagonal[k] - off[k-1]*off[k-1] - coupling*coupling/pivot
		}
		return pivot > 0
	}
	low, high := 0.0, 16*float64(n)
	for high-low > 1e-6 {
		if middle := 0.5 * (low + high); positive(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return math.Sqrt(high)
}

// The outlier agrees with matrices with exponential and with other rows: s₁ - 1 has mean σ²/2T up to
// O(1/T²). Its relative standard error for 40 matrices of 80 tokens is 0.025; 4 standard errors plus 2/T
// are allowed.
func TestOutlierMean(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const tokens, draws = 80, 40
	for _, c := range []struct {
		sigma float64
		entry func() float64
	}{
		{1, r.ExpFloat64}, {1 / math.Sqrt(3), r.Float64},
		{math.Sqrt(1.4), func() float64 {
			return r.ExpFloat64() *
				(1 + math.Sqrt(0.2)*float64(2*r.IntN(2)-1))
		}},
	} {
		mean := 0.0
		for range draws {
			a := mat.NewDense(tokens, tokens, nil)
			for i := range tokens {
				row, sum := a.RawRowView(i), 0.0
				for j := range row {
					row[j] = c.entry()
					sum += row[j]
				}
				for j := range row {
					row[j] /= sum
				}
			}
			var svd mat.SVD
			if !svd.Factorize(a, mat.SVDNone) {
				t.Fatal("no singular values")
			}
			mean += svd.Values(nil)[0] / draws
		}
		got := OutlierMean(c.sigma, tokens) - 1
		near(t, "outlier", got, mean-1, (0.1+2./tokens)*(mean-1))
	}
}
