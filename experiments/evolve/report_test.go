package evolve

import (
	"strings"
	"testing"

	"antipode/experiments/internal/outcomes"
	"antipode/sde"
)

// With unnormalised attention at β = 400 the speed overflows, so that there is no theory at the horizon. The
// report does not claim agreement for such cells.
func TestEvolveWithoutTheory(t *testing.T) {
	e := New()
	e.Tokens, e.Attention = 2, sde.Unnormalized
	cell := func(beta float64) evolution {
		return evolution{
			{Model: "transformer", Dim: 4, Beta: beta, Time: 1, Trajectories: 100, Antipodal: 100}}
	}
	for _, c := range []struct {
		cells []evolution
		want  string
	}{
		{[]evolution{cell(400)}, " There is no theory to compare these cells with."},
		{[]evolution{cell(0.5), cell(400)}, ", but for 1 of 2 cells, of which there is no theory."},
	} {
		_, difference, err := e.atHorizon(c.cells)
		if err != nil {
			t.Fatal(err)
		}
		if got := outcomes.SentenceOn(difference, ""); !strings.HasSuffix(got, c.want) {
			t.Errorf("%q has not %q", got, c.want)
		}
	}
}
