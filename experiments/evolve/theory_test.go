package evolve

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// At each time the fractions of three tokens are within 5 standard errors of their theory: one of about 30
// numbers is off by chance in one of 50,000 seeds. There is no theory at time 0. The dimension is 2, in which
// the theory takes the least time.
func TestTheoryOfThreeTokens(t *testing.T) {
	longtest.Only(t)
	e := New()
	e.Model, e.Tokens, e.Dim, e.Beta = []setting.Model{setting.Transformer}, 3, []int{2}, []float64{1.5}
	e.Depth, e.Horizon, e.Trajectories, e.Tolerance, e.Theory = 12, 1.5, 300, 0.05, true
	table := experimenttest.Table(t, e, run.Options{Seed: 1})
	rows := must.Get(data.RowsOf[Row](table))(t)
	compared := 0
	for _, r := range rows {
		p := r.ThreeTokens
		if r.Time == 0 || p.Error != p.Error {
			if r.Time > 0 || p.Single == p.Single {
				t.Errorf("time %v: %+v", r.Time, p)
			}
			continue
		}
		for _, c := range []struct {
			count int64
			p     float64
		}{{r.Antipodal, p.Antipodal}, {r.Single, p.Single}} {
			if c.p < 0.02 { // the count is not nearly normal
				continue
			}
			compared++
			if off := outcomes.Deviation(c.count, r.Trajectories, c.p); off > 5 {
				t.Errorf("time %v: %d, theory %+v: %.1f standard errors", r.Time, c.count, p, off)
			}
		}
	}
	if last := rows[len(rows)-1].ThreeTokens; compared < 20 || !(math.Abs(last.Single+last.Antipodal) <= 1) {
		t.Errorf("%d compared, %+v", compared, last)
	}
	var text strings.Builder
	if err := e.Describe(&text, table); err != nil ||
		!strings.Contains(text.String(), "largest difference to") {
		t.Errorf("%s, %v", &text, err)
	}
	if _, err := e.Draw(table); err != nil {
		t.Error(err)
	}
	e.Theory = false
	if columns := e.Columns(); len(columns) != len(table.Schema.Columns)-3 {
		t.Errorf("%d columns", len(columns))
	}
}

// The theory of two tokens applies with B = I to all models, and with random scores to the transformer alone.
func TestModelsWithTheory(t *testing.T) {
	for _, c := range []struct {
		tokens      int64
		interaction string
		models      []setting.Model
		want        bool
	}{
		{2, "identity", []setting.Model{setting.Transformer, setting.Flow}, true},
		{3, "identity", []setting.Model{setting.Transformer}, false},
		{2, "resampled:1", []setting.Model{setting.Transformer}, true},
		{2, "resampled:1", []setting.Model{setting.Transformer, setting.Flow}, false},
		{2, "gaussian:0.5", []setting.Model{setting.Transformer}, false},
	} {
		e := New()
		e.Tokens, e.Model = c.tokens, c.models
		e.Interaction = experimenttest.Must(setting.ParseInteraction(c.interaction))
		if got := e.hasTheory(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
