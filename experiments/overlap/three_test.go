package overlap

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// The fractions of 4000 trajectories at depth 100 that end with two tokens against one, and as one cluster,
// agree with the theory of three tokens: two numbers within 4.5 standard errors, one false alarm in 70,000
// seeds. Beyond the domain of the theory its columns are null, and the report says how far the domain
// extends. The dimension is 2, in which the theory takes the least time.
func TestThreeTokens(t *testing.T) {
	longtest.Only(t)
	o := block(t, [2]string{"tokens", "3"}, [2]string{"horizon", "3"}, [2]string{"beta", "2.5,30"},
		[2]string{"dim", "2"}, [2]string{"tolerance", "0.02"})
	table := experimenttest.Table(t, o, run.Options{})
	rows, err := data.RowsOf[struct {
		Row
		ThreeTokens
	}](table)
	if err != nil || len(rows) != 2 {
		t.Fatal(len(rows), err)
	}
	r := rows[0].ThreeTokens
	const trajectories = 4000
	c := sde.Cell{Model: sde.Transformer{Law: sde.Gaussian, Sigma: 1}, Tokens: 3, Dim: 2, Depth: 100,
		Beta: 2.5, Start: sde.UniformStart{}}
	counts := must.Get(c.Outcomes(t.Context(), 1, trajectories, 300, 0.02))(t)
	if outcomes.Deviation(counts[sphere.Antipodal], trajectories, r.TwoAgainstOne) > 4.5 ||
		outcomes.Deviation(counts[sphere.Single], trajectories, r.ThreeSingle) > 4.5 {
		t.Errorf("simulated %v, theory %+v", counts, r)
	}
	if !(r.ThreeError > 0 && r.ThreeError < 1e-3) ||
		!(r.SingleBasin+r.OpposedBasin > 0.9 && r.SingleBasin+r.OpposedBasin < 1) ||
		!(r.ThreeSingle > 0.1 && r.ThreeSingle < r.SingleBasin) {
		t.Errorf("%+v", r)
	}
	if r := rows[1].ThreeTokens; !math.IsNaN(r.ThreeSingle) || !math.IsNaN(r.ThreeError) {
		t.Errorf("%+v", r)
	}
	var text strings.Builder
	if err := o.Describe(&text, table); err != nil ||
		!strings.Contains(text.String(), "three tokens at time 3: within 0.02 P(single) = 0.1") ||
		!strings.Contains(text.String(), "three tokens are known up to d = 200 and β = 20") {
		t.Errorf("%s, error %v", &text, err)
	}
	for _, other := range [][2]string{
		{"masses", "1,2"}, {"mlp", "tanh:1"}, {"z0", "0"}, {"horizon", "none"},
	} {
		o := block(t, [2]string{"tokens", "3"}, [2]string{"horizon", "20"}, other)
		if o.showsThree() || parameter.ByName(o.Parameters(), "tokens").Inapplicable == "" {
			t.Errorf("three tokens beside %v", other)
		}
	}
}
