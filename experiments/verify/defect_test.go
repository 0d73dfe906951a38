package verify

import (
	"errors"
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/overlap"
	"antipode/sde"
)

// asIs replaces nothing.
func asIs(c sde.Cell) sde.Cell { return c }

// defects are wrong models and theories, with claims that must not survive them.
var defects = []struct {
	name    string
	makers  makers
	refuted []string
}{
	{"independent noise", makers{func(c sde.Cell) sde.Cell {
		if m, recursion := c.Model.(sde.Transformer); recursion {
			c.Model, c.Method = sde.TransformerSDE{Sigma: m.Sigma, Noise: sde.IndependentNoise}, sde.Tokens
		}
		return c
	}, overlap.New}, []string{"lemma4-drift", "eq21"}},

	{"variance of V 3 % off", makers{func(c sde.Cell) sde.Cell {
		return louder(c, math.Sqrt(1.03))
	}, overlap.New}, []string{"lemma4-variance"}},

	{"softmax without its normalisation", makers{func(c sde.Cell) sde.Cell {
		if c.Attention == sde.Softmax {
			c.Attention = sde.Unnormalized
			c = louder(c, float64(c.Tokens))
		}
		return c
	}, overlap.New}, []string{"table1-scaling", "lemma4-drift"}},

	{"hybrid noise of variance ε", makers{func(c sde.Cell) sde.Cell {
		switch m := c.Model.(type) {
		case sde.Hybrid:
			m.Epsilon = math.Sqrt(m.Epsilon)
			c.Model = m
		case sde.HybridSDE:
			m.Epsilon = math.Sqrt(m.Epsilon)
			c.Model = m
		}
		return c
	}, overlap.New}, []string{"prop1-single"}},

	{"scale function with d-1 for d-2", makers{asIs, func(dim int, beta float64, attention overlap.Attention, sigma float64) (*overlap.Diffusion, error) {
		return overlap.New(dim+1, beta, attention, sigma)
	}}, []string{"lemma4-drift", "thm2-above"}},
}

// louder multiplies the standard deviation of value matrices.
func louder(c sde.Cell, factor float64) sde.Cell {
	switch m := c.Model.(type) {
	case sde.Transformer:
		m.Sigma *= factor
		c.Model = m
	case sde.TransformerSDE:
		m.Sigma *= factor
		c.Model = m
	}
	return c
}

// Every defect turns the claims red that speak of it, and the run as a whole; that they
// hold without it is a long test. All rows are there.
func TestDefectsAreRefuted(t *testing.T) {
	if testing.Short() {
		t.Skip("large samples")
	}
	for _, d := range defects {
		v := &Verification{Only: d.refuted}
		table := data.NewTable(run.Schema(v, 1))
		err := v.compare(t.Context(), run.Options{Seed: 1}, d.makers, table.Append)
		refuted := new(Refuted)
		if !errors.As(err, &refuted) || table.Rows() != len(d.refuted) {
			t.Fatalf("%s: error %v, %d rows", d.name, err, table.Rows())
		}
		failed := map[string]bool{}
		for _, r := range refuted.Results {
			t.Logf("%s: %s: %s: predicted %.5g, measured %.5g ± %.2g", d.name, r.Claim.ID, r.What, r.Predicted, r.Measured, r.StandardError)
			failed[r.Claim.ID] = true
		}
		for _, id := range d.refuted {
			if !failed[id] {
				t.Errorf("%s: %s holds", d.name, id)
			}
		}
	}
}
