package sde

import (
	"math"
	"slices"
	"testing"

	"antipode/internal/domaintest"
	"antipode/sphere/activation"
)

// domain checks the domain of a parameter of the pair cell.
func domain[T any](t *testing.T, what string, change func(c *Cell, x T), accepted, refused []T) {
	t.Helper()
	domaintest.Check(t, what, func(x T) error {
		c := pairCell()
		change(&c, x)
		return c.Validate()
	}, accepted, refused)
}

// The domains of the parameters of a cell end where the comments say.
func TestDomainsOfCells(t *testing.T) {
	above, nan, inf := domaintest.Above, math.NaN(), math.Inf(1)
	million := []float64{domaintest.Below(0), above(1e6), nan, inf}
	domain(t, "tokens", func(c *Cell, n int) { c.Tokens = n }, []int{1, 1 << 31}, []int{0, 1<<31 + 1})
	domain(t, "dimension", func(c *Cell, n int) { c.Dim = n }, []int{1, 1 << 31}, []int{0, 1<<31 + 1})
	domain(t, "depth", func(c *Cell, n int) { c.Depth = n }, []int{1, 1 << 31}, []int{0, 1<<31 + 1})
	domain(t, "β", func(c *Cell, x float64) { c.Beta = x }, []float64{0, 1e6}, million)
	for _, sigma := range []func(c *Cell, x float64){
		func(c *Cell, x float64) { c.Model = Transformer{Sigma: x} },
		func(c *Cell, x float64) { c.Model = TransformerSDE{Sigma: x} },
	} {
		domain(t, "σ", sigma, []float64{5e-324, 1e6}, []float64{0, -1, above(1e6), nan, inf})
	}
	for _, epsilon := range []func(c *Cell, x float64){
		func(c *Cell, x float64) { c.Model = Hybrid{Epsilon: x} },
		func(c *Cell, x float64) { c.Model = HybridSDE{Epsilon: x} },
	} {
		domain(t, "ε", epsilon, []float64{0, 1e6}, million)
	}
	domain(t, "drift", func(c *Cell, x float64) { c.Drift = x }, []float64{0, 1e6}, million)
	domain(t, "heads", func(c *Cell, n int) { c.Heads = n }, []int{0, 1, 2, 1 << 12}, []int{-1, 1<<12 + 1})
	domain(t, "strength of the MLP", func(c *Cell, x float64) {
		c.MLP = MLP{Activation: activation.Tanh, Strength: x, Variance: 1, Width: 1}
	}, []float64{0, 1e6}, million)
	domain(t, "width of the MLP", func(c *Cell, n int) {
		c.MLP = MLP{Activation: activation.Tanh, Strength: 1, Variance: 1, Width: n}
	}, []int{1, 1 << 20}, []int{0, 1<<20 + 1})
	domain(t, "width of the MLP of a chain", func(c *Cell, n int) {
		c.Method, c.MLP = Chain, MLP{Activation: activation.Tanh, Strength: 1, Variance: 1, Width: n}
	}, []int{0}, []int{-1, 1})
	domain(t, "variance of the MLP", func(c *Cell, x float64) {
		c.MLP = MLP{Activation: activation.Tanh, Strength: 1, Variance: x, Width: 1}
	}, []float64{activation.LeastVariance, activation.LargestVariance}, []float64{0, nan})
	domain(t, "spread", func(c *Cell, x float64) { c.Resampling.Spread = x }, []float64{0, 20},
		[]float64{domaintest.Below(0), above(20), nan})
	domain(t, "spread, unnormalized", func(c *Cell, x float64) {
		c.Attention, c.Resampling.Spread = Unnormalized, x
	}, []float64{0, 10}, []float64{above(10)})
	domain(t, "key dimensions", func(c *Cell, n int) { c.Resampling = Resampling{1, n} },
		[]int{0, 1, 1 << 20}, []int{-1, 1<<20 + 1})
	domain(t, "interaction", func(c *Cell, x float64) { c.Interaction = slices.Repeat([]float64{x}, 16) },
		[]float64{-1e100, 0, 1e100}, []float64{above(1e100), -above(1e100), nan})
	domain(t, "entries of the interaction", func(c *Cell, n int) { c.Interaction = make([]float64, n) },
		[]int{16}, []int{0, 15, 17})
	domain(t, "overlap", func(c *Cell, x float64) { c.Start = PairStart{x} }, []float64{-1, 1},
		[]float64{above(1), -above(1), nan})
	domain(t, "tokens of a pair", func(c *Cell, n int) { c.Start, c.Tokens = PairStart{0}, n },
		[]int{2}, []int{1, 3})
	domain(t, "clusters", func(c *Cell, s OppositeStart) { c.Start, c.Tokens = s, 5 },
		[]OppositeStart{{1, 4}, {4, 1}}, []OppositeStart{{0, 5}, {5, 0}, {2, 2}, {3, 3}})
	domain(t, "dimension of a chain", func(c *Cell, n int) { c.Method, c.Dim = Chain, n },
		[]int{2}, []int{1})
	harmonics := func(dim int, beta float64) func(c *Cell, _ int) {
		return func(c *Cell, _ int) { c.AttentionSum, c.Dim, c.Beta = HarmonicsSum, dim, beta }
	}
	for _, dim := range []int{2, 4} {
		domain(t, "harmonics", harmonics(dim, 50), []int{0}, nil)
		domain(t, "harmonics", harmonics(dim, above(50)), nil, []int{0})
	}
	domain(t, "harmonics", harmonics(1, 1), nil, []int{0})
	domain(t, "harmonics", harmonics(5, 1), nil, []int{0})
}

// Settings of a cell that do not fit together are refused, where each by itself is allowed.
func TestCombinationsOfCells(t *testing.T) {
	dependent := Transformer{Sigma: 1, Covariance: Covariance{A: 1, C: 1}}
	for what, c := range map[string]struct{ fits, not func(c *Cell) }{
		"tangent vectors": {
			func(c *Cell) { c.Start, c.Tangent = OppositeStart{1, 1}, true },
			func(c *Cell) { c.Start, c.Tangent, c.Tokens = OppositeStart{1, 2}, true, 3 },
		},
		"tangent vectors and the model": {
			func(c *Cell) { c.Start, c.Model = OppositeStart{1, 1}, Hybrid{} },
			func(c *Cell) { c.Start, c.Model, c.Tangent = OppositeStart{1, 1}, Hybrid{}, true },
		},
		"tangent vectors and the method": {
			func(c *Cell) { c.Start, c.Method = OppositeStart{1, 1}, Chain },
			func(c *Cell) { c.Start, c.Method, c.Tangent = OppositeStart{1, 1}, Chain, true },
		},
		"tangent vectors and a matrix": {
			func(c *Cell) { c.Start, c.Interaction = OppositeStart{1, 1}, make([]float64, 16) },
			func(c *Cell) {
				c.Start, c.Interaction, c.Tangent = OppositeStart{1, 1}, make([]float64, 16), true
			},
		},
		"tangent vectors and a drift": {
			func(c *Cell) { c.Start, c.Drift = OppositeStart{1, 1}, 1 },
			func(c *Cell) { c.Start, c.Drift, c.Tangent = OppositeStart{1, 1}, 1, true },
		},
		"heads and the model": {
			func(c *Cell) { c.Model, c.Heads = Hybrid{}, 1 },
			func(c *Cell) { c.Model, c.Heads = Hybrid{}, 2 },
		},
		"drift and the model": {
			func(c *Cell) { c.Model, c.Drift = TransformerSDE{Sigma: 1}, 1 },
			func(c *Cell) { c.Model, c.Drift = Hybrid{}, 1 },
		},
		"drift and independent noise": {
			func(c *Cell) { c.Model = TransformerSDE{Sigma: 1, Noise: IndependentNoise} },
			func(c *Cell) { c.Model, c.Drift = TransformerSDE{Sigma: 1, Noise: IndependentNoise}, 1 },
		},
		"a chain and the covariance beside a drift": {
			func(c *Cell) { c.Method, c.Model = Chain, dependent },
			func(c *Cell) { c.Method, c.Model, c.Drift = Chain, dependent, 1 },
		},
		"heads and random scores of a chain": {
			func(c *Cell) { c.Method, c.Heads = Chain, 2 },
			func(c *Cell) { c.Method, c.Heads, c.Resampling.Spread = Chain, 2, 1 },
		},
		"random scores of a chain and keys": {
			func(c *Cell) { c.Method, c.Resampling.Spread = Chain, 1 },
			func(c *Cell) { c.Method, c.Resampling = Chain, Resampling{1, 1} },
		},
		"random scores of a chain and attention": {
			func(c *Cell) { c.Method, c.Attention = Chain, Unnormalized },
			func(c *Cell) { c.Method, c.Attention, c.Resampling.Spread = Chain, Unnormalized, 1 },
		},
		"random scores of a chain and the model": {
			func(c *Cell) { c.Method, c.Model = Chain, Hybrid{} },
			func(c *Cell) { c.Method, c.Model, c.Resampling.Spread = Chain, Hybrid{}, 1 },
		},
		"random scores and a matrix": {
			func(c *Cell) { c.Resampling.Spread = 1 },
			func(c *Cell) { c.Resampling.Spread, c.Interaction = 1, make([]float64, 16) },
		},
		"random scores and the equation": {
			func(c *Cell) { c.Model = TransformerSDE{Sigma: 1} },
			func(c *Cell) { c.Model, c.Resampling.Spread = TransformerSDE{Sigma: 1}, 1 },
		},
		"harmonics and a matrix": {
			func(c *Cell) { c.AttentionSum = HarmonicsSum },
			func(c *Cell) { c.AttentionSum, c.Interaction = HarmonicsSum, make([]float64, 16) },
		},
		"harmonics and random scores": {
			func(c *Cell) { c.AttentionSum = HarmonicsSum },
			func(c *Cell) { c.AttentionSum, c.Resampling.Spread = HarmonicsSum, 1 },
		},
		"harmonics and the method": {
			func(c *Cell) { c.Method = Chain },
			func(c *Cell) { c.AttentionSum, c.Method = HarmonicsSum, Chain },
		},
		"a chain and the number of tokens": {
			func(c *Cell) { c.Method, c.Start, c.Tokens = Chain, OppositeStart{2, 1}, 3 },
			func(c *Cell) { c.Method, c.Tokens = Chain, 3 },
		},
	} {
		fits, not := pairCell(), pairCell()
		c.fits(&fits)
		c.not(&not)
		if err := fits.Validate(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if err := not.Validate(); err == nil {
			t.Errorf("%s are accepted", what)
		}
	}
}

// The domains of an ensemble and of a splitting end where the comments say.
func TestDomainsOfEnsembles(t *testing.T) {
	ensemble := func(change func(e *Ensemble[record])) error {
		e := recording([]Cell{pairCell()}, 1, 1, new([]record))
		change(e)
		return e.validate()
	}
	domaintest.Check(t, "trajectories", func(n int64) error {
		return ensemble(func(e *Ensemble[record]) { e.Trajectories = n })
	}, []int64{1, 1 << 40}, []int64{0, 1<<40 + 1})
	domaintest.Check(t, "first trajectory", func(n int64) error {
		return ensemble(func(e *Ensemble[record]) { e.Trajectories, e.First = 5, n })
	}, []int64{0, 1<<40 - 5}, []int64{-1, 1<<40 - 4})
	domaintest.Check(t, "layers", func(n int64) error {
		return ensemble(func(e *Ensemble[record]) { e.Layers = n })
	}, []int64{0, 1<<44 - 1}, []int64{-1, 1 << 44})
	domaintest.Check(t, "workers", func(n int) error {
		return ensemble(func(e *Ensemble[record]) { e.Workers = n })
	}, []int{0, 1}, []int{-1})
	domaintest.Check(t, "times", func(times []int64) error {
		return ensemble(func(e *Ensemble[record]) { e.Layers, e.Times = 9, times })
	}, [][]int64{nil, {0}, {9}, {0, 1, 9}}, [][]int64{{-1}, {10}, {3, 3}, {4, 3}, {1, 10}})
	domaintest.Check(t, "part", func(p Part) error {
		return ensemble(func(e *Ensemble[record]) { e.Part = p })
	}, []Part{{}, {0, 1}, {2, 3}}, []Part{{1, 0}, {3, 3}, {-1, 3}, {0, -1}})
	domaintest.Check(t, "cells", func(n int) error {
		return ensemble(func(e *Ensemble[record]) { e.Cells = e.Cells[:n] })
	}, []int{1}, []int{0})

	splitting := func(change func(s *Splitting)) error {
		s := splitOpposite(pairCell(), 10, 0)
		s.Workers = 1
		change(s)
		return s.Validate()
	}
	domaintest.Check(t, "trajectories of a splitting", func(n int) error {
		return splitting(func(s *Splitting) { s.Repetitions, s.Trajectories = 1, n })
	}, []int{2, 1e6}, []int{1, 1e6 + 1})
	domaintest.Check(t, "repetitions", func(n int64) error {
		return splitting(func(s *Splitting) { s.Repetitions = n })
	}, []int64{1, 1e9 / 40}, []int64{0, 1e9/40 + 1})
	domaintest.Check(t, "layers of a splitting", func(n int64) error {
		return splitting(func(s *Splitting) { s.Layers = n })
	}, []int64{1, 1<<44 - 1}, []int64{0, 1 << 44})
	domaintest.Check(t, "workers of a splitting", func(n int) error {
		return splitting(func(s *Splitting) { s.Workers = n })
	}, []int{0, 1}, []int{-1})
	domaintest.Check(t, "layers between looks", func(n int64) error {
		return splitting(func(s *Splitting) { s.Every = n })
	}, []int64{1}, []int64{0})
	domaintest.Check(t, "drift of a splitting", func(x float64) error {
		return splitting(func(s *Splitting) { s.Drift = x })
	}, []float64{-math.MaxFloat64, math.MaxFloat64}, []float64{math.NaN(), math.Inf(1), math.Inf(-1)})
}

// States have as many numbers as tokens have coordinates, and norms up to 10^-6 from 1. Those that have norm
// 1 up to rounding keep their bits.
func TestDomainsOfStates(t *testing.T) {
	of := func(numbers, tokens, dim int) error {
		states := make([]float64, numbers)
		for k := range states {
			states[k] = 1 - float64(min(1, k%max(1, dim)))
		}
		_, err := NewStatesStart(states, tokens, dim)
		return err
	}
	domaintest.Check(t, "numbers", func(n int) error {
		return of(n, 2, 3)
	}, []int{6, 12},
		[]int{0, 2, 3, 7, 9})
	domaintest.Check(t, "tokens", func(n int) error { return of(6, n, 1) }, []int{1, 2, 6}, []int{0, -1, 4})
	domaintest.Check(t, "dimension", func(n int) error {
		return of(6, 1, n)
	}, []int{1, 2, 6}, []int{0, -1, 4})
	domaintest.Check(t, "norm", func(x float64) error {
		_, err := NewStatesStart([]float64{x}, 1, 1)
		return err
	}, []float64{1 - 0.999e-6, 1 + 0.999e-6},
		[]float64{1 - 1.001e-6, 1 + 1.001e-6, 0, math.NaN(), math.Inf(1)})
	for _, c := range []struct{ x, want float64 }{
		{1 + 4*0x1p-52, 1 + 4*0x1p-52}, {1 - 8*0x1p-53, 1 - 8*0x1p-53}, {1 + 0x1p-40, 1}, {1 - 0x1p-40, 1},
	} {
		states := []float64{c.x}
		if _, err := NewStatesStart(states, 1, 1); err != nil || states[0] != c.want {
			t.Errorf("%v becomes %v, want %v; error %v", c.x, states[0], c.want, err)
		}
	}
}
