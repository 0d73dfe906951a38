package phase

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// given returns a small experiment, with some parameters set by name and text as a command line would.
func given(t *testing.T, parameters ...[2]string) *Experiment {
	t.Helper()
	p := New()
	p.Dim, p.Beta, p.Trajectories, p.Depth, p.Horizon = []int{4, 12}, []float64{0.5, 1.5}, 200, 20, 20
	for _, s := range parameters {
		must.Do(t, parameter.ByName(p.Parameters(), s[0]).Set(s[1]))
	}
	return p
}

// With an MLP of large variance neither outcome attracts at d = 12, β = 0.5: the row has the mean overlap of
// the stationary law, and the report says so. The table has the additional columns of a block; without the
// MLP it has the plain ones.
func TestRowsOfBlocks(t *testing.T) {
	p := given(t, [2]string{"mlp", "tanh:5:36"})
	if p.Method != sde.Chain {
		t.Errorf("method %v of an MLP of infinite width", p.Method)
	}
	table := experimenttest.Table(t, p, run.Options{Seed: 3})
	rows, err := data.RowsOf[BlockRow](table)
	if err != nil || len(rows) != 4 {
		t.Fatal(len(rows), err)
	}
	if r := rows[2]; r.Dim != 12 || !(math.Abs(r.LimitMean-0.26873201) <= 1e-8) || r.LimitSingle != 0 ||
		r.Limit != 0 ||
		r.Unclustered != 200 {
		t.Errorf("%+v", r)
	}
	for k, r := range rows {
		if z := r.difference(); !(math.Abs(z) < 4.5) { // one false alarm in 37,000 seeds
			t.Errorf("row %d: %v of %v antipodal, theory %v", k, r.Antipodal, r.Trajectories, r.theory())
		}
	}
	var text bytes.Buffer
	must.Do(t, p.Describe(&text, table))
	for _, want := range []string{
		"With MLP tanh:5:36 opposite clusters attract in 0 of 4 cells. Opposite clusters were seen in 2 of " +
			"4 cells in which they do not attract, ",
		" cells neither outcome attracts. At this depth and horizon a fraction 0."} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q has not %q", &text, want)
		}
	}
	plain := data.ColumnsOf[Row]()
	if columns := given(t).Columns(); !reflect.DeepEqual(columns, plain) {
		t.Errorf("columns %v without an MLP", columns)
	}
	if columns := p.Columns(); len(columns) != len(plain)+2 || columns[len(plain)].Name != "p_single_limit" {
		t.Errorf("columns %v with an MLP", columns)
	}
}

// The report states the fraction at the simulated depth before that of the limit, which may be far from it.
// Here 97 of the 200 trajectories in cells where neither outcome attracts are single clusters.
func TestStationarySentence(t *testing.T) {
	seen := func(single int64, mean float64) BlockRow {
		return BlockRow{Row: Row{Single: single, Trajectories: 100}, LimitMean: mean}
	}
	got := stationarySentence([]BlockRow{seen(90, 0.3), seen(50, math.NaN()), seen(7, 0.25)})
	const want = " In 2 of 3 cells neither outcome attracts. At this depth and horizon a fraction 0.485 of " +
		"the trajectories is nevertheless a single cluster. As depth and horizon grow, the overlap has a " +
		"stationary law of means from 0.2500 to 0.3000."
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// An MLP of finite width is simulated with tokens, and refused with the method chain. With an activation that
// is not odd, no clusters stay opposite. Several heads are refused if all have the same scores.
func TestWideMLPBringsTokens(t *testing.T) {
	p := given(t, [2]string{"mlp", "relu:0.3:1:8"})
	if p.Method != sde.Tokens || p.cell(4, 1).MLP.Width != 8 {
		t.Errorf("method %v, width %d", p.Method, p.cell(4, 1).MLP.Width)
	}
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	p = given(t, [2]string{"mlp", "relu:0.01:1:8"})
	rows := []Row{{Trajectories: 1, Dim: 6, Beta: 3}, {Dim: 4, Beta: 1.5}, {Dim: 4, Beta: 0.5}}
	if got := p.sentence(rows); !strings.HasPrefix(got,
		"With an MLP whose activation relu is not odd, no clusters stay opposite at any β. "+
			"At d = 4, β = 1.5 two opposite tokens reach overlap 0 after a mean time of 7.549") {
		t.Errorf("%q", got)
	}
	p = given(t, [2]string{"mlp", "relu:0.3:1:8"}, [2]string{"method", "chain"})
	experimenttest.CheckRefused(t, p.Validate(), "mlp", "must be 0, for infinite width, by the method chain")
	p = given(t, [2]string{"interaction", "resampled:1"}, [2]string{"heads", "2"})
	if p.Method != sde.Tokens || p.Validate() != nil {
		t.Errorf("two heads with random queries and keys: method %v, %v", p.Method, p.Validate())
	}
	p.Method = sde.Chain
	experimenttest.CheckRefused(t, p.Validate(), "method",
		"with one head of softmax for resampled:S; must be tokens")
	p = given(t, [2]string{"heads", "4"})
	given := func(q parameter.Parameter) bool { return q.Name == "heads" }
	if err := parameter.CheckGiven(p.Parameters(), given); err == nil {
		t.Error("several heads with the same scores are accepted")
	}
}
