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

// A layer is the sum of its parts: each head's field and values, the drift and the MLP, from their
// definitions.
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
	correlation := must.Get(activation.NewCorrelation(activation.Tanh, 2))(t)
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
	first, second := increment[64:64+width*dim], increment[64+width*dim:]
	for i := range tokens {
		for k := range width {
			y := 0.0
			for a := range dim {
				y += math.Sqrt(2) * first[k*dim+a] * x[i*dim+a]
			}
			hidden := math.Tanh(y) * math.Sqrt(0.6/(width*correlation.Moment())) / math.Sqrt(6)
			for a := range dim {
				want[i*dim+a] += hidden * second[k*dim+a]
			}
		}
	}
	for i := range tokens {
		sphere.Normalize(want[i*dim:(i+1)*dim], want[i*dim:(i+1)*dim])
	}
	must.Do(t, stepper.Step(x, increment))
	for k := range x {
		if math.Abs(x[k]-want[k]) > 1e-14 {
			t.Errorf("coordinate %d: %.17g, want %.17g", k, x[k], want[k])
		}
	}
}

// In sequence the MLP is that of tokens which attention has moved, and which are on the sphere again.
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
	for k, v := range newFeedforward(c).of(slices.Clone(want), increment[own:]) {
		want[k] += v / math.Sqrt(6)
	}
	for i := range tokens {
		sphere.Normalize(want[i*dim:(i+1)*dim], want[i*dim:(i+1)*dim])
	}
	must.Do(t, NewStepper(c).Step(x, increment))
	for k := range x {
		if math.Abs(x[k]-want[k]) > 1e-15 {
			t.Errorf("coordinate %d: %.17g, want %.17g", k, x[k], want[k])
		}
	}
}

// What an MLP of any width adds has the covariance cφ̂(z), for each activation; with 40,000 layers and 4.5
// standard errors, estimated from the sample, in 42 comparisons it fails by chance once in 3,500.
func TestMLPCovariance(t *testing.T) {
	const dim, layers, c, w = 3, 40_000, 0.7, 1.5
	r := rand.New(rand.NewPCG(34, 4))
	z := 0.4
	x := []float64{1, 0, 0, z, math.Sqrt(1 - z*z), 0}
	for a := range activation.Names {
		a := activation.Activation(a)
		correlation := must.Get(activation.NewCorrelation(a, w))(t)
		for _, width := range []int{1, 4, 64} {
			cell := Cell{Tokens: 2, Dim: dim, MLP: MLP{a, c, w, width}}
			f, numbers := newFeedforward(cell), make([]float64, 2*width*dim)
			var sum, squares [2]float64
			for range layers / width {
				for k := range numbers {
					numbers[k] = r.NormFloat64()
				}
				out := f.of(x, numbers)
				for k, v := range []float64{sphere.Dot(out[:dim], out[:dim]) / dim,
					sphere.Dot(out[:dim], out[dim:]) / dim} {
					sum[k] += v
					squares[k] += v * v
				}
			}
			n := float64(layers / width)
			for k, want := range []float64{c, c * correlation.At(z)} {
				mean := sum[k] / n
				deviation := math.Sqrt((squares[k]/n - mean*mean) / n)
				if math.Abs(mean-want) > 4.5*deviation {
					t.Errorf("%v, width %d: covariance %d is %v ± %v, want %v", a, width, k, mean, deviation,
						want)
				}
			}
		}
	}
}

// Loops and products of matrices give the same MLP, and tokens that coincide the same bits.
func TestMLPByProducts(t *testing.T) {
	const tokens, dim, width = 6, 16, 64
	r := rand.New(rand.NewPCG(34, 5))
	cell := Cell{Tokens: tokens, Dim: dim, MLP: MLP{activation.GELU, 1, 2, width}}
	f, loops := newFeedforward(cell), newFeedforward(cell)
	if f.products == nil {
		t.Fatal("no products")
	}
	loops.products = nil
	x, numbers := uniformTokens(r, tokens, dim), make([]float64, 2*width*dim)
	copy(x[dim:2*dim], x[4*dim:5*dim])
	for k := range numbers {
		numbers[k] = r.NormFloat64()
	}
	got, want := f.of(x, numbers), loops.of(x, numbers)
	for k := range got {
		if math.Abs(got[k]-want[k]) > 1e-13 {
			t.Errorf("entry %d: %v, want %v", k, got[k], want[k])
		}
	}
	for _, out := range [][]float64{got, want} {
		if !slices.Equal(out[dim:2*dim], out[4*dim:5*dim]) {
			t.Error("coincident tokens differ")
		}
	}
}

// Value matrices by products of matrices give the layer that loops give, and tokens that coincide the same
// bits.
func TestHeadsByProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 7))
	c := blockCell(9, 48, 3)
	stepper, loops := newSublayersStepper(c), newSublayersStepper(c)
	if stepper.products == nil {
		t.Fatal("no products")
	}
	loops.products, loops.pushed = nil, loops.pushed[:c.Dim]
	increment := make([]float64, stepper.IncrementLen())
	for k := range increment {
		increment[k] = r.NormFloat64()
	}
	x := uniformTokens(r, c.Tokens, c.Dim)
	copy(x[c.Dim:2*c.Dim], x[4*c.Dim:5*c.Dim])
	want := slices.Clone(x)
	must.Do(t, stepper.Step(x, increment))
	must.Do(t, loops.Step(want, increment))
	for k := range x {
		if math.Abs(x[k]-want[k]) > 1e-13 {
			t.Errorf("coordinate %d: %v, want %v", k, x[k], want[k])
		}
	}
	if !slices.Equal(x[c.Dim:2*c.Dim], x[4*c.Dim:5*c.Dim]) {
		t.Error("coincident tokens differ")
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
		if math.Abs(antipodal-limit) > 0.03+4*math.Sqrt(limit*(1-limit)/trajectories) {
			t.Errorf("%+v: antipodal %v, limit %v", cell.Model, antipodal, limit)
		}
		t.Logf("%v, width %d: antipodal %.4f", cell.Model, cell.MLP.Width, antipodal)
	}
}

// outcomesOf counts the outcomes of a cell after 20 units of time.
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
		"method chain: 2 heads: have no random scores of their own": func(c *Cell) {
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

// A cell's random numbers depend on what is beside its attention, and are as before without anything.
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
