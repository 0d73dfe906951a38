package brownian

import (
	"math"
	"slices"
	"testing"

	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/activation"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/floats"
)

// coupledCells is one cell of each scheme and law of a model at each depth, given its limit.
func coupledCells(limit sde.Cell, depths ...int) []sde.Cell {
	var cells []sde.Cell
	for _, limit.Depth = range depths {
		c := limit
		for _, scheme := range limit.Model.Schemes() {
			c.Model = with(limit.Model, scheme, sde.CommonNoise)
			cells = append(cells, c)
		}
		for law := range sde.Law(len(sde.LawNames)) {
			switch m := limit.Model.(type) {
			case sde.TransformerSDE:
				c.Model = sde.Transformer{Law: law, Sigma: m.Sigma}
			case sde.HybridSDE:
				c.Model = sde.Hybrid{Law: law, Epsilon: m.Epsilon}
			}
			cells = append(cells, c)
		}
	}
	return cells
}

// with returns an equation with another scheme and noise.
func with(m sde.Model, scheme sde.Scheme, noise sde.Noise) sde.Model {
	switch m := m.(type) {
	case sde.TransformerSDE:
		return sde.TransformerSDE{Sigma: m.Sigma, Scheme: scheme, Noise: noise}
	case sde.HybridSDE:
		return sde.HybridSDE{Epsilon: m.Epsilon, Scheme: scheme, Noise: noise}
	}
	return m
}

// Coupled cells make the steps that their steppers make with the increments by address.
func TestCoupledCellsShareOnePath(t *testing.T) {
	limit := sde.Cell{Model: sde.TransformerSDE{Sigma: 0.7}, Tokens: 3, Dim: 3, Beta: 1,
		Start: sde.UniformStart{}}
	hybrid := sde.Cell{Model: sde.HybridSDE{Epsilon: 0.7}, Tokens: 3, Dim: 3, Beta: 1,
		Start: sde.UniformStart{}}
	mlp := limit
	mlp.MLP = sde.MLP{Activation: activation.Tanh, Strength: 0.6, Variance: 2, Width: 5}
	for _, cells := range [][]sde.Cell{coupledCells(limit, 6, 24, 12), coupledCells(hybrid, 3, 6),
		coupledCells(mlp, 4, 16)} {
		coupled := must.Get(NewCoupled(cells, 9))(t)
		const trajectory, steps = 5, 3
		must.Do(t, coupled.Restart(trajectory))
		start := slices.Clone(coupled.Tokens(0))
		counts := make([]int64, len(cells))
		for range steps {
			must.Do(t, coupled.Advance(func(cell int, step int64, x []float64) {
				if counts[cell]++; step != counts[cell] {
					t.Errorf("cell %d: step %d comes as %d", cell, counts[cell], step)
				}
			}))
		}
		path := NewPath(9, cells[0].PathID(coupled.Base()), coupled.Base(), cells[0].PathLen())
		for i, c := range cells {
			x, stepper, increment := slices.Clone(start), sde.NewStepper(c), make([]float64, c.PathLen())
			level, err := path.Level(c.Depth)
			if err != nil || counts[i] != steps<<level {
				t.Fatalf("%d steps at depth %d, error %v", counts[i], c.Depth, err)
			}
			for k := range int64(steps) << level {
				path.Increment(increment, trajectory, level, k)
				c.FromBrownian(increment, increment)
				must.Do(t, stepper.Step(x, increment))
			}
			if !slices.Equal(x, coupled.Tokens(i)) {
				t.Errorf("%#v at depth %d: %v, want %v", c.Model, c.Depth, coupled.Tokens(i), x)
			}
		}
	}
}

// All schemes and Gaussian recursions go to the same path as the depth grows: the
// root mean square distance between euler and heun, and of the recursion from it, at T = 1
// falls like L^{-1/2}: between L = 16 and 256 by 4, within a factor of 1.5.
func TestCoupledCellsComeTogether(t *testing.T) {
	limit := sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 3, Dim: 3, Beta: 1,
		Start: sde.UniformStart{},
		Depth: 16}
	var cells []sde.Cell
	for _, limit.Depth = range []int{16, 256} {
		recursion, heun, geodesic := limit, limit, limit
		recursion.Model = sde.Transformer{Sigma: 1}
		heun.Model, geodesic.Model = with(limit.Model, sde.Heun, sde.CommonNoise),
			with(limit.Model, sde.Geodesic, sde.CommonNoise)
		cells = append(cells, recursion, limit, geodesic, heun)
	}
	coupled := must.Get(NewCoupled(cells, 1))(t)
	const trajectories = 200
	square := make([]float64, len(cells))
	for trajectory := range int64(trajectories) {
		must.Do(t, coupled.Restart(trajectory))
		for range coupled.Base() {
			must.Do(t, coupled.Advance(nil))
		}
		for i := range cells {
			distance := floats.Distance(coupled.Tokens(i), coupled.Tokens(i|3), 2) // from heun
			square[i] += distance * distance / trajectories
		}
	}
	for i := range 3 {
		if ratio := math.Sqrt(square[i] / square[i+4]); ratio < 4/1.5 || ratio > 4*1.5 {
			t.Errorf("%#v: distances from heun %.3g and %.3g",
				cells[i].Model, math.Sqrt(square[i]), math.Sqrt(square[i+4]))
		}
	}
}

func TestCoupledRefusesCellsThatDoNotFit(t *testing.T) {
	base := sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1, Depth: 10,
		Start: sde.UniformStart{}}
	for what, change := range map[string]func(c *sde.Cell){
		"depth":     func(c *sde.Cell) { c.Depth = 15 },
		"β":         func(c *sde.Cell) { c.Beta = 2 },
		"model":     func(c *sde.Cell) { c.Model = sde.HybridSDE{} },
		"noise":     func(c *sde.Cell) { c.Model = with(c.Model, sde.Euler, sde.IndependentNoise) },
		"attention": func(c *sde.Cell) { c.Attention = sde.Unnormalized },
		"invalid":   func(c *sde.Cell) { c.Model = with(c.Model, sde.RK4, sde.CommonNoise) },
	} {
		other := base
		change(&other)
		if _, err := NewCoupled([]sde.Cell{base, other}, 1); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
	if _, err := NewCoupled(nil, 1); err == nil {
		t.Error("no cells: accepted")
	}
}

func TestCoupledDoesNotAllocate(t *testing.T) {
	limit := sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 3, Dim: 3, Beta: 1,
		Start: sde.UniformStart{}}
	coupled := must.Get(NewCoupled(coupledCells(limit, 4, 8), 1))(t)
	if n := testing.AllocsPerRun(100, func() {
		must.Do(t, coupled.Advance(nil))
	}); n != 0 {
		t.Errorf("%v allocations in a step", n)
	}
	if d := sphere.Dot(coupled.Tokens(0)[:3], coupled.Tokens(0)[:3]); !(math.Abs(d-1) <= 1e-14) {
		t.Errorf("|x|² = %v", d)
	}
}
