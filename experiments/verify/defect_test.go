package verify

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/sde"
)

// defects are wrong models and theories, with claims that must not survive them.
var defects = []struct {
	name      string
	cell      func(c sde.Cell) sde.Cell
	diffusion func(dim int, beta float64, attention overlap.Attention, sigma float64) (*overlap.Diffusion, error)
	refuted   []string
}{
	{
		name: "independent noise",
		cell: func(c sde.Cell) sde.Cell {
			if c.Model == sde.Transformer {
				c.Model, c.Noise, c.Method, c.Law = sde.TransformerSDE, sde.IndependentNoise, sde.Tokens, sde.Gaussian
			}
			return c
		},
		refuted: []string{"lemma4-drift", "eq21"},
	}, {
		name: "variance of V 3 % off",
		cell: func(c sde.Cell) sde.Cell {
			c.Sigma *= math.Sqrt(1.03)
			return c
		},
		refuted: []string{"lemma4-variance"},
	}, {
		name: "softmax without its normalisation",
		cell: func(c sde.Cell) sde.Cell {
			if c.Attention == sde.Softmax {
				c.Attention = sde.Unnormalized
				c.Sigma *= float64(c.Tokens)
			}
			return c
		},
		refuted: []string{"lemma4-drift", "table1-scaling"},
	}, {
		name: "hybrid noise of variance ε",
		cell: func(c sde.Cell) sde.Cell {
			c.Epsilon = math.Sqrt(c.Epsilon)
			return c
		},
		refuted: []string{"prop1-single"},
	}, {
		name: "scale function with d-1 for d-2",
		diffusion: func(dim int, beta float64, attention overlap.Attention, sigma float64) (*overlap.Diffusion, error) {
			return overlap.New(dim+1, beta, attention, sigma)
		},
		refuted: []string{"thm2-above", "lemma4-drift"},
	},
}

// Every defect turns the claims red that speak of it. That they hold without it is another
// test.
func TestDefectsAreRefuted(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	for _, d := range defects {
		l := &laboratory{context: t.Context(), seed: 1, makers: genuine}
		if d.cell != nil {
			l.cell = d.cell
		}
		if d.diffusion != nil {
			l.diffusion = d.diffusion
		}
		for _, c := range (&Verification{Only: d.refuted}).Claims() {
			result, err := c.check(l)
			if err != nil {
				t.Fatalf("%s: %v", d.name, err)
			}
			if t.Logf("%s: %s: %s: predicted %.5g, measured %.5g ± %.2g", d.name, c.ID, result.What, result.Predicted, result.Measured, result.StandardError); result.Holds {
				t.Errorf("%s: %s holds", d.name, c.ID)
			}
		}
	}
}
