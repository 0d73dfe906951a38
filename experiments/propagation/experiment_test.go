package propagation

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/overlap/propagation"
	"antipode/sphere/must"
)

func TestPropagationValidateNamesTheParameter(t *testing.T) {
	few, many := int64(1), int64(1000)
	for _, c := range []struct {
		parameter, problem string
		change             func(p *Experiment)
	}{
		{"block", "or several of them, separated by commas", func(p *Experiment) { p.Block = nil }},
		{"block", "must be", func(p *Experiment) { p.Block = []string{"pre-norm", "pre-norm"} }},
		{"weight-beta", "-1 is out of bounds", func(p *Experiment) { p.Beta = []float64{-1} }},
		{"start", "must be a number from 0 to 1", func(p *Experiment) { p.Start = 1.5 }},
		{"sigma-w2", "no values", func(p *Experiment) { p.SigmaW2 = nil }},
		{"sigma-b2", "must be a number from 0", func(p *Experiment) { p.SigmaB2 = math.NaN() }},
		{"sigma-v2", "must be a number from 0", func(p *Experiment) { p.SigmaV2 = -1 }},
		{"alpha-sa", "2000 is out of bounds", func(p *Experiment) { p.AlphaSA = []float64{2000} }},
		{"alpha-mlp", "must be a number from 0 to 1000", func(p *Experiment) { p.AlphaMLP = -1 }},
		{"layers", "must be a whole number from 1", func(p *Experiment) { p.Layers = 0 }},
		{"activation", "must be relu, tanh, erf or gelu", func(p *Experiment) { p.Activation = "" }},
		{"tokens", "must be inf or a whole number from 2", func(p *Experiment) { p.Tokens = &few }},
		{"weight-beta", "standard deviation 26",
			func(p *Experiment) { p.Tokens, p.Beta = &many, []float64{100} }},
		{"alpha-sa", "in layer 1 of post-norm, β = 0.5: the tokens become 0",
			func(p *Experiment) { p.AlphaSA = []float64{0} }},
		{"alpha-sa", "overflows", func(p *Experiment) {
			p.Block, p.AlphaSA = []string{"pre-norm"}, []float64{1000}
		}},
	} {
		p := New()
		c.change(p)
		err := p.Run(t.Context(), run.Options{}, data.NewTable(run.Schema(New(), 1)))
		experimenttest.CheckRefused(t, err, c.parameter, c.problem)
	}
}

// The JSON is an object for one curve and a list for several; its numbers are those of package propagation.
func TestPropagationJSON(t *testing.T) {
	p := New()
	p.Layers, p.Start, p.Beta = 3, 0.2, []float64{2}
	var text bytes.Buffer
	must.Do(t, p.WriteJSON(&text, experimenttest.Table(t, p, run.Options{})))
	var curve struct {
		Block  string
		Layers []struct {
			Layer        int
			Q, P, Cosine float64
		}
	}
	if err := json.Unmarshal(text.Bytes(), &curve); err != nil || len(curve.Layers) != 4 ||
		curve.Block != "post-norm" {
		t.Fatalf("%s: %v", &text, err)
	}
	m := must.Get(propagation.NewMap(p.blocks()[0]))(t)
	want := must.Get(m.Curve(propagation.State{Q: 1, P: 0.2}, 3))(t)
	for k, l := range curve.Layers {
		if l.Layer != k || l.Q != want[k].Q || l.P != want[k].P || l.Cosine != want[k].Cosine() {
			t.Errorf("layer %d: %+v, want %+v", k, l, want[k])
		}
	}
	p.Block = []string{"pre-norm", "post-norm"}
	text.Reset()
	if err := p.WriteJSON(&text, experimenttest.Table(t, p, run.Options{})); err != nil ||
		!strings.HasPrefix(text.String(), "[") {
		t.Errorf("%s: %v", &text, err)
	}
}

// Each figure has its preset, and its theoretical curves have the properties that the paper's text states.
func TestPropagationPaper(t *testing.T) {
	for _, figure := range []string{"1d", "4", "9", "12", "a1e", "v1-c3", "v1-c3b"} {
		p := New()
		p.Figure = figure
		p.Paper()
		if p.Figure != figure {
			t.Errorf("figure %s is %s", figure, p.Figure)
		}
		if err := p.Validate(); err != nil {
			t.Errorf("figure %s: %v", figure, err)
		}
		p.Simulate, p.Tokens = nil, nil // the theory of finite T takes longer
		curves := must.Get(readCurves(New(), experimenttest.Table(t, p, run.Options{})))(t)
		var last []float64
		for _, c := range curves {
			last = append(last, c[len(c)-1].Cosine)
		}
		t.Logf("Fig. %s: cosines %.4f at the end", figure, last)
		switch figure {
		case "1d": // collapse for α = 1 only
			if len(last) != 3 || last[0] < 0.99 || last[1] > 0.99 || last[2] > last[1] {
				t.Errorf("Fig. 1d: %v", last)
			}
		case "4": // the cosine grows more slowly with pre-norm, and stays low with gain control
			if len(last) != 4 || last[0] < 0.99 || last[1] > last[0] || last[2] > 0.5 || last[3] > 0.5 {
				t.Errorf("Fig. 4: %v", last)
			}
		case "a1e": // above β_c tokens stay apart for these few layers
			if len(last) != 3 || last[0] > 0.2 || last[1] > last[0] || last[2] > last[1] {
				t.Errorf("A.1 (e): %v", last)
			}
		case "9":
			if len(last) != 2 || last[0] < 0.99 || last[1] > 0.3 {
				t.Errorf("Fig. 9: %v", last)
			}
		case "v1-c3":
			// At β = 4 a row attends to 1/Y2 tokens, where Y2 = 1 - β_c/β = 0.645, and the cosine 0.01
			// becomes about 0.01/Y2. ReLU maps a cosine c to (√(1-c²) + c (π - arccos c))/π, which is 0.327.
			if len(last) != 41*40 || last[0] < 0.9999 || !(math.Abs(last[41*40-1]-0.327) <= 0.002) {
				t.Errorf("Fig. C.3, left: %v and %v", last[0], last[len(last)-1])
			}
		case "v1-c3b": // the largest β is the last to collapse
			if len(last) != 6 || slices.Min(last) < 0.999 || curves[0][1].Cosine < 0.9999 ||
				curves[5][1].Cosine > 0.4 {
				t.Errorf("Fig. C.3, right: %v", last)
			}
		}
	}
}

// The parameters of the experiment become those of the block.
func TestBlockHasTheParameters(t *testing.T) {
	tokens := int64(20)
	p := &Experiment{Block: []string{"pre-norm"}, Beta: []float64{0.7}, AlphaSA: []float64{0.8},
		SigmaW2: []float64{0.5}, SigmaB2: 0.02, SigmaV2: 0.3, AlphaMLP: 1.2, Activation: "gelu",
		Tokens: &tokens}
	want := propagation.Block{
		Kind: propagation.PreNorm, Beta: 0.7, SigmaV2: 0.3, SigmaW2: 0.5, SigmaB2: 0.02, AlphaSA: 0.8,
		AlphaMLP: 1.2, Activation: propagation.GELU, Tokens: 20,
	}
	if got := p.blocks()[0]; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
