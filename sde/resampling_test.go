package sde

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"antipode/sphere/must"
)

// resampledCell is a cell with random queries and keys.
func resampledCell(tokens, dim, keys int) Cell {
	return Cell{Model: Transformer{Sigma: 1.3}, Tokens: tokens, Dim: dim, Beta: 0.9, Depth: 6,
		Start:      UniformStart{},
		Resampling: Resampling{Spread: 0.8, Keys: keys}}
}

// A step is that of a cell with the interaction matrix I + (S/β)G, where gonum makes G from the last numbers
// of the increment.
func TestResampledStepHasItsMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 1))
	for _, keys := range []int{0, 1, 5} {
		for _, attention := range []Attention{Softmax, Unnormalized} {
			c := resampledCell(4, 3, keys)
			c.Attention = attention
			must.Do(t, c.Validate())
			stepper := NewStepper(c)
			increment := make([]float64, stepper.IncrementLen())
			for k := range increment {
				increment[k] = r.NormFloat64()
			}
			numbers := increment[9:]
			g := mat.NewDense(3, 3, nil)
			if keys == 0 {
				g.Copy(mat.NewDense(3, 3, numbers))
			} else {
				q, k := mat.NewDense(keys, 3, numbers[:3*keys]), mat.NewDense(keys, 3, numbers[3*keys:])
				g.Mul(q.T(), k)
				g.Scale(1/math.Sqrt(float64(keys)), g)
			}
			g.Scale(0.8/0.9, g)
			for k := range 3 {
				g.Set(k, k, g.At(k, k)+1)
			}
			plain := c
			plain.Resampling, plain.Interaction = Resampling{}, g.RawMatrix().Data
			x := uniformTokens(r, 4, 3)
			want := append([]float64(nil), x...)
			must.Do(t, NewStepper(plain).Step(want, increment[:9]))
			must.Do(t, stepper.Step(x, increment))
			if !floats.EqualApprox(x, want, 1e-13) {
				t.Errorf("%v, k = %d: %v, want %v", attention, keys, x, want)
			}
		}
	}
}

// The chain has the law of the tokens, also of unequal clusters and with correlated values: the
// Kolmogorov-Smirnov distance of two samples of 4000 is above 2.69·√(2/n) in one of 10^6 seeds.
func TestResampledChainHasTheLawOfTokens(t *testing.T) {
	const trajectories = 4000
	for k, start := range []Start{PairStart{0.3}, PairStart{-0.9}, OppositeStart{1, 3}} {
		c := resampledCell(2, 2+k, 0)
		c.Start = start
		if k == 1 {
			c.Model = Transformer{Sigma: 1.3, Covariance: Covariance{A: 0.8, B: 0.6, C: 0.3}}
		}
		if k == 2 {
			c.Tokens = 4
		}
		tokens := overlapsAfter(t, c, 5, trajectories)
		c.Method = Chain
		chain := overlapsAfter(t, c, 5, trajectories)
		if d := greatestDistance(tokens, chain); d > 2.69*math.Sqrt(2./trajectories) {
			t.Errorf("%v: distance %.4f", name(c), d)
		}
	}
}

// With many key dimensions the scores have the law of independent entries; with one key dimension the
// distance is 0.1.
func TestManyKeysTendToIndependentEntries(t *testing.T) {
	const trajectories = 4000
	c := resampledCell(3, 3, 0)
	c.Resampling.Spread, c.Start = 3, OppositeStart{1, 2}
	limit := overlapsAfter(t, c, 3, trajectories)
	c.Resampling.Keys = 64
	many := overlapsAfter(t, c, 3, trajectories)
	if d := greatestDistance(limit, many); d > 2.69*math.Sqrt(2./trajectories) {
		t.Errorf("64 key dimensions: distance %.4f", d)
	}
	c.Resampling.Keys = 1
	if d := greatestDistance(limit, overlapsAfter(t, c, 3,
		trajectories)); d < 2.69*math.Sqrt(2./trajectories) {
		t.Errorf("1 key dimension: distance %.4f", d)
	}
}

func TestResamplingIsValidated(t *testing.T) {
	for want, change := range map[string]func(c *Cell){
		"spread -1 of resampled scores":           func(c *Cell) { c.Resampling.Spread = -1 },
		"spread NaN of resampled scores":          func(c *Cell) { c.Resampling.Spread = math.NaN() },
		"-2 key dimensions":                       func(c *Cell) { c.Resampling.Keys = -2 },
		"not for model transformer-sde":           func(c *Cell) { c.Model = TransformerSDE{Sigma: 1} },
		"need the identity as interaction matrix": func(c *Cell) { c.Interaction = make([]float64, 9) },
		"at most 10 with unnormalized attention": func(c *Cell) {
			c.Attention,
				c.Resampling.Spread = Unnormalized, 11
		},
		"softmax and many key dimensions": func(c *Cell) { c.Method, c.Resampling.Keys = Chain, 4 },
		"model transformer, softmax and many key d": func(c *Cell) {
			c.Method, c.Attention = Chain,
				Unnormalized
		},
	} {
		c := resampledCell(2, 3, 0)
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	seen := map[uint64]bool{}
	for _, r := range []Resampling{{}, {Spread: 0.8}, {Spread: 0.8, Keys: 4}, {Spread: 0.4}} {
		c := resampledCell(2, 3, 0)
		c.Resampling = r
		seen[c.ID()] = true
	}
	if len(seen) != 4 {
		t.Error("different scores draw the same numbers")
	}
}
