package theory

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
	"antipode/overlap"
	"antipode/overlap/exactlaw"
	"antipode/overlap/finitedepth"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere/activation"
	"antipode/sphere/invariant"
	"antipode/sphere/must"
)

// A probability at a depth is known if its error is at most 10⁻⁵.
func TestLargestErrorAtADepth(t *testing.T) {
	for error, known := range map[float64]bool{0: true, 1e-5: true, domaintest.Above(1e-5): false,
		math.NaN(): false} {
		got := DepthOf(exactlaw.Outcomes{Antipodal: overlap.Probability{Value: 0.25, Error: error},
			Single: overlap.Probability{Value: 0.5, Error: 1}})
		if known && got.Antipodal != 0.25 || !known && !math.IsNaN(got.Antipodal) ||
			!math.IsNaN(got.Single) {
			t.Errorf("error %v: %+v", error, got)
		}
	}
}

// A line is drawn over the range of its values, and over ½ around a single one, from 0 on.
func TestRangesOfLines(t *testing.T) {
	for _, c := range []struct {
		values    []float64
		low, high float64
	}{
		{[]float64{0.5, 1, 3}, 0.5, 3}, {[]float64{0, 1e-9}, 0, 1e-9}, {[]float64{2}, 1.75, 2.25},
		{[]float64{0.125}, 0, 0.375}, {[]float64{0}, 0, 0.25}, {[]float64{0.25}, 0, 0.5},
	} {
		if low, high := LineRange(c.values); low != c.low || high != c.high {
			t.Errorf("%v: from %v to %v", c.values, low, high)
		}
	}
}

// The top of two lines is the greatest number of either; gaps do not count.
func TestTopOfLines(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		horizon, limit []float64
		want           float64
	}{
		{[]float64{0.1, nan, 0.4, 0.2}, []float64{nan, 0.3}, 0.4}, {[]float64{0.1}, []float64{0.2, 0.3}, 0.3},
		{[]float64{nan, 0.2}, []float64{nan}, 0.2}, {[]float64{nan}, nil, 0}, {nil, nil, 0},
	} {
		if got := (Curves{curve{y: c.horizon}, curve{y: c.limit}}).Top(); got != c.want {
			t.Errorf("%v and %v: %v", c.horizon, c.limit, got)
		}
	}
}

// refused are cells for which no theory can be computed: a dimension that does not exist, and a clock that is
// too fast for numbers.
func refused() (noDimension, noClock sde.Cell) {
	c := sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1, Depth: 10}
	noDimension, noClock = c, c
	noDimension.Dim = 1
	noClock.Beta, noClock.Attention = 1000, sde.Unnormalized
	return noDimension, noClock
}

// A cell that no theory accepts is an error, also in the midst of others. If only its time is out of range,
// its laws and what depends on them are unknown.
func TestCellsWithoutATheory(t *testing.T) {
	noDimension, noClock := refused()
	if laws, err := UniformLaws(noDimension, []float64{1}, 1e-3); err == nil {
		t.Errorf("laws %v in one dimension", laws)
	}
	if laws, err := UniformLaws(noClock, []float64{1}, 1e-3); err != nil || laws != nil {
		t.Errorf("laws %v, %v of a fast clock", laws, err)
	}
	for _, c := range []sde.Cell{noDimension, noClock} {
		if p := horizonProbability(c, 10, 1, 1e-3); !math.IsNaN(p) {
			t.Errorf("%+v: %v", c, p)
		}
	}
	recursion := noDimension
	recursion.Model = sde.Transformer{Sigma: 1}
	if p := horizonProbability(recursion, 10, 1, 1e-3); !math.IsNaN(p) {
		t.Errorf("at a depth in one dimension: %v", p)
	}
	q := Question{Layers: 10, Horizon: 1, Tolerance: 1e-3, By: []overlap.Parameter{overlap.ByBeta}}
	errors, points := 0, 0
	for p, err := range q.Points(t.Context(), 1, []sde.Cell{noClock, noDimension, noClock}) {
		if err != nil {
			errors++
			continue
		}
		if points++; !math.IsNaN(p.Horizon.Antipodal) || len(p.Derivatives) != 1 ||
			!math.IsNaN(p.Derivatives[0].Horizon.Value) || !math.IsNaN(p.Derivatives[0].Depth.Value) {
			t.Errorf("%+v", p)
		}
	}
	if errors != 1 || points != 1 {
		t.Errorf("%d errors and %d points", errors, points)
	}
}

// The line of a scheme of the limit is within a quarter of its width of the law at the horizon, computed a
// thousand times more accurately.
func TestPointsOfLines(t *testing.T) {
	c := sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1.5, Depth: 5}
	law := must.Get(fokkerplanck.Uniform(must.Get(Diffusion(c))(t), []float64{2}, 1e-6))(t)[0]
	got, want := horizonProbability(c, 10, 2, 0.1), law.Antipodal(0.1).Value
	if !(math.Abs(got-want) <= LineWidth/4) || !(want > 0.05) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The mean of an overlap is 1 minus the integral of its distribution function over a length of 2, so its
// derivative has twice the error of the derivative of that function.
func TestErrorOfTheMeanOverlap(t *testing.T) {
	c := sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1, Depth: 10}
	d := must.Get(Diffusion(c))(t)
	q := Question{Layers: 10, Horizon: 1, Tolerance: 0.1}
	laws, ok, err := fokkerplanck.UniformDerivative(d, overlap.ByBeta, []float64{1}, 1e-5)
	if !ok || err != nil || !(laws[0].Error > 0) {
		t.Fatal(laws, ok, err)
	}
	if got := q.Derivative(d, nil, nil, overlap.ByBeta).Overlap.Error; got != 2*laws[0].Error {
		t.Errorf("%v, want twice %v", got, laws[0].Error)
	}
}

// The theory of three tokens is that of three tokens under value matrices with independent entries, and of
// nothing beside them.
func TestCellsOfThreeTokens(t *testing.T) {
	three := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 3, Dim: 3, Beta: 1, Depth: 10}
	for name, c := range map[string]struct {
		change func(c *sde.Cell)
		has    bool
	}{
		"three tokens": {func(*sde.Cell) {}, true},
		"ginibre": {func(c *sde.Cell) {
			c.Model = sde.Transformer{Sigma: 1, Covariance: invariant.Ginibre}
		}, true},
		"two tokens":  {func(c *sde.Cell) { c.Tokens = 2 }, false},
		"four tokens": {func(c *sde.Cell) { c.Tokens = 4 }, false},
		"the hybrid":  {func(c *sde.Cell) { c.Model = sde.Hybrid{Epsilon: 1} }, false},
		"symmetric": {func(c *sde.Cell) {
			c.Model = sde.Transformer{Sigma: 1, Covariance: invariant.Symmetric}
		}, false},
		"a matrix":      {func(c *sde.Cell) { c.Interaction = make([]float64, 9) }, false},
		"random scores": {func(c *sde.Cell) { c.Resampling.Spread = 1 }, false},
		"a drift":       {func(c *sde.Cell) { c.Drift = 1 }, false},
		"an MLP": {func(c *sde.Cell) {
			c.MLP = sde.MLP{Activation: activation.Tanh, Strength: 1, Variance: 1}
		}, false},
	} {
		cell := three
		c.change(&cell)
		if HasThreeTokens(cell) != c.has {
			t.Errorf("%s: %v", name, !c.has)
		}
		if c.has {
			continue
		}
		if all := ThreeTokensAt(cell, []float64{1, 2}, 0.1); len(all) != 2 || !math.IsNaN(all[1].Antipodal) ||
			!math.IsNaN(all[1].Single) || !math.IsNaN(all[1].Error) {
			t.Errorf("%s: %+v", name, all)
		}
	}
	if all := ThreeTokensAt(three, nil, 0.1); len(all) != 0 {
		t.Errorf("%+v without times", all)
	}
	three.Dim = 1
	if all := ThreeTokensAt(three, []float64{1}, 0.1); len(all) != 1 || !math.IsNaN(all[0].Single) {
		t.Errorf("%+v in one dimension", all)
	}
	for value, want := range map[float64]float64{-1e-9: 0, 0: 0, 0.5: 0.5, 1: 1, 1.001: 1} {
		if got := Clamped(overlap.Probability{Value: value}); got != want {
			t.Errorf("%v: %v", value, got)
		}
	}
}

// The exponent and the critical β of correlated entries are unknown if the noise of a layer is too large;
// what is not allowed for independent entries is an error.
func TestExponentsThatAreNotKnown(t *testing.T) {
	for sigma, known := range map[float64]bool{1: true, 1000: false} {
		r := finitedepth.Isotropic{Dim: 4, Beta: 0.5, Sigma: sigma, Depth: 100,
			Covariance: invariant.Symmetric}
		if lambda, err := LyapunovDepth(r); err != nil || math.IsNaN(lambda) == known {
			t.Errorf("σ = %g: exponent %v, %v", sigma, lambda, err)
		}
	}
	beta, err := CriticalBetaDepth(4, overlap.Softmax, 1000, invariant.Symmetric, 100)
	if err != nil || !math.IsNaN(beta) {
		t.Errorf("critical β %v, %v", beta, err)
	}
	none := finitedepth.Isotropic{Dim: 4, Beta: 0.5, Sigma: 1, Covariance: overlap.Ginibre}
	if lambda, err := LyapunovDepth(none); err == nil {
		t.Errorf("exponent %v without layers", lambda)
	}
	if beta, err = CriticalBetaDepth(4, overlap.Softmax, 1, overlap.Ginibre, 0); err == nil {
		t.Errorf("critical β %v without layers", beta)
	}
	wrong := func(float64) (*overlap.Diffusion, error) { return overlap.New(1, 1, overlap.Softmax, 1) }
	if beta, err = CriticalBetaOf(wrong); err == nil || !math.IsNaN(beta) {
		t.Errorf("critical β %v, %v in one dimension", beta, err)
	}
}
