package overlap

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
)

// Simulated at depth 100 by another program, two tokens are against one with probability 0.260 ± 0.005.
// Beyond the domain of the theory all is null, and the text says up to where it goes.
func TestThreeTokens(t *testing.T) {
	o := block(t, [2]string{"tokens", "3"}, [2]string{"horizon", "20"}, [2]string{"beta", "2.5,30"})
	table := experimenttest.Table(t, o, run.Options{})
	rows, err := data.RowsOf[struct {
		Row
		ThreeTokens
	}](table)
	if err != nil || len(rows) != 2 {
		t.Fatal(len(rows), err)
	}
	r := rows[0].ThreeTokens
	if math.Abs(r.TwoAgainstOne-0.26) > 0.015 || !(r.ThreeError > 0 && r.ThreeError < 2e-4) ||
		math.Abs(r.SingleBasin+r.OpposedBasin-1) > 1e-3 ||
		!(r.ThreeSingle > 0.5 && r.ThreeSingle < r.SingleBasin) {
		t.Errorf("%+v", r)
	}
	if r := rows[1].ThreeTokens; !math.IsNaN(r.ThreeSingle) || !math.IsNaN(r.ThreeError) {
		t.Errorf("%+v", r)
	}
	var text strings.Builder
	if err := o.Describe(&text, table); err != nil ||
		!strings.Contains(text.String(), "three tokens at time 20: within 0.001 P(single) = 0.56") ||
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
