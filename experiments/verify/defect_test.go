package verify

import (
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/phase"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/overlap"
	uniform "antipode/overlap/collapse"
	"antipode/overlap/propagation"
	"antipode/sde"
	"antipode/sde/matrices"
	"antipode/sde/network"
)

// A defect is a wrong model or theory, with claims that must refute it, each written as "id", or as "id:
// comparison" with the comparison that must fail first.
type defect struct {
	name    string
	put     func(s *subject)
	refuted []string
}

var defects = []defect{
	{"independent noise", cells(func(c *sde.Cell) {
		if m, recursion := c.Model.(sde.Transformer); recursion {
			c.Model, c.Method = sde.TransformerSDE{Sigma: m.Sigma, Noise: sde.IndependentNoise}, sde.Tokens
		}
	}), []string{"lemma4-drift", "eq21"}},

	{"variance of V 3 % off", cells(func(c *sde.Cell) { louder(c, math.Sqrt(1.03)) }),
		[]string{"lemma4-variance"}},

	{"variance of V 10 % off", cells(func(c *sde.Cell) { louder(c, math.Sqrt(1.1)) }), []string{
		"eq5: squared distance to the limit's path with L(t-n/L)", "lemma1-sphere: E|Y|² at time 1",
		"lemma1-naive",
	}},

	{"uniform entries from -σ to σ", cells(func(c *sde.Cell) {
		if m, recursion := c.Model.(sde.Transformer); recursion && m.Law == sde.Uniform {
			louder(c, 1/math.Sqrt(3))
		}
	}), []string{"thm1-laws: limit of E Z², uniform less gaussian"}},

	{"three times β", cells(func(c *sde.Cell) { c.Beta *= 3 }), []string{"thm2-below"}},

	{"softmax without its normalisation", cells(func(c *sde.Cell) {
		if c.Attention == sde.Softmax {
			c.Attention = sde.Unnormalized
			louder(c, float64(c.Tokens))
		}
	}), []string{
		"table1-scaling", "lemma4-drift", "eq15-expansion: order in 1/L of max E|X-Y|², d=3 β=1 N=3",
	}},

	{"unnormalized attention with its sum as the norm", cells(func(c *sde.Cell) {
		if c.Attention == sde.Unnormalized {
			c.Attention = sde.Softmax
		}
	}), []string{"thm2-exhaustive: P(A₁)+P(A₂), d=3 β=1 unnormalized after 500 layers", "thm2-above",
		"thm1-paths: limit of E max Z, d=6 β=0.5 unnormalized from -0.5"}},

	{"hybrid noise of variance ε", cells(func(c *sde.Cell) {
		switch m := c.Model.(type) {
		case sde.Hybrid:
			m.Epsilon = math.Sqrt(m.Epsilon)
			c.Model = m
		case sde.HybridSDE:
			m.Epsilon = math.Sqrt(m.Epsilon)
			c.Model = m
		}
	}), []string{"prop1-single", "prop1-antipodal", "softmax-window", "lemma3-hybrid"}},

	{"the flow as a hybrid with noise", cells(func(c *sde.Cell) {
		if m, hybrid := c.Model.(sde.Hybrid); hybrid && m.Epsilon == 0 {
			c.Model = sde.Hybrid{Law: m.Law, Epsilon: 0.1}
		}
	}), []string{"lemma2-flow"}},

	{"a flow with noise", cells(func(c *sde.Cell) {
		if _, flow := c.Model.(sde.Flow); flow {
			c.Model = sde.Transformer{Sigma: 1}
		}
	}), []string{"flow-single", "fig9-large-beta", "fig9-small-beta"}},

	{"variance of V 60 % off", cells(func(c *sde.Cell) { louder(c, math.Sqrt(1.6)) }),
		[]string{"lemma5-plus", "lemma5-minus", "halves-within", "halves-between"}},

	{"hardly any β", cells(func(c *sde.Cell) { c.Beta *= 0.1 }), []string{"fig6-positive", "fig7-stable"}},

	{"attention without its matrix B", cells(func(c *sde.Cell) { c.Interaction = nil }),
		[]string{"beta-sign"}},

	{"equal clusters with unequal weights", cells(func(c *sde.Cell) {
		if c.Start == (sde.OppositeStart{First: 2, Second: 2}) {
			c.Start = sde.OppositeStart{First: 1, Second: 3}
		}
	}), []string{"masses-entrance: equal clusters that part"}},

	{"tokens with four decimals", func(s *subject) {
		s.view = func(v *sde.View) *sde.View {
			x := v.Tokens()
			if x == nil {
				return v
			}
			rounded := make([]float64, len(x))
			for k, v := range x {
				rounded[k] = math.Round(1e4*v) / 1e4
			}
			return sde.NewView(v.Trajectory, v.Layer, rounded, len(x)/v.Count())
		}
	}, []string{"lemma6-unattained"}},

	{"scale function with d-1 for d-2", func(s *subject) {
		s.diffusion = nextDimension
	}, []string{
		"lemma4-drift", "thm2-above", "thm2-continuous", "table1-scaling", "fig8-wording", "lemma5-integral",
	}},

	{"ε for ε² in the theory", func(s *subject) {
		s.hybrid = func(
			dim int, beta float64, attention overlap.Attention, epsilon float64,
		) (*overlap.Diffusion, error) {
			return overlap.NewHybrid(dim, beta, attention, math.Sqrt(epsilon))
		}
	}, []string{"c4", "prop1-single", "softmax-window"}},

	{"rows of the theory with scores half as large", func(s *subject) {
		s.row = func(tokens, deviation float64) (propagation.Row, error) {
			return propagation.FiniteRow(tokens, 0.5*deviation)
		}
	}, []string{
		"result1: Y₂ of 10^60 tokens at 2 β_c", "entropy-share", "moment-exponent", "participation", "phi-s",
	}},

	{"residual branches of α for α²", func(s *subject) {
		s.residual = func(r uniform.Residual) uniform.Residual {
			return uniform.Residual{Attention: math.Sqrt(r.Attention), MLP: math.Sqrt(r.MLP)}
		}
	}, []string{"correlation-limit", "norm-propagation"}},

	{"residual strength α for α²", func(s *subject) {
		s.block = func(b propagation.Block) propagation.Block {
			b.AlphaSA = math.Sqrt(b.AlphaSA)
			return b
		}
	}, []string{"residual"}},

	{"tanh for relu", func(s *subject) {
		s.block = func(b propagation.Block) propagation.Block {
			b.Activation, b.SigmaV2, b.SigmaW2, b.SigmaB2, b.AlphaSA = propagation.Tanh, 1, 6.25, 0.1, 6
			return b
		}
	}, []string{"collapse: fixed points, post-norm", "trainability", "kernels"}},

	{"relu for tanh", func(s *subject) {
		s.block = func(b propagation.Block) propagation.Block {
			b.Activation = propagation.ReLU
			return b
		}
	}, []string{"chaos"}},

	{"scores 15 % too large", func(s *subject) {
		s.scores = func(deviation float64) float64 { return 1.15 * deviation }
	}, []string{"participation", "attention-map", "bert-beta: variance of a score"}},

	{"scores 40 % too large", func(s *subject) {
		s.scores = func(deviation float64) float64 { return 1.4 * deviation }
	}, []string{"result2"}},

	{"scores half as large", func(s *subject) {
		s.scores = func(deviation float64) float64 { return 0.5 * deviation }
	}, []string{"phi-s"}},

	{"tokens that are not alike", networksWith(func(n *network.Network) { n.P = 0.5 * n.Q }),
		[]string{"rank-one"}},

	{"value weights 30 % too large", networksWith(func(n *network.Network) { n.Value2 *= 1.3 * 1.3 }),
		[]string{"norm-propagation"}},

	{"query weights 30 % too large", networksWith(func(n *network.Network) { n.QueryKey2 *= 1.3 * 1.3 }),
		[]string{"networks-gradients", "uniform-limit", "uniform-derivative"}},

	{"attention without a mask", networksWith(func(n *network.Network) { n.Causal = false }),
		[]string{"networks-causal"}},

	{"pre-norm for post-norm", networksWith(func(n *network.Network) {
		if n.Norm == network.PostNorm {
			n.Norm = network.PreNorm
		}
	}), []string{"value-gradients"}},

	{"the other of gap and no gap", stacksWith(func(n *matrices.Network) {
		n.Gap = map[matrices.Gap]matrices.Gap{
			matrices.KeepGap: matrices.RemoveMeans, matrices.RemoveMeans: matrices.KeepGap,
		}[n.Gap]
	}), []string{
		"spectral-gap", "scores-edge", "rank-collapse", "rank-kept", "gradient-rate", "covariance-moments",
		"markov-product", "signal-values", "jacobian-moments",
		"dynamical-isometry: variance of Σ_ℓ, ℓ = 8, orthogonal values",
	}},

	{"Gaussian values for orthogonal ones", stacksWith(
		func(n *matrices.Network) { n.Values = matrices.GaussianValues }),
		[]string{"dynamical-isometry: variance of Σ_ℓ, ℓ = 8, orthogonal values"}},

	{"one layer for two", stacksWith(func(n *matrices.Network) { n.Layers = 1 }),
		[]string{"key-query-growth"}},

	{"layers that are not the identity", stacksWith(
		func(n *matrices.Network) { n.Attention = matrices.Markov }),
		[]string{"gaussian-product"}},

	{"Fig. 3 at depth 50,000", func(s *subject) {
		s.figure3 = func() *phase.Experiment {
			p := genuine.figure3()
			p.Depth = 50_000
			return p
		}
	}, []string{"fig3-depth: layers of Fig. 3 as phase --paper has it"}},
}

// cells returns a defect that changes every simulated cell.
func cells(change func(c *sde.Cell)) func(s *subject) {
	return func(s *subject) {
		s.cell = func(c sde.Cell) sde.Cell {
			change(&c)
			return c
		}
	}
}

// networksWith returns a defect that changes every random network.
func networksWith(change func(n *network.Network)) func(s *subject) {
	return func(s *subject) {
		s.network = func(n network.Network) network.Network {
			change(&n)
			return n
		}
	}
}

// stacksWith returns a defect that changes every stack of random attention layers.
func stacksWith(change func(n *matrices.Network)) func(s *subject) {
	return func(s *subject) {
		s.matrices = func(n matrices.Network) matrices.Network {
			change(&n)
			return n
		}
	}
}

// nextDimension returns the theory of the next larger dimension.
func nextDimension(
	dim int, beta float64, attention overlap.Attention, sigma float64,
) (*overlap.Diffusion, error) {
	return overlap.New(dim+1, beta, attention, sigma)
}

// louder multiplies the standard deviation of the value matrices by factor.
func louder(c *sde.Cell, factor float64) {
	switch m := c.Model.(type) {
	case sde.Transformer:
		m.Sigma *= factor
		c.Model = m
	case sde.TransformerSDE:
		m.Sigma *= factor
		c.Model = m
	}
}

// A defect makes the claims about it fail, and so the whole run; all rows are written. Long tests check that
// the claims hold without a defect, and fail at other seeds too.
func TestDefectsAreRefuted(t *testing.T) {
	longtest.Only(t)
	for _, d := range defects {
		for id, verdict := range d.verdicts(t, 1) {
			if verdict != fails {
				t.Errorf("%s: %s: %v", d.name, id, verdict)
			}
		}
	}
}

// verdicts measures the claims about a defect at one seed, and returns their verdicts. It is an error of the
// test if a claim fails in another comparison than the one named.
func (d defect) verdicts(t *testing.T, seed uint64) map[string]verdict {
	t.Helper()
	made, comparisons := genuine, map[string]string{}
	d.put(&made)
	v := New()
	for _, refuted := range d.refuted {
		id, comparison, _ := strings.Cut(refuted, ": ")
		v.Only, comparisons[id] = append(v.Only, id), comparison
	}
	table := data.NewTable(run.Schema(v, seed))
	err := v.compare(t.Context(), run.Options{Seed: seed}, made, table)
	rows, rowsErr := data.RowsOf[Row](table)
	if rowsErr != nil || len(rows) != len(d.refuted) {
		t.Fatalf("%s: %d rows, errors %v, %v", d.name, len(rows), err, rowsErr)
	}
	verdicts := map[string]verdict{}
	for _, row := range rows {
		verdicts[string(row.ID)] = row.Verdict
	}
	refuted := new(Refuted)
	if errors.As(err, &refuted); err != nil && refuted.Results == nil {
		t.Fatalf("%s: %v", d.name, err)
	}
	for _, r := range refuted.Results {
		t.Logf("%s: %s: %s: predicted %.5g, measured %.5g ± %.2g", d.name, r.Claim.ID, r.What, r.Predicted,
			r.Measured, r.StandardError)
		if comparison := comparisons[r.Claim.ID]; comparison != "" && comparison != r.What {
			t.Errorf("%s: %s fails in %q", d.name, r.Claim.ID, r.What)
		}
	}
	return verdicts
}
