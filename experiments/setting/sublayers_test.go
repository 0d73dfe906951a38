package setting

import (
	"encoding/json"
	"strings"
	"testing"

	"antipode/experiments/parameter"
	"antipode/sde"
	"antipode/sphere/activation"
)

// The texts of MLPs, as given and as written. The default variance is written too, and strength 0 is written
// as none.
func TestMLPTexts(t *testing.T) {
	for _, c := range []struct {
		text, written string
		want          MLP
	}{
		{"none", "none", MLP{}},
		{"tanh:0.5", "tanh:0.5:1", MLP{activation.Tanh, 0.5, 1, 0}},
		{"relu:2:3", "relu:2:3", MLP{activation.ReLU, 2, 3, 0}},
		{"hermite3:1e-3:0.25:17", "hermite3:0.001:0.25:17", MLP{activation.Hermite3, 0.001, 0.25, 17}},
		{"erf:0:2", "none", MLP{}},
	} {
		var s Sublayers
		value := parameter.ByName(s.Parameters(true), "mlp").Value
		if err := value.Set(c.text); err != nil || s.MLP != c.want || value.String() != c.written {
			t.Errorf("%s: %+v, %s, error %v", c.text, s.MLP, value.String(), err)
		}
		text, err := json.Marshal(s)
		var read Sublayers
		if err == nil {
			err = json.Unmarshal(text, &read)
		}
		if err != nil || read != s {
			t.Errorf("%s: read %+v from %s, error %v", c.text, read, text, err)
		}
	}
}

func TestMLPTextsThatAreRefused(t *testing.T) {
	for _, text := range []string{"", "tanh", "tanh:", "tanh:-1", "tanh:2e6", "tanh:1:0", "tanh:1:2e4",
		"tanh:1:1:0",
		"tanh:1:1:2000000", "tanh:1:1:4:5", "swish:1", "tanh:NaN", "none:1", "tanh:1:"} {
		s := Sublayers{MLP: MLP{activation.Sin, 0.7, 3, 0}}
		before := s
		err := parameter.ByName(s.Parameters(true), "mlp").Set(text)
		if err == nil || !strings.HasPrefix(err.Error(), "must be none or ACTIVATION:c[:w[:WIDTH]], with "+
			"linear, tanh") {
			t.Errorf("%q: error %v", text, err)
		}
		if s != before {
			t.Errorf("%q: left %+v", text, s)
		}
		if err := json.Unmarshal([]byte(`{"mlp":"`+text+`"}`), &s); err == nil {
			t.Errorf("%q in JSON is accepted", text)
		}
	}
}

// One head, no MLP and no drift are not written to JSON, and do not change a cell.
func TestNoSublayers(t *testing.T) {
	var s Sublayers
	nothing := map[string]string{"mlp": "none", "heads": "1", "drift": "0", "sublayers": "together"}
	for name, text := range nothing {
		if err := parameter.ByName(s.Parameters(true), name).Set(text); err != nil {
			t.Error(err)
		}
	}
	text, err := json.Marshal(s)
	if err != nil || string(text) != "{}" || !s.None() || s.Caption() != "" {
		t.Errorf("%s, %v, %q, error %v", text, s.None(), s.Caption(), err)
	}
	c := sde.Cell{Tokens: 2, Dim: 4}
	if with := s.With(c); with.MLP != c.MLP || with.Heads != 0 || with.Drift != 0 || !with.Plain() {
		t.Errorf("%+v", with)
	}
}

// For tokens the width of an MLP is the given one, or 4d if none is given; for the chain it is infinite.
func TestWidthOfAnMLP(t *testing.T) {
	s := Sublayers{MLP: MLP{activation.GELU, 0.3, 2, 0}, Heads: 3, Drift: 0.7}
	tokens := s.With(sde.Cell{Dim: 6})
	if tokens.MLP != (sde.MLP{Activation: activation.GELU, Strength: 0.3, Variance: 2, Width: 24}) ||
		tokens.Heads != 3 || tokens.Drift != 0.7 {
		t.Errorf("%+v", tokens)
	}
	if chain := s.With(sde.Cell{Dim: 6, Method: sde.Chain}); chain.MLP.Width != 0 {
		t.Errorf("width %d of a chain", chain.MLP.Width)
	}
	s.MLP.Width = 5
	if got := s.With(sde.Cell{Dim: 6}).MLP.Width; got != 5 {
		t.Errorf("width %d, want 5", got)
	}
	if want := ", MLP gelu:0.3:2:5, 3 heads, drift 0.7"; s.Caption() != want {
		t.Errorf("caption %q, want %q", s.Caption(), want)
	}
	s.Arrangement = sde.InSequence
	if want := ", MLP gelu:0.3:2:5 after attention, 3 heads, drift 0.7"; s.Caption() != want {
		t.Errorf("caption %q, want %q", s.Caption(), want)
	}
	if got := s.With(sde.Cell{Dim: 6}).Arrangement; got != sde.InSequence {
		t.Errorf("sublayers %v", got)
	}
	if s.MLP = (MLP{}); s.Effective(true).Arrangement != sde.Together {
		t.Error("one sublayer has an arrangement")
	}
}

// If sublayers do not fit a cell, the error names the first parameter among them that is set.
func TestSublayersThatDoNotFit(t *testing.T) {
	flow := sde.Cell{Model: sde.Flow{}, Tokens: 2, Dim: 3, Beta: 1, Depth: 10, Start: sde.UniformStart{}}
	for want, s := range map[string]Sublayers{
		"mlp gelu:0.3:2: model flow: has no MLP": {MLP: MLP{activation.GELU, 0.3, 2, 0}},

		"heads 3: 3 heads: are for model transformer, not for flow":                         {Heads: 3},
		"drift 0.7: drift 0.7: is for models transformer and transformer-sde, not for flow": {Drift: 0.7},
	} {
		if err := s.Check([]sde.Cell{s.With(flow)}); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Sublayers in sequence are refused for schemes of the limit, which does not depend on their arrangement.
func TestSublayersInSequenceThatDoNotFit(t *testing.T) {
	s := Sublayers{MLP: MLP{activation.GELU, 0.3, 2, 0}, Arrangement: sde.InSequence}
	limit := sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1, Depth: 10,
		Start: sde.UniformStart{}}
	const want = "sublayers in-sequence: " +
		"sublayers in-sequence: are for recursions, not for model transformer-sde"
	if err := s.Check([]sde.Cell{s.With(limit)}); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
