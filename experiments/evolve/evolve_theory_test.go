package evolve

import (
	"strings"
	"testing"

	"antipode/experiments/internal/outcomes"
	"antipode/sde"
	"antipode/sphere"
)

// The clock of unnormalised attention overflows at β = 400, and there is no law at a time.
func TestEvolveWithoutTheory(t *testing.T) {
	e := New()
	e.Tokens, e.Attention = 2, sde.Unnormalized
	line := func(beta float64) *evolveLine {
		l := &evolveLine{model: "transformer", dim: 4, beta: beta, trajectories: 100, time: []float64{1}, pair: []int64{0}}
		l.outcomes[sphere.Single], l.outcomes[sphere.Antipodal], l.outcomes[sphere.Unclustered] = []int64{0}, []int64{100}, []int64{0}
		return l
	}
	for _, c := range []struct {
		lines []*evolveLine
		want  string
	}{
		{[]*evolveLine{line(400)}, " There is no theory to compare these cells with."},
		{[]*evolveLine{line(0.5), line(400)}, ", but for 1 of 2 cells, of which there is no theory."},
	} {
		_, difference, err := e.atHorizon(c.lines)
		if err != nil {
			t.Fatal(err)
		}
		if got := outcomes.SentenceOn(difference, ""); !strings.HasSuffix(got, c.want) {
			t.Errorf("%q has not %q", got, c.want)
		}
	}
}
