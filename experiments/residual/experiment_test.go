package residual

import (
	"errors"
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

func rowsOf(t *testing.T, e *Experiment) map[Row]Row {
	t.Helper()
	rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, e, run.Options{Seed: 5})))(t)
	found := map[Row]Row{}
	for _, r := range rows {
		found[Row{Values: r.Values, Scaling: r.Scaling, Depth: r.Depth, Statistic: r.Statistic}] = r
	}
	return found
}

// One token attends to itself only: A(x) = x. With V = I its norm is (1+α)^(LT), and e^T in the limit with α
// = 1/L. In the limit dx = dW x with random V and α = 1/√L, the logarithm of the norm has the mean (d-2)T/2.
// At depth L, |x'|² = |x|²|e+αg|² with g standard normal, so that the mean logarithm is LT times that of
// |e+αg|, which meanLog computes as a sum over Poisson numbers. Random values agree within 4.5 standard
// errors (false alarms: fewer than one in 20,000 seeds).
func TestOneToken(t *testing.T) {
	longtest.Only(t)
	e := New()
	e.Tokens, e.Dim, e.Depth, e.Horizon, e.Samples = 1, 6, []int{4, 8, 16, 32, 64}, 1.5, 1500
	rows := rowsOf(t, e)
	for _, depth := range []int32{4, 64} {
		layers := float64(depth)
		r := rows[Row{Values: Identity, Scaling: Inverse, Depth: depth}]
		if want := 1.5 * layers * math.Log1p(1/layers); !(math.Abs(r.Value-want) <= 1e-12) ||
			!(math.Abs(r.Limit-1.5) <= 1e-6) {
			t.Errorf("identity, 1/L: %+v, want %v and 1.5", r, want)
		}
		r = rows[Row{Values: Identity, Scaling: InverseRoot, Depth: depth}]
		if want := 1.5 * layers * math.Log1p(1/math.Sqrt(layers)); !(math.Abs(r.Value-want) <= 1e-12) ||
			!math.IsNaN(r.Limit) {
			t.Errorf("identity, 1/√L: %+v, want %v", r, want)
		}
		r = rows[Row{Values: Gaussian, Scaling: Inverse, Depth: depth}]
		want := 1.5 * 64 * 2 / (64. * 64) // to leading order, (d-2)T/2L
		if depth == 4 {
			want = 1.5 * 4 * meanLog(6, 1./16)
		}
		if !(math.Abs(r.Limit) <= 1e-15) || !(math.Abs(r.Value-want) <= 4.5*r.Stderr) {
			t.Errorf("gaussian, 1/L: %+v, want %v", r, want)
		}
		r = rows[Row{Values: Gaussian, Scaling: InverseRoot, Depth: depth}]
		if want := 1.5 * float64(depth) * meanLog(6,
			1/float64(depth)); !(math.Abs(r.Value-want) <= 4.5*r.Stderr) {
			t.Errorf("gaussian, 1/√L: %+v, want %v", r, want)
		}
	}
	r := rows[Row{Values: Gaussian, Scaling: InverseRoot, Depth: 4}]
	if !(math.Abs(r.Limit-3) <= 4.5*r.Stderr) {
		t.Errorf("limit %v, want (d-2)T/2 = 3", r.Limit)
	}
}

// The limit of the stochastic equation is not extrapolated from depths that are too small for an error of
// order 1/L, or that give clearly different limits. Depths may grow by any factor.
func TestLimitOfSmallDepths(t *testing.T) {
	inverse := func(depth int) float64 { return 2 + 3/float64(depth) }
	cubic := func(depth int) float64 { return 2 + 3e3*math.Pow(float64(depth), -3) }
	for _, c := range []struct {
		depths [3]int
		value  func(depth int) float64
		noise  float64 // of each sample at the least of the depths
		known  bool
	}{
		{[3]int{8, 16, 32}, inverse, 1e-3, true}, {[3]int{8, 32, 256}, inverse, 1e-3, true},
		{[3]int{4, 8, 16}, inverse, 1e-3, true}, {[3]int{4, 8, 16}, cubic, 1e-3, false},
		{[3]int{4, 8, 16}, cubic, 1e3, true}, {[3]int{2, 4, 8}, inverse, 1e-3, false},
	} {
		e := New()
		e.Tokens, e.Depth = 1, c.depths[:]
		samples := make([][]float64, 100)
		for k := range samples {
			samples[k] = make([]float64, e.numbers())
			for i, depth := range c.depths {
				samples[k][2*kinds+3*kinds+kinds*i] = c.value(depth)
			}
			samples[k][2*kinds+3*kinds] += c.noise * float64(k%2*2-1)
		}
		r := e.rows(samples)[3+2]
		if r.regime() != (regime{Gaussian, InverseRoot}) || int(r.Depth) != c.depths[2] {
			t.Fatalf("%+v", r)
		}
		if c.known && (r.limitText() != "2.0000" && c.noise < 1 || math.IsNaN(r.Error)) ||
			!c.known && (r.limitText() != "unknown" || !math.IsNaN(r.Error)) {
			t.Errorf("%v: %+v", c.depths, r)
		}
	}
}

// meanLog returns E ln|e + αg| for α² = square, a unit vector e of R^d, d even, and g standard normal. The
// noncentral χ² is a χ² with d+2K degrees of freedom, where K is a Poisson number of mean 1/2α²; and E ln
// χ²_2m = ln 2 + ψ(m).
func meanLog(d int, square float64) float64 {
	mean := 1 / (2 * square)
	total := 0.0
	for k := range 400 {
		logarithm, _ := math.Lgamma(float64(k) + 1)
		weight := math.Exp(float64(k)*math.Log(mean) - mean - logarithm)
		digamma := -0.57721566490153286
		for j := 1; j < d/2+k; j++ {
			digamma += 1 / float64(j)
		}
		total += weight * (math.Ln2 + digamma)
	}
	return (total + math.Log(square)) / 2
}

// At β = 0 all tokens attend to their mean m. With V = I a layer multiplies m by 1+1/L, so that x_i = x_i(0)
// + ((1+1/L)^(LT) - 1) m(0), with e^T in the limit. All statistics are those of these tokens. At β = 3 they
// are not, as each token attends mostly to itself.
func TestFlatAttention(t *testing.T) {
	e := New()
	e.Tokens, e.Dim, e.Beta, e.Depth, e.Horizon, e.Samples = 3, 5, 0, []int{2, 4, 8}, 1, 2
	means := func(growth float64) (total [kinds]float64) {
		for sample := range int64(2) {
			x := e.start(5, sample)
			mean := make([]float64, 5)
			for k, v := range x {
				mean[k%5] += v / 3
			}
			for k := range x {
				x[k] += (growth - 1) * mean[k%5]
			}
			for k, v := range measure(x, 5) {
				total[k] += v / 2
			}
		}
		return total
	}
	rows := rowsOf(t, e)
	coarse, limit := means(1.25*1.25*1.25*1.25), means(math.E)
	for s := range Statistic(kinds) {
		r := rows[Row{Values: Identity, Scaling: Inverse, Depth: 4, Statistic: s}]
		if !(math.Abs(r.Value-coarse[s]) <= 1e-12) || !(math.Abs(r.Limit-limit[s]) <= 1e-6) {
			t.Errorf("%v: %+v, want %v and %v", s, r, coarse[s], limit[s])
		}
	}
	e.Beta = 3
	if r := rowsOf(t, e)[Row{Values: Identity, Scaling: Inverse,
		Depth: 4}]; math.Abs(r.Value-coarse[0]) < 0.05 {
		t.Errorf("the same at β = 3: %+v", r)
	}
}

// A single token has no cosine, which counts as 0; of three tokens it is the mean over their pairs.
func TestMeasure(t *testing.T) {
	root := math.Sqrt(3) / 2
	for _, c := range []struct {
		x    []float64
		want [kinds]float64
	}{
		{[]float64{0, math.E}, [kinds]float64{1, 0}},
		{[]float64{2, 0, 1, math.Sqrt(3), -2, 0}, [kinds]float64{math.Ln2, -1. / 3}}, // 0, 60, 180 degrees
		{[]float64{1, 0, 0.5 * math.E, root * math.E}, [kinds]float64{0.5, 0.5}},
	} {
		got := measure(c.x, 2)
		for k := range got {
			if !(math.Abs(got[k]-c.want[k]) <= 1e-15) {
				t.Errorf("%v: %v, want %v", c.x, got, c.want)
			}
		}
	}
}

func TestValidateNamesTheParameter(t *testing.T) {
	experimenttest.Refuse(t, New, []struct {
		Name, Problem string
		Change        func(e *Experiment)
	}{
		{"depth", "must be at least three", func(e *Experiment) { e.Depth = []int{8, 16} }},
		{"depth", "24 is not", func(e *Experiment) { e.Depth = []int{8, 16, 24} }},
		{"horizon", "here it is 0.8", func(e *Experiment) { e.Horizon = 0.1 }},
		{"horizon", "here it is 1.2e-09", func(e *Experiment) { e.Horizon = 1.5e-10 }},
		{"horizon", "must be a number above 0", func(e *Experiment) { e.Horizon = 0 }},
		{"samples", "must be a whole number from 2", func(e *Experiment) { e.Samples = 1 }},
	})
}

// A run of the default size keeps two statistics at 26 places of each of its thousand samples, and is refused
// if there is no room for them.
func TestNeeds(t *testing.T) {
	no := errors.New("no room")
	var needs run.Needs
	options := run.Options{Workers: 1, Preflight: func(n run.Needs) error { needs = n; return no }}
	err := New().Run(t.Context(), options, data.NewTable(run.Schema(New(), 1)))
	if seconds := needs.Seconds; err != no || !(seconds > 0) {
		t.Errorf("%v, %v s", err, seconds)
	}
	if needs.Rows != 48 || needs.Kept != 416_000 {
		t.Errorf("%+v", needs)
	}
}
