package simulate

import (
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sphere/activation"
)

// Eight tokens of the hybrid model with β = 2 and ε = 2 do not cluster, although two would end opposite:
// differences within a cluster grow with the exponent -a + ε²a²/2, a = tanh 2. If such differences shrink, or
// if the tokens cluster, the report does not mention this rate.
func TestReportSaysWhyTokensDoNotCluster(t *testing.T) {
	for _, c := range []struct {
		tokens  int64
		epsilon float64
		says    bool
	}{{8, 2, true}, {2, 2, false}, {8, 1.2, false}} {
		for _, save := range []string{saveOutcomes, saveOverlaps} {
			s := New()
			s.Model, s.Law = setting.Hybrid, setting.Hybrid.Law()
			s.Tokens, s.Beta, s.Epsilon, s.Save = c.tokens, 2, c.epsilon, save
			s.Trajectories, s.Depth, s.Horizon, s.Every = 12, 50, 10, 10
			text := describe(t, s, experimenttest.Table(t, s, run.Options{Seed: 2}))
			if says := strings.Contains(text, "the rate 0.8947 > 0"); says != c.says {
				t.Errorf("%d tokens, ε = %v, %s: %s", c.tokens, c.epsilon, save, text)
			}
		}
	}
}

// The report explains why trajectories are not clustered if more than half of them are not, for more than two
// tokens with B = I and a theory.
func TestWhereTheReportSaysWhy(t *testing.T) {
	of := func(change func(s *Experiment)) *Experiment {
		s := New()
		s.Model, s.Law = setting.Hybrid, setting.Hybrid.Law()
		s.Tokens, s.Beta, s.Epsilon = 8, 2, 2
		change(s)
		return s
	}
	same := func(*Experiment) {}
	for name, c := range map[string]struct {
		change      func(s *Experiment)
		unclustered int64
		says        bool
	}{
		"half of them": {same, 50, false}, "one more": {same, 51, true}, "all": {same, 100, true},
		"three tokens": {func(s *Experiment) { s.Tokens = 3 }, 100, true},
		"two tokens":   {func(s *Experiment) { s.Tokens = 2 }, 100, false},
		"a rotation": {func(s *Experiment) {
			s.Interaction = experimenttest.Must(setting.ParseInteraction("rotation:30"))
		}, 100, false},
		"single clusters": {func(s *Experiment) { s.Epsilon = 0.1 }, 100, false},
		"whole clusters":  {func(s *Experiment) { s.Epsilon = 1.2 }, 100, false},
		"no opposite clusters": {func(s *Experiment) { // although the tokens of a cluster separate
			s.Model, s.Law, s.Dim, s.Beta = setting.Transformer, setting.Transformer.Law(), 10, 0.1
			s.MLP = setting.MLP{Activation: activation.Tanh, Strength: 0.5, Variance: 4}
		}, 100, false},
		"no dimension": {func(s *Experiment) { s.Dim = 1 }, 100, false},
	} {
		text := of(c.change).separationText(fractionRow{Trajectories: 100, Unclustered: c.unclustered})
		if (text != "") != c.says {
			t.Errorf("%s: %q", name, text)
		}
	}
}
