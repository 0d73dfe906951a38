package sde

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// eulerMean is E <X_T,X_0> at T = ½ of the token of brownianToken after steps of Euler at a depth: the
// power of the mean (1+|v|²)^{-1/2} of one step, |v|²·depth being chi-square with d-1 = 2 degrees of
// freedom.
func eulerMean(depth int) float64 {
	step := quad.Fixed(func(u float64) float64 { return math.Exp(-u) / math.Sqrt(1+2*u/float64(depth)) },
		0, math.Inf(1), 200, nil, 0)
	return math.Pow(step, float64(depth)/2)
}

// Intervals of ±1.96 standard errors cover the mean in 95 of 100 runs, that at the finest depth of
// multilevel estimates and the combination of two depths of extrapolated ones: of 200 runs in 190 ±
// 3.1, more than 4.5 of these off in one test of 10^5; and so many deviations have mean 0 and variance
// 1. With pilots of 64 samples, from which the number of all is taken, the mean at a standard error of
// 0.03 was 0.14 ± 0.03.
func TestStandardErrorsCover(t *testing.T) {
	if testing.Short() {
		t.Skip("many runs")
	}
	const runs, asked = 200, 0.012
	for name, c := range map[string]struct {
		run  func(e *Expectation) (value, stderr float64, err error)
		want float64
	}{
		"multilevel": {func(e *Expectation) (float64, float64, error) {
			m, err := e.Multilevel(t.Context(), Multilevel{StandardError: asked, Finest: 16})
			if err != nil {
				return 0, 0, err
			}
			if m.StandardError > asked {
				t.Errorf("standard error %v, asked %v", m.StandardError, asked)
			}
			return m.Value, m.StandardError, nil
		}, eulerMean(16)},
		"extrapolated": {func(e *Expectation) (float64, float64, error) {
			x, err := e.Extrapolate(t.Context(), asked)
			if err != nil {
				return 0, 0, err
			}
			return x.Value, x.StandardError, nil
		}, 2*eulerMean(8) - eulerMean(4)},
	} {
		covered, sum, squares := 0, 0.0, 0.0
		for seed := range uint64(runs) {
			e, _ := brownianToken(t, Euler, 4)
			e.Seed, e.Workers = seed, 1
			value, stderr, err := c.run(e)
			if err != nil {
				t.Fatal(err)
			}
			z := (value - c.want) / stderr
			sum, squares = sum+z/runs, squares+z*z/runs
			if math.Abs(z) <= 1.96 {
				covered++
			}
		}
		t.Logf("%s: %d of %d covered, mean %.3f, variance %.3f", name, covered, runs, sum, squares)
		if covered < 176 || math.Abs(sum) > 4.5/math.Sqrt(runs) ||
			math.Abs(squares-1) > 4.5*math.Sqrt(2./runs) {
			t.Errorf("%s: %d of %d covered, mean %.3f, variance %.3f", name, covered, runs, sum, squares)
		}
	}
}

// Of means that fall by a pure power, the bias is the sum of all differences that were not drawn. An order
// that was fitted as more than 1 counts as 1, less than ½ as ½, and none as 1.
func TestBiasIsTheRestOfTheSeries(t *testing.T) {
	const pairs, first, stderr = 5, 0.3, 1e-4
	for _, antithetic := range []bool{false, true} {
		for _, order := range []float64{0.5, 0.8, 1} {
			for chance := range 3 { // the last means are 0 by chance
				m := Multilevel{StandardError: 1e-3, Antithetic: antithetic}
				r := &multilevelRun{
					Expectation: &Expectation{Cell: Cell{Depth: 4}, Steps: 4},
					request:     m, doublings: m.doublings(),
				}
				ratio := math.Pow(4, -order)
				if antithetic {
					ratio = math.Pow(2, -order)
				}
				const n = 1000
				for k := range pairs {
					values := sampleMoments{count: n, mean: first * math.Pow(ratio, float64(k)),
						second: stderr * stderr * n * (n - 1)}
					if k >= pairs-chance {
						values.mean = 0
					}
					r.pairs = append(r.pairs, levelSamples{sampling: r.sampling(k, true), values: values})
				}
				rest := 0.0
				for k := pairs; k < pairs+400; k++ {
					rest += first * math.Pow(ratio, float64(k))
				}
				rest += stderr * math.Pow(ratio, float64(chance+1)) / (1 - ratio)
				if chance == 0 {
					if d := r.weakDecay(); math.Abs(d.Order-order) > 1e-6 {
						t.Errorf("order %v, want %v", d, order)
					}
				}
				fitted := []float64{order}
				switch order {
				case 0.5:
					fitted = append(fitted, 0.1, -1)
				case 1:
					fitted = append(fitted, 1.3, 2, math.NaN())
				}
				for _, o := range fitted {
					if got := r.bias(Decay{Order: o}); math.Abs(got/rest-1) > 1e-9 {
						t.Errorf("antithetic %v, order %v fitted as %v, %d means by chance 0: bias %v, want %v",
							antithetic, order, o, chance, got, rest)
					}
				}
			}
		}
	}
}

// The bias of Euler's steps is known. Here is what it is estimated to be: in each of a few runs at least as
// large, but less than ten times. The long tests have more runs.
func TestBiasOfEulerIsNotUnderestimated(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	const asked = 0.02
	for seed := range uint64(6) {
		e, limit := brownianToken(t, Euler, 4)
		e.Seed = seed
		got, err := e.Multilevel(t.Context(), Multilevel{StandardError: asked})
		if err != nil {
			t.Fatal(err)
		}
		finest := got.Levels[len(got.Levels)-1].Depth
		if bias := math.Abs(eulerMean(finest) - limit); got.Bias < bias || got.Bias > asked {
			t.Errorf("seed %d: bias %v at depth %d, estimated %v", seed, bias, finest, got.Bias)
		}
	}
}

// The cost is the number of steps: of a mean at depth 4 and T = ½ 2, of a difference to depth 16 as
// many and 8 more, and of an antithetic one to depth 8 two paths of 4 more.
func TestCostCountsSteps(t *testing.T) {
	for _, c := range []struct {
		request Multilevel
		costs   []float64
		finest  float64 // steps of a sample at the finest depth
	}{
		{Multilevel{StandardError: 0.05, Finest: 16}, []float64{2, 10}, 8},
		{Multilevel{StandardError: 0.05, Finest: 8, Antithetic: true}, []float64{2, 10}, 4},
	} {
		e, _ := brownianToken(t, Heun, 4)
		got, err := e.Multilevel(t.Context(), c.request)
		if err != nil {
			t.Fatal(err)
		}
		steps, square := 0.0, 0.0
		for k, l := range got.Levels {
			if l.Cost != c.costs[k] {
				t.Errorf("level %d: %v steps a sample, want %v", k, l.Cost, c.costs[k])
			}
			steps += c.costs[k] * float64(l.Samples)
			square += l.Variance / float64(l.Samples)
		}
		plain := got.Levels[0].Variance / square * c.finest
		if len(got.Levels) != 2 || got.Cost != steps || math.Abs(got.PlainCost/plain-1) > 1e-12 {
			t.Errorf("%d levels, cost %v, want %v; plain %v, want %v", len(got.Levels), got.Cost, steps,
				got.PlainCost, plain)
		}
		if math.Abs(got.StandardError-math.Sqrt(square)) > 1e-15 {
			t.Errorf("standard error %v, want %v", got.StandardError, math.Sqrt(square))
		}
	}
}

// widenedCoverage is the probability that a normal number lies within 1.96·√max(1, s) for an
// independent mean s of so many squares of normal numbers, all with the given standard deviation: the
// coverage of an interval that grows with the scatter.
func widenedCoverage(freedom int, deviation float64) float64 {
	inside := func(s float64) float64 {
		reach := distuv.UnitNormal.Quantile(0.975) * math.Sqrt(max(1, s*deviation*deviation)) / deviation
		return math.Erf(reach / math.Sqrt2)
	}
	if freedom == 0 {
		return inside(0)
	}
	law := distuv.ChiSquared{K: float64(freedom)}
	return quad.Fixed(func(p float64) float64 { return inside(law.Quantile(p) / float64(freedom)) }, 0,
		1, 2000, nil, 0)
}

// The interval of a decay covers the order as often as it should: 95 times in 100 with two points,
// with more as often as an interval that grows with the scatter does, computed by quadrature; also
// where the scatter is larger than the errors say. 20,000 fits each: 0.0015, and 4.5 of these are
// exceeded in one test of 10^4.
func TestIntervalOfADecayCovers(t *testing.T) {
	const fits, order, relative = 20_000, 1.3, 0.02
	random := rand.New(rand.NewPCG(5, 17))
	for _, points := range []int{2, 3, 4, 6} {
		for _, scatter := range []float64{1, 2.5} {
			covered := 0
			for range fits {
				var l line
				for k := range points {
					y := math.Exp2(-order*float64(k)) * math.Exp(relative*scatter*random.NormFloat64())
					l.add(k, y, relative*y)
				}
				if d := l.decay(); d.Low <= order && order <= d.High {
					covered++
				}
			}
			got, want := float64(covered)/fits, widenedCoverage(points-2, scatter)
			if math.Abs(got-want) > 4.5*math.Sqrt(want*(1-want)/fits) {
				t.Errorf("%d points, scatter %v: %.4f are covered, want %.4f", points, scatter, got, want)
			}
		}
	}
}

// How far a path can be refined: its base steps are at most 2^20 at the smaller depth of a pair, and a
// depth at most 2^31. Three pairs of 4 times the depth each, or six of twice, are the least without a
// finest depth.
func TestPairsThatAPathAllows(t *testing.T) {
	for _, c := range []struct {
		steps      int64
		depth      int
		antithetic bool
		finest     int
		want       int // 0 for none
	}{
		{1 << 16, 8, false, 0, 3}, {1<<16 + 1, 8, false, 0, 0},
		{1 << 15, 8, true, 0, 6}, {1<<15 + 1, 8, true, 0, 0},
		{1, 8, false, 32, 1}, {1, 8, false, 512, 3}, {1, 8, false, 16, 0}, {1, 8, false, 8, 0}, {1, 8, true, 16, 1},
		{1 << 18, 8, false, 128, 2}, {1 << 18, 8, false, 512, 0},
		{1, 1 << 25, false, 0, 3}, {1, 1<<25 + 1, false, 0, 0},
	} {
		m := Multilevel{Antithetic: c.antithetic, Finest: c.finest}
		r := &multilevelRun{
			Expectation: &Expectation{Cell: Cell{Depth: c.depth}, Steps: c.steps},
			request:     m, doublings: m.doublings(),
		}
		if got, err := r.pairsTo(c.finest); got != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("%+v: %d pairs, error %v", c, got, err)
		}
	}
}
