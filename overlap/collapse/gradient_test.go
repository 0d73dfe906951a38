package collapse

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sphere/must"
)

const n, d, keys = 4, 3, 5 // number and dimension of tokens; the dimension of keys differs

func normals(r *rand.Rand, count int, variance float64) []float64 {
	v := make([]float64, count)
	for k := range v {
		v[k] = math.Sqrt(variance) * r.NormFloat64()
	}
	return v
}

func product(a, b []float64, rows, inner, columns int) []float64 {
	c := make([]float64, rows*columns)
	for i := range rows {
		for j := range columns {
			for k := range inner {
				c[i*columns+j] += a[i*inner+k] * b[k*columns+j]
			}
		}
	}
	return c
}

// shift returns the change of the attention output due to scores M = x b xᵀ, for values y·value, by the
// derivative of softmax at equal scores: M(I - 1/n)/n · y · value.
func shift(x, b, y, value []float64) []float64 {
	a := product(product(x, b, n, d, d), transpose(x, n, d), n, d, n)
	for i := range n {
		mean := 0.0
		for _, score := range a[i*n : (i+1)*n] {
			mean += score / n
		}
		for j := range n {
			a[i*n+j] = (a[i*n+j] - mean) / n
		}
	}
	return product(a, product(y, value, n, d, d), n, n, d)
}

// uniform returns the output of attention with uniform weights.
func uniform(x, value []float64) []float64 {
	a := make([]float64, n*n)
	for k := range a {
		a[k] = 1. / n
	}
	return product(a, product(x, value, n, d, d), n, n, d)
}

func transpose(a []float64, rows, columns int) []float64 {
	b := make([]float64, len(a))
	for i := range rows {
		for j := range columns {
			b[j*rows+i] = a[i*columns+j]
		}
	}
	return b
}

// derivative returns the squared norm of the derivative of a cubic function with respect to parameters.
// It uses central differences of fourth order, which are exact for cubic functions.
func derivative(parameters []float64, evaluate func() []float64) float64 {
	sum := 0.0
	for k := range parameters {
		before := parameters[k]
		at := func(shift float64) []float64 {
			parameters[k] = before + shift
			return evaluate()
		}
		up, down, far, back := at(1), at(-1), at(2), at(-2)
		parameters[k] = before
		for c := range up {
			slope := (8*(up[c]-down[c]) - (far[c] - back[c])) / 12
			sum += slope * slope
		}
	}
	return sum
}

// units calls f with every matrix that has a single entry 1 and is otherwise 0. As entries of weights are
// independent with mean 0, the mean square of a linear function of them is their variance times the sum
// of its squares over these matrices.
func units(size int, f func(unit []float64)) {
	unit := make([]float64, size)
	for k := range unit {
		unit[k] = 1
		f(unit)
		unit[k] = 0
	}
}

// printedBound returns (8), with d_k where the paper has it.
func printedBound(m moments, w weights) float64 {
	d := float64(m.Dim)
	return 8*w.Query*w.Key*w.Value*float64(w.KeyDim)*d/float64(m.Tokens)*m.Scatter + 2*d*d*w.Value
}

// Lemma 3.1 for given tokens, exactly: mean squares of derivatives over weights, computed as sums over
// unit matrices. Numbers of tokens, dimensions, variances and τ all differ.
func TestLemma31(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	w := weights{KeyDim: keys, Query: 0.7, Key: 0.4, Value: 0.5, Temperature: 1.3}
	for _, common := range []float64{0, 3} {
		x := normals(r, n*d, 1)
		for k := range x {
			x[k] += common * float64(1+k%d)
		}
		m := must.Get(momentsOf(x, n, d))(t)
		query, err1 := m.QueryGradient(w)
		key, err2 := m.KeyGradient(w)
		input, err3 := m.InputGradient(w)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(err1, err2, err3)
		}
		scale := w.Temperature / math.Sqrt(keys)
		between := func(query, key []float64) []float64 { // returns the b of these weights
			b := product(query, transpose(key, d, keys), d, keys, d)
			for k := range b {
				b[k] *= scale
			}
			return b
		}
		var wantQuery, wantKey, wantInput float64
		weights, moving, moved := make([]float64, d*d), append([]float64(nil), x...), make([]float64, d*keys)
		value := derivative(weights, func() []float64 { return uniform(x, weights) })
		units(d*d, func(v []float64) {
			wantInput += w.Value * derivative(moving, func() []float64 { return uniform(moving, v) })
			units(d*keys, func(u []float64) {
				byQuery := derivative(moved, func() []float64 { return shift(x, between(moved, u), x, v) })
				byKey := derivative(moved, func() []float64 { return shift(x, between(u, moved), x, v) })
				wantQuery += w.Value * w.Key * byQuery
				wantKey += w.Value * w.Query * byKey
			})
			units(d*d, func(b []float64) { // entries of QKᵀ/√keys are uncorrelated, of variance σ_q²σ_k²
				variance := w.Temperature * w.Temperature * w.Query * w.Key
				wantInput += w.Value * variance * derivative(moving,
					func() []float64 { return shift(moving, b, x, v) })
			})
		})
		for k, want := range []float64{value, wantQuery, wantKey, wantInput} {
			if got := []float64{m.ValueGradient(), query, key, input}[k]; !(math.Abs(got-want) <=
				1e-10*want) {
				name := []string{"values", "queries", "keys", "input"}[k]
				t.Errorf("common part %g, %s: %.12g, by sums %.12g", common, name, got, want)
			}
		}
		w.Temperature = 1
		unheated, _ := m.InputGradient(w)
		if bound := printedBound(m, w); common > 0 && unheated < bound {
			t.Errorf("the printed bound %g holds for %g", bound, unheated)
		}
	}
}

// If all tokens are equal, the gradients of queries and keys are exactly 0 and that of values is not.
// Proportional tokens also have rank one, but non-zero gradients.
func TestTheorem32(t *testing.T) {
	x := make([]float64, n*d)
	for k := range x {
		x[k] = []float64{0.1, 0.7, -0.3}[k%d]
	}
	for _, factor := range []float64{1, 2} {
		for k := range d {
			x[k] *= factor
		}
		m := must.Get(momentsOf(x, n, d))(t)
		query, err := m.QueryGradient(xavier(d))
		if err != nil || (query == 0) != (factor == 1) || m.ValueGradient() == 0 {
			t.Errorf("first token times %g: gradients %g of queries, %g of values, error %v", factor, query,
				m.ValueGradient(), err)
		}
	}
}

// (17), (18), the gradient with respect to the input, its printed bound and the distance agree within 5
// standard errors with means over Gaussian tokens. (18) as printed is too small by 15 standard errors.
func TestGaussianTokens(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	g := Gaussian{Tokens: n, Dim: d, Variance: 1.3, Correlation: 0.4}
	const runs, temperature = 100_000, 1.7
	w := xavier(d)
	w.Temperature = temperature
	var sum, squares [5]float64
	for range runs {
		x, common := normals(r, n*d, g.Variance*(1-g.Correlation)), normals(r, d, g.Variance*g.Correlation)
		for k := range x {
			x[k] += common[k%d]
		}
		m := must.Get(momentsOf(x, n, d))(t)
		query := must.Get(m.QueryGradient(w))(t)
		scores := must.Get(newScores(m, keys))(t)
		input := must.Get(m.InputGradient(w))(t)
		for k, v := range []float64{m.ValueGradient(), query, scores.Distance(), input,
			printedBound(m, xavier(d))} {
			sum[k] += v / runs
			squares[k] += v * v / runs
		}
	}
	value, err1 := g.ValueGradient()
	query, err2 := g.QueryGradient(temperature)
	distance, err3 := g.Distance(keys)
	input, err4 := g.InputGradient(temperature)
	bound, err5 := g.PrintedInputBound()
	must.Do(t, errors.Join(err1, err2, err3, err4, err5))
	for k, want := range []float64{value, query, distance, input, bound} {
		stderr := math.Sqrt((squares[k] - sum[k]*sum[k]) / runs)
		t.Logf("%.5g ± %.2g, theory %.5g", sum[k], stderr, want)
		if !(math.Abs(sum[k]-want) <= 5*stderr) {
			t.Errorf("mean %g ± %g, theory %g", sum[k], stderr, want)
		}
	}
	printed := math.Pow(g.Variance, 3) * (n - 1.) / n * math.Pow(1-g.Correlation, 2) * d * (n + d)
	printed *= temperature * temperature
	if stderr := math.Sqrt((squares[1] - sum[1]*sum[1]) / runs); sum[1]-printed < 10*stderr {
		t.Errorf("(18) as printed, %g, is not too small for %g ± %g", printed, sum[1], stderr)
	}
	if tau, err := g.Temperature(); err != nil {
		t.Error(err)
	} else if tempered, _ := g.QueryGradient(tau); !(math.Abs(tempered/value-1) <= 1e-14) {
		t.Errorf("at temperature factor %g queries have %g, values %g", tau, tempered, value)
	}
}

// Bound (8) holds at the settings of Fig. 12, and fails for large tokens of high correlation.
func TestPrintedInputBound(t *testing.T) {
	for _, c := range []struct {
		g     Gaussian
		holds bool
	}{
		{Gaussian{Tokens: 32, Dim: 64, Variance: 4, Correlation: 0.2}, true},
		{Gaussian{Tokens: 32, Dim: 64, Variance: 0.25, Correlation: 0.8}, true},
		{Gaussian{Tokens: 4, Dim: 64, Variance: 16, Correlation: 0.95}, false},
	} {
		gradient, err1 := c.g.InputGradient(1)
		bound, err2 := c.g.PrintedInputBound()
		if err := errors.Join(err1, err2); err != nil || (gradient <= bound) != c.holds {
			t.Errorf("%+v: gradient %g, bound %g, error %v", c.g, gradient, bound, err)
		}
	}
}

// A.7 and the distance from uniform attention agree with softmax itself, over random weights: within 5
// standard errors and, for the distance, the next order in the variance of the scores.
func TestScores(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	x := normals(r, n*d, 1)
	m := must.Get(momentsOf(x, n, d))(t)
	const keyDim = 60
	s := must.Get(newScores(m, keyDim))(t)
	square := func(i int) (sum float64) {
		for _, v := range x[i*d : i*d+d] {
			sum += v * v
		}
		return sum
	}
	const runs = 20_000
	var score, scoreSquare, distance, distanceSquare float64
	for range runs {
		q := product(x, normals(r, d*keyDim, Glorot(d, keyDim)), n, d, keyDim)
		k := product(x, normals(r, d*keyDim, Glorot(d, keyDim)), n, d, keyDim)
		far := 0.0
		for i := range n {
			var row [n]float64
			total := 0.0
			for j := range n {
				inner := 0.0
				for c := range keyDim {
					inner += q[i*keyDim+c] * k[j*keyDim+c] / math.Sqrt(keyDim)
				}
				if i == 0 && j == 1 {
					score += inner * inner / runs
					scoreSquare += math.Pow(inner, 4) / runs
				}
				row[j] = math.Exp(inner)
				total += row[j]
			}
			for _, v := range row {
				far += (v/total - 1./n) * (v/total - 1./n)
			}
		}
		distance += far / runs
		distanceSquare += far * far / runs
	}
	if want, stderr := s.Variance(square(0), square(1)),
		math.Sqrt((scoreSquare-score*score)/runs); math.Abs(score-want) > 5*stderr {
		t.Errorf("E M² = %g ± %g, theory %g", score, stderr, want)
	}
	order := s.Variance(m.Square/n, m.Square/n)
	want, stderr := s.Distance(), math.Sqrt((distanceSquare-distance*distance)/runs)
	t.Logf("distance %.5g ± %.2g, theory %.5g to first order in %.2g", distance, stderr, want, order)
	if !(math.Abs(distance-want) <= 5*stderr+2*order*want) {
		t.Errorf("E‖A-1/n‖² = %g ± %g, theory %g", distance, stderr, want)
	}
	if bound, err := s.Exceedance(3 * math.Sqrt(order)); err != nil || bound != 1 {
		t.Error("a bound above 1 is of no use", bound, err)
	}
}
