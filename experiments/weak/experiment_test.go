package weak

import (
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/fit"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sde"
	"antipode/sphere/must"
)

func TestWeakValidateNamesTheParameter(t *testing.T) {
	z0 := 2.
	experimenttest.Refuse(t, New, []struct {
		Name, Problem string
		Change        func(e *Experiment)
	}{
		{"model", "must be transformer or hybrid", func(w *Experiment) { w.Model = "flow" }},
		{"depth", "at least three", func(w *Experiment) { w.Depth = []int{8, 16} }},
		{"depth", "24 is not", func(w *Experiment) { w.Depth = []int{24, 8, 16} }},
		{"depth", "16 is there twice", func(w *Experiment) { w.Depth = []int{16, 16, 8} }},
		{"tokens", "must be a whole number from 2", func(w *Experiment) { w.Tokens = 1 }},
		{"dim", "must be a whole number from 2", func(w *Experiment) { w.Dim = 1 }},
		{"beta", "must be a number from 0", func(w *Experiment) { w.Beta = math.NaN() }},
		{"beta", "overflows", func(w *Experiment) { w.Attention, w.Beta = sde.Unnormalized, 400 }},
		{"epsilon", "must be a number above 0", func(w *Experiment) { w.Epsilon = 0 }},
		{"interaction", "must be identity, gaussian:SCALE, rotation:ANGLE or a file", func(w *Experiment) {
			w.Interaction = experimenttest.Must(setting.ParseInteraction("resampled:1"))
		}},
		{"attention", "must be softmax or unnormalized", func(w *Experiment) { w.Attention = -1 }},
		{"horizon", "whole number of layers", func(w *Experiment) { w.Horizon = 0.1 }},
		{"horizon", "steps of the least depth", func(w *Experiment) { w.Horizon = 1e6 }},
		{"z0", "must be uniform or a number", func(w *Experiment) { w.Z0 = &z0 }},
		{"z0", "must be uniform for more", func(w *Experiment) { w.Tokens = 3 }},
		{"trajectories", "must be a whole number from 2", func(w *Experiment) { w.Trajectories = 1 }},
	})
}

// gaussianSeries returns the series of w with Gaussian increments whose schemes have one of the names, or all
// such series if no name is given.
func gaussianSeries(w *Experiment, names ...string) (series []weakSeries) {
	for _, s := range w.series() {
		if s.law == sde.Gaussian && (len(names) == 0 || strings.Contains(strings.Join(names, " "), s.name)) {
			series = append(series, s)
		}
	}
	return series
}

// quietHybrid returns a hybrid with small noise. Its error is nearly that of a scheme for an ordinary
// differential equation, so that the order shows with few trajectories.
func quietHybrid(trajectories int64, depths ...int) *Experiment {
	w, z0 := New(), -0.3
	w.Model, w.Dim, w.Beta, w.Epsilon, w.Horizon, w.Z0 = setting.Hybrid, 3, 2, 0.4, 1, &z0
	w.Trajectories, w.Depth = trajectories, depths
	return w
}

// weakEstimates returns the estimates of each series and statistic, and the limit of each statistic.
func weakEstimates(t *testing.T, w *Experiment, series []weakSeries) ([][3]fit.Estimates, [3]float64) {
	t.Helper()
	limit := must.Get(w.limit())(t)
	all := must.Get(w.estimates(t.Context(), run.Options{Seed: 1}, series))(t)
	return all, limit
}

// checkWeakOrder checks that an order is compatible with 1, given its 95 % interval: 1 lies in an interval
// 2.3 times as wide, which is ±4.5 standard errors and misses the true order with probability 7e-6; and ½ and
// 2 lie outside the 95 % interval.
func checkWeakOrder(t *testing.T, what string, order, low, high float64) {
	t.Helper()
	const wider = 2.3
	if !(order-wider*(order-low) < 1 && order+wider*(high-order) > 1 && low > 0.5 && high < 2) {
		t.Errorf("%s: order %.3f (%.3f to %.3f), want 1", what, order, low, high)
	}
}

// For the hybrid, the recursion and all schemes have weak order 1 for the mean of z at five coupled depths;
// the long tests determine the order to 0.15. The means of z and z² converge to those of the Fokker-Planck
// equation, within 4.5 standard errors: one false alarm in 10^4 seeds for all comparisons together. The
// comparisons have power: extrapolated means do not show order 1, and the limit for an ε that is 10 % larger
// is rejected.
func TestWeakOrderOfTheHybrid(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	w := quietHybrid(3000, 3, 6, 12, 24, 48)
	series := gaussianSeries(w)
	all, limit := weakEstimates(t, w, series)
	wrong := *w
	wrong.Epsilon *= 1.1
	wrongLimit := must.Get(wrong.limit())(t)
	for i, s := range series {
		detected := false
		for k, e := range all[i][:2] {
			order, low, high := e.Order(math.NaN())
			a, stderr, _ := atInfiniteDepth(e)
			t.Logf("%s, %s: order %.3f (%.3f to %.3f), %.5f ± %.5f in the limit, theory %.5f", s.name,
				statisticNames[k], order, low, high, a, stderr, limit[k])
			if k == 0 {
				checkWeakOrder(t, s.name, order, low, high)
			}
			if !(math.Abs(a-limit[k]) <= 4.5*stderr) {
				t.Errorf("%s, %s: %.5f ± %.5f in the limit, want %.5f", s.name, statisticNames[k], a, stderr,
					limit[k])
			}
			detected = detected || math.Abs(a-wrongLimit[k]) > 4.5*stderr
			if _, low, high := e.Extrapolated().Order(math.NaN()); low > 0.75 && high < 1.25 {
				t.Errorf("%s, %s: the extrapolation has order 1 as well", s.name, statisticNames[k])
			}
		}
		if !detected {
			t.Errorf("%s: an ε that is 10 %% off makes no difference", s.name)
		}
	}
}

// From means that follow an exact power law of the depth, with or without a term of the next order, Order
// finds the exponent, whether the limit is given or not. Extrapolated means of a law of order 1 have order 2.
// Order returns NaN for pure noise, for a singular covariance, and if a mean is NaN.
func TestOrderOfExactLaws(t *testing.T) {
	depths := []float64{16, 32, 64, 128, 256}
	for _, p := range []float64{0.5, 1, 2} {
		for _, second := range []float64{0, -3, 3} {
			for _, limit := range []float64{0.7, math.NaN()} {
				e := fit.Estimates{Depths: depths, Covariance: make([]float64, 25)}
				for i, depth := range depths {
					e.Means = append(e.Means, 0.7+math.Pow(depth, -p)*(1+second/depth))
					e.Covariance[6*i] = 1e-14
				}
				order, low, high := e.Order(limit)
				if !(math.Abs(order-p) <= 1e-3) || !(low < p && p < high && high-low < 0.01) {
					t.Errorf("order %v (%v to %v), want %v; second term %v, limit %v", order, low, high, p,
						second, limit)
				}
				if x := e.Extrapolated(); p == 1 && second != 0 {
					if order, _, _ := x.Order(0.7); !(math.Abs(order-2) <= 0.01) {
						t.Errorf("extrapolated: order %v", order)
					}
				}
			}
		}
	}
	for name, e := range map[string]fit.Estimates{
		"noise": {Depths: depths[:3], Means: []float64{0.1, -0.1, 0.1},
			Covariance: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}},
		"singular": {Depths: depths[:3], Means: []float64{1, 2, 3}, Covariance: make([]float64, 9)},
		"no numbers": {Depths: depths[:2], Means: []float64{math.NaN(), 1},
			Covariance: []float64{1, 0, 0, 1}},
	} {
		if order, low, high := e.Order(0); order == order || low == low || high == high {
			t.Errorf("%s: order %v (%v to %v)", name, order, low, high)
		}
	}
}
