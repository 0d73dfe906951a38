package overlap

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// block returns an experiment with some parameters set by name and text as a command line would.
func block(t *testing.T, parameters ...[2]string) *Experiment {
	t.Helper()
	o := New()
	for _, s := range parameters {
		must.Do(t, parameter.ByName(o.Parameters(), s[0]).Set(s[1]))
	}
	return o
}

// blockRow returns the row of a run with one point, the report, and the table.
func blockRow(t *testing.T, o *Experiment) (BlockRow, string, *data.Table) {
	t.Helper()
	table := experimenttest.Table(t, o, run.Options{})
	rows, err := data.RowsOf[BlockRow](table)
	if err != nil || len(rows) != 1 {
		t.Fatal(len(rows), err)
	}
	var text bytes.Buffer
	must.Do(t, o.Describe(&text, table))
	return rows[0], text.String(), table
}

// With an MLP of large variance neither end attracts, and JSON has two more keys, with the stationary law.
func TestStationaryLawOfABlock(t *testing.T) {
	o := block(t, [2]string{"mlp", "tanh:5:36"}, [2]string{"dim", "12"}, [2]string{"beta", "0.5"})
	r, text, table := blockRow(t, o)
	if !(math.Abs(r.LimitMean-0.26873201) <= 1e-8) || !(r.Relaxation > 0) || r.Antipodal != 0 ||
		r.Single != 0 {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(text, "neither end attracts: the overlap has a stationary law with mean "+
		"0.26873201") {
		t.Errorf("%s", text)
	}
	var written bytes.Buffer
	must.Do(t, o.WriteJSON(&written, table))
	var keys map[string]any
	if err := json.Unmarshal(written.Bytes(), &keys); err != nil ||
		len(keys) != len(New().Columns())+2 ||
		keys["overlap_limit"] != r.LimitMean {
		t.Errorf("%s, error %v", &written, err)
	}
}

// With an MLP whose activation is odd, P(antipodal) in the limit agrees with another program, which has ten
// digits, and β_c is arctanh √((d-3)(1+cr)/(d-1) - c) with r = 1.6116. The report has the law at the depth
// before the limit.
func TestOddMLPInTheory(t *testing.T) {
	o := block(t, [2]string{"mlp", "tanh:0.5:4"}, [2]string{"beta", "1.5"}, [2]string{"depth", "20"},
		[2]string{"horizon", "30"})
	r, text, _ := blockRow(t, o)
	if !(math.Abs(r.Antipodal-0.2834918675) <= 1e-9) ||
		!(math.Abs(r.BetaC-math.Atanh(math.Sqrt((1+0.5*1.6116)/3-0.5))) <= 1e-4) ||
		!math.IsNaN(r.BetaCDepth) {
		t.Errorf("%+v", r)
	}
	depth, limit := strings.Index(text, "at depth 20"), strings.Index(text, "from independent uniform tokens")
	if depth < 0 || depth > limit || !strings.Contains(text, "per unit of time\n") {
		t.Errorf("%s", text)
	}
}

// ReLU is not odd: -1 is an entrance boundary, and the antipodal state has a lifetime, which is longer for a
// weaker MLP.
func TestReLUInTheory(t *testing.T) {
	before := 0.0
	for _, mlp := range []string{"relu:0.1", "relu:0.01", "relu:0.001"} {
		r, text, _ := blockRow(t, block(t, [2]string{"mlp", mlp}, [2]string{"dim", "5"},
			[2]string{"beta", "2"}))
		if !(r.Lifetime > before) || r.Antipodal != 0 || r.Single != 1 || !math.IsNaN(r.BetaC) ||
			!strings.Contains(text, "overlap -1: entrance, as the MLP's activation relu is not odd") ||
			!strings.Contains(text, "the lifetime grows like c^(-0.4451)\n") ||
			strings.Contains(text, "1.8e308") {
			t.Errorf("%+v\n%s", r, text)
		}
		before = r.Lifetime
	}
}

// With sublayers in sequence the law at a depth is another one, and the limit is the same. The values agree
// with 2,000 trajectories of another program (see exactlaw).
func TestSublayersInSequence(t *testing.T) {
	longtest.Only(t)
	flags := [][2]string{{"mlp", "tanh:0.5:4"}, {"beta", "1.5"}, {"dim", "4"}, {"depth", "20"},
		{"horizon", "10"}}
	together, _, _ := blockRow(t, block(t, flags...))
	after, text, _ := blockRow(t, block(t, append(flags, [2]string{"sublayers", "in-sequence"})...))
	if !(math.Abs(together.DepthAntipodal-0.257677206) <= 1e-8) ||
		!(math.Abs(after.DepthAntipodal-0.266918033) <= 1e-7) ||
		!(math.Abs(after.DepthSingle-0.720708823) <= 1e-7) || after.Antipodal != together.Antipodal ||
		!strings.Contains(text, "MLP tanh:0.5:4 after attention") {
		t.Errorf("%+v\n%+v\n%s", together, after, text)
	}
}
