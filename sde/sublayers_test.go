package sde

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"antipode/sphere"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// blockCell is a cell with two heads, random scores, a drift and an MLP.
func blockCell(tokens, dim, width int) Cell {
	return Cell{Model: Transformer{Sigma: 1.3}, Tokens: tokens, Dim: dim, Beta: 0.9, Depth: 6,
		Start: UniformStart{}, Resampling: Resampling{Spread: 0.8}, Heads: 2, Drift: 0.7,
		MLP: MLP{Activation: activation.Tanh, Strength: 0.6, Variance: 2, Width: width}}
}

// A layer is the sum of its parts by their definitions: the field and the values of each head, the drift and
// the MLP.
func TestSublayersStep(t *testing.T) {
	const tokens, dim, width = 3, 4, 5
	r := rand.New(rand.NewPCG(34, 3))
	c := blockCell(tokens, dim, width)
	must.Do(t, c.Validate())
	stepper := NewStepper(c)
	increment := make([]float64, stepper.IncrementLen())
	if want := 2*2*dim*dim + 2*width*dim; len(increment) != want {
		t.Fatalf("%d numbers, want %d", len(increment), want)
	}
	for k := range increment {
		increment[k] = r.NormFloat64()
	}
	x := uniformTokens(r, tokens, dim)
	want := slices.Clone(x)
	for h := range 2 {
		value, scores := increment[h*16:(h+1)*16], increment[32+h*16:32+(h+1)*16]
		head := Cell{Model: Transformer{Sigma: 1}, Tokens: tokens, Dim: dim, Beta: 1, Depth: 1,
			Start: UniformStart{}}
		head.Interaction = make([]float64, dim*dim)
		for k, g := range scores {
			head.Interaction[k] = 0.8 * g
		}
		for k := range dim {
			head.Interaction[k*dim+k] += 0.9
		}
		field := make([]float64, tokens*dim)
		head.Field(field, x)
		for i := range tokens {
			for a := range dim {
				sum := 0.0
				for b := range dim {
					sum += value[a*dim+b] * field[i*dim+b]
				}
				want[i*dim+a] += sum/math.Sqrt(2)/math.Sqrt(6) + 0.7/6/2*field[i*dim+a]
			}
		}
	}
	addMLP(t, want, c, x, increment[64:])
	for i := range tokens {
		sphere.Normalize(want[i*dim:(i+1)*dim], want[i*dim:(i+1)*dim])
	}
	must.Do(t, stepper.Step(x, increment))
	for k := range x {
		if !(math.Abs(x[k]-want[k]) <= 1e-14) {
			t.Errorf("coordinate %d: %.17g, want %.17g", k, x[k], want[k])
		}
	}
}

// addMLP adds the MLP of the tokens x by its definition, W₂ tanh(W₁x)/√L.
func addMLP(t *testing.T, sum []float64, c Cell, x, numbers []float64) {
	t.Helper()
	m, dim := c.MLP, c.Dim
	moment := must.Get(activation.NewCorrelation(activation.Tanh, m.Variance))(t).Moment()
	first, second := numbers[:m.Width*dim], numbers[m.Width*dim:]
	for i := range c.Tokens {
		for k := range m.Width {
			y := 0.0
			for a := range dim {
				y += math.Sqrt(m.Variance) * first[k*dim+a] * x[i*dim+a]
			}
			hidden := math.Tanh(y) * math.Sqrt(m.Strength/(float64(m.Width)*moment)/float64(c.Depth))
			for a := range dim {
				sum[i*dim+a] += hidden * second[k*dim+a]
			}
		}
	}
}

// In sequence the MLP is applied to the tokens after attention has moved them and they have been normalised.
func TestSublayersInSequence(t *testing.T) {
	const tokens, dim, width = 3, 4, 5
	r := rand.New(rand.NewPCG(34, 6))
	c := blockCell(tokens, dim, width)
	c.Arrangement = InSequence
	must.Do(t, c.Validate())
	attention := c
	attention.MLP, attention.Arrangement = MLP{}, Together
	increment := make([]float64, NewStepper(c).IncrementLen())
	for k := range increment {
		increment[k] = r.NormFloat64()
	}
	x := uniformTokens(r, tokens, dim)
	want := slices.Clone(x)
	own := len(increment) - 2*width*dim
	must.Do(t, NewStepper(attention).Step(want, increment[:own]))
	addMLP(t, want, c, slices.Clone(want), increment[own:])
	for i := range tokens {
		sphere.Normalize(want[i*dim:(i+1)*dim], want[i*dim:(i+1)*dim])
	}
	must.Do(t, NewStepper(c).Step(x, increment))
	for k := range x {
		if !(math.Abs(x[k]-want[k]) <= 1e-14) {
			t.Errorf("coordinate %d: %.17g, want %.17g", k, x[k], want[k])
		}
	}
}

// Antipodal and single pairs of two tokens with an MLP, for the recursion with widths 1 and 8 and the three
// schemes of its limit: with 300 trajectories of 20 units of time, against the limit 0.28349 of antipodal
// ones (another program, ten digits), which is reached to 0.03 at this depth. |difference| ≤ 0.03 + 4
// standard deviations, so that it fails by chance less than once in 3,000.
func TestMLPOutcomes(t *testing.T) {
	mlp := MLP{Activation: activation.Tanh, Strength: 0.5, Variance: 4, Width: 1}
	wide := mlp
	wide.Width = 8
	base := Cell{Model: Transformer{Sigma: 1}, Tokens: 2, Dim: 4, Beta: 1.5, Depth: 20, Start: UniformStart{}}
	for _, c := range []struct {
		model Model
		mlp   MLP
	}{
		{Transformer{Sigma: 1}, mlp}, {Transformer{Sigma: 1, Law: Rademacher}, wide},
		{TransformerSDE{Sigma: 1, Scheme: Euler}, wide}, {TransformerSDE{Sigma: 1, Scheme: Geodesic}, mlp},
		{TransformerSDE{Sigma: 1, Scheme: Heun}, wide},
	} {
		cell := base
		cell.Model, cell.MLP = c.model, c.mlp
		const trajectories = 300
		antipodal := outcomesOf(t, cell, trajectories)[sphere.Antipodal] / trajectories
		const limit = 0.2834918675
		if !(math.Abs(antipodal-limit) <= 0.03+4*math.Sqrt(limit*(1-limit)/trajectories)) {
			t.Errorf("%+v: antipodal %v, limit %v", cell.Model, antipodal, limit)
		}
		t.Logf("%v, width %d: antipodal %.4f", cell.Model, cell.MLP.Width, antipodal)
	}
}

// outcomesOf returns the counts of the outcomes of a cell after 20 units of time.
func outcomesOf(t *testing.T, cell Cell, trajectories int64) map[sphere.Outcome]float64 {
	t.Helper()
	outcomes := map[sphere.Outcome]float64{}
	ensemble := Ensemble[sphere.Outcome]{
		Cells: []Cell{cell}, Trajectories: trajectories, Layers: 20 * int64(cell.Depth), Seed: 34,
		Observer: func(int) func(row *sphere.Outcome, v *View) {
			return func(row *sphere.Outcome, v *View) { *row, _ = v.Outcome(1e-3) }
		},
		Reduce: func(_ int, _ int64, row sphere.Outcome) error {
			outcomes[row]++
			return nil
		},
	}
	must.Do(t, ensemble.Run(context.Background()))
	return outcomes
}

func TestSublayersRefusals(t *testing.T) {
	for want, change := range map[string]func(c *Cell){
		"strength -1 of the MLP: must be from 0 to 1e6": func(c *Cell) { c.MLP.Strength = -1 },
		"width 0 of the MLP: must be from 1 to 2^20":    func(c *Cell) { c.MLP.Width = 0 },
		"variance 0 of pre-activations is not allowed":  func(c *Cell) { c.MLP.Variance = 0 },
		"-1 heads: must be from 1 to 4096":              func(c *Cell) { c.Heads = -1 },
		"drift NaN: must be from 0 to 1e6":              func(c *Cell) { c.Drift = math.NaN() },
		"method chain: 2 heads: must be 1 beside random queries and keys": func(c *Cell) {
			c.Method, c.Tokens, c.MLP.Width = Chain, 2, 0
		},
		"width 5 of the MLP: must be 0, for infinite width, by the method chain": func(c *Cell) {
			c.Method, c.Tokens = Chain, 2
		},
		"method chain: has an MLP, heads or drift beside independent entries alone": func(c *Cell) {
			c.Method, c.Tokens, c.MLP.Width, c.Resampling = Chain, 2, 0, Resampling{}
			c.Model = Transformer{Sigma: 1, Covariance: Covariance{A: 1, B: 0.5}}
		},
		"method chain: has an MLP or drift beside model transformer, not beside hybrid": func(c *Cell) {
			c.Method, c.Tokens, c.MLP.Width, c.Resampling = Chain, 2, 0, Resampling{}
			c.Model, c.Heads, c.Drift = Hybrid{Epsilon: 1}, 1, 0
		},
		"2 heads: are for model transformer, not for hybrid": func(c *Cell) { c.Model = Hybrid{Epsilon: 1} },
		"drift 0.7: is for models transformer and transformer-sde, not for hybrid": func(c *Cell) {
			c.Model, c.Heads = Hybrid{Epsilon: 1}, 1
		},
		"model flow: has no MLP": func(c *Cell) {
			c.Model, c.Heads, c.Drift, c.Resampling = Flow{}, 1, 0, Resampling{}
		},
		"sublayers in-sequence: need an MLP": func(c *Cell) {
			c.Arrangement, c.MLP = InSequence, MLP{}
		},
		"sublayers 2: must be one of together, in-sequence": func(c *Cell) { c.Arrangement = 2 },
		"sublayers in-sequence: are for recursions, not for model transformer-sde": func(c *Cell) {
			c.Model, c.Heads, c.Resampling = TransformerSDE{Sigma: 1}, 1, Resampling{}
			c.Arrangement = InSequence
		},
		"independent noise: has no MLP or drift": func(c *Cell) {
			c.Model, c.Heads, c.Resampling = TransformerSDE{Sigma: 1,
				Noise: IndependentNoise}, 1, Resampling{}
		},
	} {
		c := blockCell(3, 4, 5)
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// The random numbers of a cell depend on its MLP, heads and drift; without any of these they are those of
// earlier versions.
func TestSublayersInAddress(t *testing.T) {
	c := blockCell(3, 4, 5)
	seen := map[uint64]bool{c.ID(): true}
	for _, change := range []func(c *Cell){
		func(c *Cell) { c.MLP.Width++ }, func(c *Cell) { c.MLP.Strength++ }, func(c *Cell) { c.Heads++ },
		func(c *Cell) { c.Drift++ }, func(c *Cell) { c.MLP.Activation++ }, func(c *Cell) { c.MLP = MLP{} },
		func(c *Cell) { c.Arrangement = InSequence },
	} {
		other := c
		change(&other)
		if seen[other.ID()] {
			t.Errorf("%+v has the numbers of another cell", other)
		}
		seen[other.ID()] = true
	}
	if text := (Cell{Heads: 1}).sublayersAddress(); text != "" {
		t.Errorf("one head has the address %q", text)
	}
}
