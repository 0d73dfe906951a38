package simulate

import (
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
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
