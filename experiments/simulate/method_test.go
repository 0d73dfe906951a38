package simulate

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sde"
)

// The outcomes of the overlap chain have the same law as those of tokens: the counts in two samples of 3,000
// agree within 3.3 standard errors each, with a false alarm in 350. Overlaps of the chain agree with its
// outcomes.
func TestChainHasTheLawOfTheTokens(t *testing.T) {
	count := func(method sde.Method) (counts [3]float64) {
		s := New()
		s.Method, s.Trajectories, s.Dim, s.Beta, s.Depth, s.Horizon, s.Every = method, 3000, 4, 1.5, 10, 9, 9
		s.Start = experimenttest.Must(setting.ParseStart("overlap:-0.3"))
		for _, row := range rowsOf[OutcomeRow](t, s) {
			if row.Time == 9 {
				counts[row.Outcome]++
			}
		}
		return counts
	}
	tokens, chain := count(sde.Tokens), count(sde.Chain)
	for k := range tokens {
		p := (tokens[k] + chain[k]) / 6000
		if d := (tokens[k] - chain[k]) / 3000; p < 0.02 || !(math.Abs(d) <= 3.3*math.Sqrt(p*(1-p)/1500)) {
			t.Errorf("outcome %d: %v of tokens, %v of the chain", k, tokens[k], chain[k])
		}
	}
}

func TestChainIsRefused(t *testing.T) {
	for _, c := range []struct {
		problem string
		change  func(s *Experiment)
	}{
		{"needs 2 tokens or opposite clusters, not 3 tokens", func(s *Experiment) { s.Tokens = 3 }},
		{"the chain has no tokens for --save states", func(s *Experiment) { s.Save = saveStates }},
		{"is for recursions, not for model transformer-sde; must be tokens otherwise", func(s *Experiment) {
			s.Model = setting.TransformerSDE
		}},
		{"must be tokens otherwise", func(s *Experiment) { s.Law = sde.Uniform }},
	} {
		s := New()
		s.Method = sde.Chain
		c.change(s)
		experimenttest.CheckRefused(t, s.Validate(), "method", c.problem)
	}
}

// The chain of two opposite clusters has the overlaps of all pairs of tokens.
func TestChainOfOppositeClusters(t *testing.T) {
	s := New()
	s.Method, s.Tokens, s.Save, s.Depth, s.Horizon, s.Trajectories = sde.Chain, 5, saveOverlaps, 10, 2, 2
	s.Start = experimenttest.Must(setting.ParseStart("opposite:2,3"))
	table := experimenttest.Table(t, s, run.Options{Seed: 5})
	for _, row := range experimenttest.Must(data.RowsOf[OverlapRow](table)) {
		if same := row.First > 2 == (row.Second > 2); same != (row.Overlap == 1) {
			t.Errorf("tokens %d and %d have overlap %v", row.First, row.Second, row.Overlap)
		}
	}
}
