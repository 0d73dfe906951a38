package theory

import (
	"errors"
	"math"
	"testing"

	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/activation"
	"antipode/sphere/invariant"
	"antipode/sphere/must"
)

// A probability is known if its error is at most 10⁻³, and the error of two of them is the greater one that
// is known.
func TestKnownProbabilities(t *testing.T) {
	for _, c := range []struct {
		error float64
		known bool
	}{{0, true}, {1e-3, true}, {math.Nextafter(1e-3, 1), false}, {math.NaN(), false}} {
		got := Known(overlap.Probability{Value: 0.25, Error: c.error})
		if c.known != (got == overlap.Probability{Value: 0.25, Error: c.error}) ||
			c.known == (math.IsNaN(got.Value) && math.IsNaN(got.Error)) {
			t.Errorf("error %v: %+v", c.error, got)
		}
	}
	nan := math.NaN()
	for _, c := range [][3]float64{{1, 2, 2}, {2, 1, 2}, {1, 1, 1}, {nan, 1, 1}, {1, nan, 1},
		{nan, nan, nan}} {
		if got := greater(c[0], c[1]); got != c[2] && !(math.IsNaN(got) && math.IsNaN(c[2])) {
			t.Errorf("of %v and %v %v", c[0], c[1], got)
		}
	}
}

// The exact law is that of two tokens under a recursion with B = I; of recursion (4) with independent
// Gaussian entries only.
func TestCellsWithAnExactLaw(t *testing.T) {
	mlp := sde.MLP{Activation: activation.Tanh, Strength: 1, Variance: 1}
	model := func(m sde.Model) func(c *sde.Cell) { return func(c *sde.Cell) { c.Model = m } }
	for name, c := range map[string]struct {
		change func(c *sde.Cell)
		exact  bool
	}{
		"transformer":    {func(*sde.Cell) {}, true},
		"hybrid":         {model(sde.Hybrid{Law: sde.Rademacher, Epsilon: 1}), true},
		"with a drift":   {func(c *sde.Cell) { c.Drift = 0.5 }, true},
		"ginibre":        {model(sde.Transformer{Sigma: 1, Covariance: invariant.Ginibre}), true},
		"three tokens":   {func(c *sde.Cell) { c.Tokens = 3 }, false},
		"a matrix":       {func(c *sde.Cell) { c.Interaction = make([]float64, 16) }, false},
		"random scores":  {func(c *sde.Cell) { c.Resampling.Spread = 1 }, false},
		"random keys":    {func(c *sde.Cell) { c.Resampling.Keys = 3 }, false},
		"another law":    {model(sde.Transformer{Sigma: 1, Law: sde.Uniform}), false},
		"symmetric":      {model(sde.Transformer{Sigma: 1, Covariance: invariant.Symmetric}), false},
		"the limit":      {model(sde.TransformerSDE{Sigma: 1}), false},
		"the flow":       {model(sde.Flow{}), false},
		"beside an MLP":  {func(c *sde.Cell) { c.MLP = mlp }, true},
		"after the head": {func(c *sde.Cell) { c.Arrangement = sde.InSequence }, true},
	} {
		cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1, Depth: 20}
		c.change(&cell)
		r, err := Recursion(cell)
		if err != nil || (r != nil) != c.exact {
			t.Errorf("%s: %v, %v", name, r != nil, err)
		}
		if c.exact {
			continue
		}
		if at := AtDepth(cell, 3, 1e-3); !math.IsNaN(at.Single) || !math.IsNaN(at.Antipodal) {
			t.Errorf("%s: %+v", name, at)
		}
	}
}

// The overlap of two tokens is a diffusion with B = I, and for a transformer also with random queries and
// keys of infinitely many key dimensions.
func TestCellsWithADiffusion(t *testing.T) {
	for _, c := range []struct {
		cell  sde.Cell
		holds bool
	}{
		{sde.Cell{Model: sde.Transformer{}}, true}, {sde.Cell{Model: sde.Hybrid{}}, true},
		{sde.Cell{Model: sde.Transformer{}, Interaction: []float64{1}}, false},
		{sde.Cell{Model: sde.Transformer{}, Resampling: sde.Resampling{Spread: 1}}, true},
		{sde.Cell{Model: sde.Transformer{}, Resampling: sde.Resampling{Spread: 1, Keys: 4}}, false},
		{sde.Cell{Model: sde.Hybrid{}, Resampling: sde.Resampling{Spread: 1}}, false},
		{sde.Cell{Model: sde.Flow{}, Resampling: sde.Resampling{Keys: 4}}, true},
	} {
		if Holds(c.cell) != c.holds {
			t.Errorf("%+v: %v", c.cell, !c.holds)
		}
	}
}

// There is no critical β for independent entries in two dimensions, and for d = 4 it is arccosh(2)/2; at
// depth 10 quadrature of the law of one step gives 0.71078.
func TestCriticalBetas(t *testing.T) {
	if got := CriticalBeta(2, overlap.Ginibre); !math.IsNaN(got) {
		t.Errorf("d = 2: %v", got)
	}
	if got := CriticalBeta(4, overlap.Ginibre); !(math.Abs(got-math.Acosh(2)/2) <= 1e-14) {
		t.Errorf("d = 4: %v", got)
	}
	for dim, want := range map[int]float64{2: math.NaN(), 4: 0.71078} {
		got, err := CriticalBetaDepth(dim, overlap.Softmax, 1, overlap.Ginibre, 10)
		if err != nil || math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 5e-6 {
			t.Errorf("d = %d at depth 10: %v, %v", dim, got, err)
		}
	}
	// Entries that are nearly independent have nearly the same exponent, by another method.
	nearly := overlap.Covariance{A: 1, B: 1e-9}
	cell := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 0.5, Depth: 10}
	one := must.Get(LyapunovDepth(Isotropic(cell)))(t)
	cell.Model = sde.Transformer{Sigma: 1, Covariance: nearly}
	two := must.Get(LyapunovDepth(Isotropic(cell)))(t)
	if !(math.Abs(one-two) <= 1e-6) || !(one > 0) {
		t.Errorf("exponents %v and %v", one, two)
	}
}

// The text of an error is without the parameter and its value.
func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"overlap: beta 3: must be less": "must be less", "overlap: must be less": "must be less",
		"overlap: beta 3: must be: less": "must be: less",
	} {
		if got := Problem(errors.New(text)); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
