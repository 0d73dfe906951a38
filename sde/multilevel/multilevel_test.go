package multilevel

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"

	"gonum.org/v1/gonum/floats"
)

// brownianToken is the mean of <X_t,X_0> at t = ½ of one token, which makes a Brownian
// motion on the sphere: e^{-(d-1)σ²t/2}.
func brownianToken(t *testing.T, scheme sde.Scheme, depth int) (e *Expectation, want float64) {
	t.Helper()
	const dim, sigma = 3, 1.
	start, err := sde.NewStatesStart([]float64{1, 0, 0}, 1, dim)
	if err != nil {
		t.Fatal(err)
	}
	return &Expectation{
		Cell:     sde.Cell{Model: sde.TransformerSDE{Scheme: scheme, Sigma: sigma}, Tokens: 1, Dim: dim, Depth: depth, Start: start},
		Steps:    int64(depth / 2),
		Function: func(x []float64) float64 { return x[0] },
		Seed:     1,
	}, math.Exp(-(dim - 1) * sigma * sigma / 4)
}

// meanOverlap is the mean of the overlaps of all pairs.
func meanOverlap(tokens, dim int) func(x []float64) float64 {
	return func(x []float64) float64 {
		sum := 0.0
		for i := range tokens {
			for j := range i {
				sum += sphere.Dot(x[i*dim:(i+1)*dim], x[j*dim:(j+1)*dim])
			}
		}
		return 2 * sum / float64(tokens*(tokens-1))
	}
}

// fourTokens is the mean pairwise overlap of four tokens of dimension 6, β = 1, at T = 1.
func fourTokens(scheme sde.Scheme, depth int) *Expectation {
	return &Expectation{
		Cell:     sde.Cell{Model: sde.TransformerSDE{Scheme: scheme, Sigma: 1}, Tokens: 4, Dim: 6, Beta: 1, Depth: depth, Start: sde.UniformStart{}},
		Steps:    int64(depth),
		Function: meanOverlap(4, 6), Seed: 1,
	}
}

// Every scheme and coupling against the exact value: within 4.5 standard errors and the bias that
// was asked for. Four comparisons: false alarm 3e-5, if the bias is what it says.
func TestMultilevelOfABrownianMotionOnTheSphere(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	for _, s := range []struct {
		scheme     sde.Scheme
		antithetic bool
	}{{sde.Euler, false}, {sde.Geodesic, false}, {sde.Heun, false}, {sde.Heun, true}} {
		e, want := brownianToken(t, s.scheme, 4)
		m := Request{StandardError: 0.006, Antithetic: s.antithetic}
		got, err := e.Estimate(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%v: %.5f ± %.5f, bias %.5f, weak %v, variance %v, %.2g steps, plain %.2g",
			s, got.Value, got.StandardError, got.Bias, got.WeakDecay, got.VarianceDecay, got.Cost, got.PlainCost)
		if got.StandardError > m.StandardError || got.Bias > m.StandardError {
			t.Errorf("%v: standard error %v, bias %v", s, got.StandardError, got.Bias)
		}
		if math.Abs(got.Value-want) > 4.5*got.StandardError+m.StandardError {
			t.Errorf("%v: %v ± %v, want %v", s, got.Value, got.StandardError, want)
		}
	}
}

// The mean at a finest depth is that of trajectories at that depth, from an ensemble with
// other random numbers: within 4.5 standard errors, false alarm 7e-6 each.
func TestMultilevelEqualsPlainMonteCarlo(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	for _, antithetic := range []bool{false, true} {
		e := fourTokens(sde.Heun, 2)
		got, err := e.Estimate(t.Context(), Request{StandardError: 0.01, Finest: 32, Antithetic: antithetic})
		if err != nil {
			t.Fatal(err)
		}
		var plain sampleMoments
		cell := e.Cell
		cell.Depth = 32
		ensemble := sde.Ensemble[float64]{
			Cells: []sde.Cell{cell}, Trajectories: 3000, Layers: 32, Seed: 1,
			Observer: func(int) func(row *float64, v *sde.View) {
				return func(row *float64, v *sde.View) { *row = e.Function(v.Tokens()) }
			},
			Reduce: func(_ int, _ int64, row float64) error { plain.add(row); return nil },
		}
		if err := ensemble.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(got.Value-plain.mean) / math.Hypot(got.StandardError, plain.standardError()); off > 4.5 {
			t.Errorf("antithetic %v: %v ± %v, plain %v ± %v", antithetic, got.Value, got.StandardError, plain.mean, plain.standardError())
		}
	}
}

// A level of the run, from the increments of its path by address: the second path of an
// antithetic sample has those of a step of the smaller depth in reverse.
func TestSamplesAreOfTheirOwnPath(t *testing.T) {
	e := fourTokens(sde.Heun, 8)
	for doublings := range int64(3) {
		of := sampling{cell: e.Cell, steps: 8, doublings: int(doublings), antithetic: doublings > 0}
		s := newSampler(of, 3, e.Function)
		got, err := s.sample(t.Context(), 17)
		if err != nil {
			t.Fatal(err)
		}
		if doublings == 0 {
			of.doublings = 1
			pair, err := newSampler(of, 3, e.Function).sample(t.Context(), 17)
			if err != nil || pair.coarse == got.coarse {
				t.Errorf("the sample at one depth, %v, shares its path with the pair, or %v", got, err)
			}
			continue
		}
		coupled, err := brownian.NewCoupled([]sde.Cell{e.Cell, s.fineCell}, 3)
		if err != nil {
			t.Fatal(err)
		}
		if err := coupled.Restart(17); err != nil {
			t.Fatal(err)
		}
		path := brownian.NewPath(3, e.Cell.PathID(8), 8, 36)
		stepper, reversed, increment := sde.NewStepper(s.fineCell), slices.Clone(coupled.Tokens(0)), make([]float64, 36)
		for k := range int64(8) << doublings {
			path.Increment(increment, 17, int(doublings), k^(1<<doublings-1))
			if err := stepper.Step(reversed, increment); err != nil {
				t.Fatal(err)
			}
		}
		for range 8 {
			if err := coupled.Advance(nil); err != nil {
				t.Fatal(err)
			}
		}
		coarse, fine := coupled.Tokens(0), coupled.Tokens(1)
		distance, difference := floats.Distance(fine, coarse, 2), e.Function(fine)-e.Function(coarse)
		want := sample{e.Function(coarse), 0.5*e.Function(fine) + 0.5*e.Function(reversed), got.slope}
		if got != want || math.Abs(got.slope/math.Pow(difference/distance, 2)-1) > 1e-12 {
			t.Errorf("%v, want %v; slope %v", got, want, math.Pow(difference/distance, 2))
		}
	}
}

func TestMultilevelDoesNotDependOnWorkers(t *testing.T) {
	var want *Estimate
	for _, workers := range []int{1, 2, 7} {
		e := fourTokens(sde.Heun, 2)
		e.Workers = workers
		got, err := e.Estimate(t.Context(), Request{StandardError: 0.02, Finest: 32, Antithetic: true})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !reflect.DeepEqual(got.Levels, want.Levels) || got.Value != want.Value {
			t.Errorf("%d workers: %+v, with one %+v", workers, got, want)
		}
	}
}

// What the theory does not cover is refused: a function that jumps, with both couplings; and a
// recursion whose law is not Gaussian, which does not converge along its path. A kink is no jump.
func TestMultilevelRefusesWhereNothingDecays(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	jump := func(x []float64) float64 { return math.Copysign(1, x[0]-0.3) }
	kink := func(x []float64) float64 { return math.Abs(x[0] - 0.3) }
	for _, c := range []struct {
		law        sde.Law
		scheme     sde.Scheme
		antithetic bool
		function   func(x []float64) float64
		want       string // nothing if it is not refused
	}{
		{sde.Gaussian, sde.Euler, false, jump, "may jump"},
		{sde.Gaussian, sde.Heun, true, jump, "may jump"},
		{sde.Rademacher, sde.Euler, false, kink, "may not converge"},
		{sde.Gaussian, sde.Euler, false, kink, ""},
		{sde.Gaussian, sde.Heun, true, kink, ""},
	} {
		e, _ := brownianToken(t, c.scheme, 4)
		if e.Function = c.function; c.law != sde.Gaussian {
			e.Cell.Model = sde.Transformer{Law: c.law, Sigma: 1}
		}
		_, err := e.Estimate(t.Context(), Request{StandardError: 0.02, Antithetic: c.antithetic})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, %v, antithetic %v: error %v, want %q", c.law, c.scheme, c.antithetic, err, c.want)
		}
	}
}

// A constant function has no decays, and is not refused: two opposite tokens stay so.
func TestMultilevelOfAConstant(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	e := &Expectation{
		Cell:  sde.Cell{Model: sde.TransformerSDE{Scheme: sde.Heun, Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1, Depth: 2, Start: sde.PairStart{Overlap: -1}},
		Steps: 2, Function: meanOverlap(2, 3), Seed: 1,
	}
	got, err := e.Estimate(t.Context(), Request{StandardError: 1e-3, Antithetic: true})
	if err != nil || math.Abs(got.Value+1) > 1e-14 || !math.IsNaN(got.VarianceDecay.Order) || got.Bias > 1e-14 {
		t.Errorf("%+v, error %v", got, err)
	}
}

func TestExpectationRefuses(t *testing.T) {
	for what, change := range map[string]func(e *Expectation, m *Request){
		"standard error 0":      func(_ *Expectation, m *Request) { m.StandardError = 0 },
		"standard error NaN":    func(_ *Expectation, m *Request) { m.StandardError = math.NaN() },
		"finest depth 24":       func(_ *Expectation, m *Request) { m.Finest = 24 },
		"finest depth 8":        func(_ *Expectation, m *Request) { m.Finest = 8 },
		"scheme euler":          func(e *Expectation, m *Request) { m.Antithetic = true },
		"steps 0":               func(e *Expectation, _ *Request) { e.Steps = 0 },
		"steps 1048577":         func(e *Expectation, _ *Request) { e.Steps = 1<<20 + 1 },
		"must allow 3":          func(e *Expectation, _ *Request) { e.Steps = 1 << 18 },
		"workers -1":            func(e *Expectation, _ *Request) { e.Workers = -1 },
		"function: missing":     func(e *Expectation, _ *Request) { e.Function = nil },
		"beta -1":               func(e *Expectation, _ *Request) { e.Cell.Beta = -1 },
		"GiB":                   func(e *Expectation, _ *Request) { e.Cell.Tokens = 1 << 20 },
		"the function is NaN":   func(e *Expectation, _ *Request) { e.Function = func([]float64) float64 { return math.NaN() } },
		"more than 2^39 sample": func(e *Expectation, m *Request) { m.StandardError, m.Finest = 1e-9, 32 },
	} {
		e := fourTokens(sde.Euler, 8)
		e.Steps = 1
		m := Request{StandardError: 0.1}
		change(e, &m)
		if _, err := e.Estimate(t.Context(), m); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := fourTokens(sde.Euler, 8).Estimate(stopped, Request{StandardError: 1e-3}); err != context.Canceled {
		t.Errorf("error %v of a run that was stopped", err)
	}
}

// The moments against their definition, with a mean far from zero.
func TestSampleMoments(t *testing.T) {
	values := []float64{1e6, 1e6 + 1, 1e6 + 5, 1e6 - 2, 1e6 + 7.5}
	var m sampleMoments
	sums := [5]float64{}
	for _, v := range values {
		m.add(v)
	}
	for _, v := range values {
		for k := range sums {
			sums[k] += math.Pow(v-1e6-2.3, float64(k))
		}
	}
	for k, got := range []float64{2: m.second, 3: m.third, 4: m.fourth} {
		if k >= 2 && math.Abs(got-sums[k]) > 1e-8*math.Abs(sums[k]) {
			t.Errorf("power %d: %v, want %v", k, got, sums[k])
		}
	}
	if m.mean != 1e6+2.3 || math.Abs(m.variance()-sums[2]/4) > 1e-8 {
		t.Errorf("mean %v, variance %v", m.mean, m.variance())
	}
}

// A pure power has its order; scatter widens the interval.
func TestDecay(t *testing.T) {
	var pure, scattered, one line
	for k, factor := range []float64{1, 1.4, 0.7, 1.2, 0.9} {
		y := 3 * math.Exp2(-1.5*float64(k))
		pure.add(k, y, 0.01*y)
		scattered.add(k, y*factor, 0.01*y)
	}
	one.add(3, 2, 0.1)
	if d := pure.decay(); math.Abs(d.Order-1.5) > 1e-9 || math.Abs(d.High-d.Low-2*1.96*0.01/math.Ln2/math.Sqrt(10)) > 1e-5 {
		t.Errorf("order %v", d)
	}
	if d := scattered.decay(); d.High-d.Low < 0.3 || d.High < 1.25 || d.Low > 1.5 {
		t.Errorf("order %v with scatter", d)
	}
	if d := one.decay(); !math.IsNaN(d.Order) || d.High == d.High {
		t.Errorf("order %v of one point", d)
	}
}
