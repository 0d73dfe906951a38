package response

import (
	"context"
	"errors"
	"math"
	"testing"

	"antipode/internal/domaintest"
	"antipode/sde"
)

// The domains of the settings end where the comments say, for both models.
func TestDomains(t *testing.T) {
	above, below, nan := domaintest.Above, domaintest.Below, math.NaN()
	domaintest.Check(t, "dimension", func(n int) error { return check(n, 2, 0, 0.5) }, []int{2}, []int{1})
	domaintest.Check(t, "trajectories", func(n int64) error { return check(2, n, 0, 0.5) }, []int64{2},
		[]int64{1})
	domaintest.Check(t, "layers", func(n int64) error { return check(2, 2, n, 0.5) }, []int64{0}, []int64{-1})
	domaintest.Check(t, "tolerance", func(x float64) error { return check(2, 2, 0, x) },
		[]float64{5e-324, below(1)}, []float64{0, 1, above(1), nan})
	transformer := Transformer{Cell: respondingCell(4, 1, 1, 10, sde.Softmax), Layers: 1, Trajectories: 2,
		Tolerance: 0.1}
	domaintest.Check(t, "β", func(x float64) error {
		r := transformer
		r.Cell.Beta = x
		return r.validate()
	}, []float64{5e-324, 1e6}, []float64{0, -1, nan})
}

// Neither model has derivatives beside anything but attention: each setting alone is refused.
func TestNothingBesideAttention(t *testing.T) {
	plain := respondingCell(4, 1, 1, 10, sde.Softmax)
	for what, change := range map[string]func(c *sde.Cell){
		"three tokens":  func(c *sde.Cell) { c.Tokens = 3 },
		"a matrix":      func(c *sde.Cell) { c.Interaction = make([]float64, 16) },
		"random scores": func(c *sde.Cell) { c.Resampling.Spread = 1 },
		"a drift":       func(c *sde.Cell) { c.Drift = 1 },
		"heads":         func(c *sde.Cell) { c.Heads = 2 },
		"tangents":      func(c *sde.Cell) { c.Tangent = true },
		"a kernel":      func(c *sde.Cell) { c.Kernel = func([]float64, int) {} },
		"a pair kernel": func(c *sde.Cell) { c.PairKernel.Weigh = func([]float64) {} },
		"a covariance": func(c *sde.Cell) {
			c.Model = sde.Transformer{Sigma: 1, Covariance: sde.Covariance{A: 1, C: 1}}
		},
		"a uniform law":  func(c *sde.Cell) { c.Model = sde.Transformer{Sigma: 1, Law: sde.Uniform} },
		"another model":  func(c *sde.Cell) { c.Model = sde.TransformerSDE{Sigma: 1} },
		"another model ": func(c *sde.Cell) { c.Model = sde.Flow{} },
	} {
		r := Transformer{Cell: plain, Layers: 1, Trajectories: 2, Tolerance: 0.1}
		if err := r.validate(); err != nil {
			t.Fatal(err)
		}
		change(&r.Cell)
		if err := r.validate(); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	h := Hybrid{Cell: hybridCells[0], Layers: 1, Trajectories: 2, Tolerance: 0.1}
	if err := h.validate(); err != nil {
		t.Fatal(err)
	}
	h.Cell.Start = sde.PairStart{Overlap: 0.5}
	if err := h.validate(); err == nil {
		t.Error("a given start: no error")
	}
}

// If the context has ended, its error is returned.
func TestRunsEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	transformer := Transformer{Cell: respondingCell(4, 1, 1, 10, sde.Softmax), Layers: 1, Trajectories: 75,
		Tolerance: 0.1}
	if _, err := transformer.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	hybrid := Hybrid{Cell: hybridCells[0], Layers: 1, Trajectories: 75, Tolerance: 0.1}
	if _, err := hybrid.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
