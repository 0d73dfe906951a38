package propagation

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/columns"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
)

func TestPropagationValidateNamesTheParameter(t *testing.T) {
	few, many := int64(1), int64(1000)
	for _, c := range []struct {
		parameter, problem string
		change             func(p *Propagation)
	}{
		{"block", "or several of them with commas between", func(p *Propagation) { p.Block = nil }},
		{"block", "must be", func(p *Propagation) { p.Block = []string{"pre-norm", "pre-norm"} }},
		{"beta", "-1 is out of bounds", func(p *Propagation) { p.Beta = []float64{-1} }},
		{"start", "must be a number from 0 to 1", func(p *Propagation) { p.Start = 1.5 }},
		{"sigma-w2", "no values", func(p *Propagation) { p.SigmaW2 = nil }},
		{"sigma-b2", "must be a number from 0", func(p *Propagation) { p.SigmaB2 = math.NaN() }},
		{"sigma-v2", "must be a number from 0", func(p *Propagation) { p.SigmaV2 = -1 }},
		{"alpha-sa", "2000 is out of bounds", func(p *Propagation) { p.AlphaSA = []float64{2000} }},
		{"alpha-mlp", "must be a number from 0 to 1000", func(p *Propagation) { p.AlphaMLP = -1 }},
		{"layers", "must be a whole number from 1", func(p *Propagation) { p.Layers = 0 }},
		{"activation", "must be relu, tanh, erf or gelu", func(p *Propagation) { p.Activation = "" }},
		{"tokens", "must be inf or a whole number from 2", func(p *Propagation) { p.Tokens = &few }},
		{"beta", "standard deviation 26", func(p *Propagation) { p.Tokens, p.Beta = &many, []float64{100} }},
		{"alpha-sa", "in layer 1 of post-norm, β = 0.5: the tokens become 0", func(p *Propagation) { p.AlphaSA = []float64{0} }},
		{"alpha-sa", "overflows", func(p *Propagation) { p.Block, p.AlphaSA = []string{"pre-norm"}, []float64{1000} }},
	} {
		p := NewPropagation()
		c.change(p)
		err := p.Run(t.Context(), run.Options{}, data.NewTable(run.Schema(NewPropagation(), 1)))
		var problem *parameter.Error
		if !errors.As(err, &problem) || problem.Parameter != c.parameter || !strings.Contains(problem.Problem, c.problem) {
			t.Errorf("error %v, want %s: %s", err, c.parameter, c.problem)
		}
	}
}

// The JSON of one curve is an object, of more a list; its numbers are the map's.
func TestPropagationJSON(t *testing.T) {
	p := NewPropagation()
	p.Layers, p.Start, p.Beta = 3, 0.2, []float64{2}
	var text bytes.Buffer
	if err := p.WriteJSON(&text, experimenttest.Table(t, p, run.Options{})); err != nil {
		t.Fatal(err)
	}
	var curve struct {
		Block  string
		Layers []struct {
			Layer        int
			Q, P, Cosine float64
		}
	}
	if err := json.Unmarshal(text.Bytes(), &curve); err != nil || len(curve.Layers) != 4 || curve.Block != "post-norm" {
		t.Fatalf("%s: %v", &text, err)
	}
	m, err := propagation.NewMap(p.blocks()[0])
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Curve(propagation.State{Q: 1, P: 0.2}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for k, l := range curve.Layers {
		if l.Layer != k || l.Q != want[k].Q || l.P != want[k].P || l.Cosine != want[k].Cosine() {
			t.Errorf("layer %d: %+v, want %+v", k, l, want[k])
		}
	}
	p.Block = []string{"pre-norm", "post-norm"}
	text.Reset()
	if err := p.WriteJSON(&text, experimenttest.Table(t, p, run.Options{})); err != nil || !strings.HasPrefix(text.String(), "[") {
		t.Errorf("%s: %v", &text, err)
	}
}

// Each figure has its preset, and the curves say what the paper's text does.
func TestPropagationPaper(t *testing.T) {
	for _, figure := range []string{"1d", "4", "9", "12"} {
		p := NewPropagation()
		p.Figure = figure
		p.Paper()
		if p.Figure != figure {
			t.Errorf("figure %s is %s", figure, p.Figure)
		}
		curves, err := readPropagation(experimenttest.Table(t, p, run.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		var last []float64
		for _, c := range curves {
			last = append(last, c.Layers[len(c.Layers)-1].Cosine)
		}
		t.Logf("Fig. %s: cosines %.4f at the end", figure, last)
		switch figure {
		case "1d": // collapse for α = 1 only
			if len(last) != 3 || last[0] < 0.99 || last[1] > 0.99 || last[2] > last[1] {
				t.Errorf("Fig. 1d: %v", last)
			}
		case "4": // later with pre-norm, not with gain control
			if len(last) != 4 || last[0] < 0.99 || last[1] > last[0] || last[2] > 0.5 || last[3] > 0.5 {
				t.Errorf("Fig. 4: %v", last)
			}
		case "9":
			if len(last) != 2 || last[0] < 0.99 || last[1] > 0.3 {
				t.Errorf("Fig. 9: %v", last)
			}
		}
	}
}

func TestTrainabilityRows(t *testing.T) {
	c := NewTrainability()
	c.AlphaSA, c.Beta = []float64{1, 2, 0.5}, []float64{1.8, 0.5}
	table := experimenttest.Table(t, c, run.Options{})
	r := columns.Reader{Table: table}
	alpha, beta, cosine, verdict := columns.Of[float64](&r, "alpha_sa"), columns.Of[float64](&r, "beta"), columns.Of[float64](&r, "cosine"), columns.Of[int8](&r, "verdict")
	if r.Err != nil || len(alpha) != 6 {
		t.Fatal(r.Err, len(alpha))
	}
	for k := range alpha {
		m, err := propagation.NewMap(c.block(alpha[k], beta[k]))
		if err != nil {
			t.Fatal(err)
		}
		signal, err := m.Signal(propagation.State{Q: 1}, 60)
		if err != nil || signal.Cosine != cosine[k] || int8(signal.Verdict(beta[k], 0.99)) != verdict[k] {
			t.Errorf("α = %g, β = %g: %+v, %v; row %g, %d", alpha[k], beta[k], signal, err, cosine[k], verdict[k])
		}
	}
}

// In the limit and for T tokens the columns are the theory's; below β_c from ρ = 0 there
// is no cosine, and no entropy.
func TestAttentionPhaseRows(t *testing.T) {
	tokens := int64(200)
	for _, a := range []*AttentionPhase{{Beta: []float64{0.5, 3}, Rho: []float64{0, 0.4}}, {Beta: []float64{0.5, 3}, Rho: []float64{0, 0.4}, Tokens: &tokens}} {
		_, points, err := readAttentionPhase(experimenttest.Table(t, a, run.Options{}))
		if err != nil || len(points) != 4 {
			t.Fatal(len(points), err)
		}
		for _, v := range points {
			next, err := propagation.Attention{Beta: v.beta, SigmaV2: 1, Tokens: tokensOrInfinite(a.Tokens)}.Step(propagation.State{Q: 1, P: v.rho})
			if err != nil {
				t.Fatal(err)
			}
			vanishes := a.Tokens == nil && v.rho == 0 && v.beta == 0.5
			if vanishes != math.IsNaN(v.cosine) || !vanishes && v.cosine != next.Cosine() {
				t.Errorf("β = %g, ρ = %g: cosine %g, want %g", v.beta, v.rho, v.cosine, next.Cosine())
			}
			if infinite := a.Tokens == nil && v.beta == 0.5; infinite != math.IsInf(v.row.Entropy, 1) {
				t.Errorf("β = %g, ρ = %g: entropy %g", v.beta, v.rho, v.row.Entropy)
			}
		}
	}
}
