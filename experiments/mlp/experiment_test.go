package mlp

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/internal/longtest"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// few returns an experiment with a small grid.
func few() *Experiment {
	m := New()
	m.Dim, m.Beta, m.Strength = []int{4, 9}, []float64{0.3, 1.5}, []float64{0, 0.6, 4}
	m.Variance, m.Trajectories, m.Depth, m.Horizon = 9, 400, 20, 5
	return m
}

// rowsOf returns the rows and the table of a run.
func rowsOf(t *testing.T, m *Experiment) ([]Row, *data.Table) {
	t.Helper()
	table := experimenttest.Table(t, m, run.Options{Seed: 1})
	rows := must.Get(data.RowsOf[Row](table))(t)
	return rows, table
}

// The counted outcomes agree with the exact law at this depth: one of 12 fractions is 4.2 standard errors off
// by chance in one of 3000 runs.
func TestOutcomesAreThoseOfTheExactLaw(t *testing.T) {
	longtest.Only(t)
	m := few()
	rows, _ := rowsOf(t, m)
	if len(rows) != 36 {
		t.Fatalf("%d rows", len(rows))
	}
	for k, c := range m.cells() {
		r := rows[k]
		if r.Activation != c.MLP.Activation || int(r.Dim) != c.Dim || r.Beta != c.Beta ||
			r.Strength != c.MLP.Strength || r.Single+r.Antipodal+r.Unclustered != 400 {
			t.Fatalf("%+v of %+v", r, c)
		}
		if r.Strength != 0.6 || r.Dim != 4 {
			continue // the law takes a second
		}
		law := theory.AtDepth(c, 100, m.Tolerance)
		for _, of := range []struct {
			count int64
			p     float64
		}{{r.Antipodal, law.Antipodal}, {r.Single, law.Single}} {
			if off := outcomes.Deviation(of.count, r.Trajectories, of.p); !(off < 4.2) {
				t.Errorf("%v, d = %d, β = %g, c = %g: %d of 400, law %g", r.Activation, r.Dim, r.Beta,
					r.Strength, of.count, of.p)
			}
		}
	}
}

// The limit of each row agrees with the boundaries of softmax in closed form. tanh with w = 9 has w E φ'²/E
// φ² = 2.1043129, computed by the trapezoidal rule in another program.
func TestLimitAndBoundaries(t *testing.T) {
	const r = 2.1043129167
	m := few()
	m.Trajectories = 1
	rows, _ := rowsOf(t, m)
	for _, row := range rows {
		d, square := float64(row.Dim), math.Pow(math.Tanh(row.Beta), 2)
		slope := map[activation.Activation]float64{
			activation.Linear: 1, activation.Tanh: r, activation.ReLU: 1,
		}
		pull := (d - 1) - (d-3)*slope[row.Activation]
		base := (d - 3) - (d-1)*square
		attracts := row.Strength*pull > base && (row.Activation != activation.ReLU || row.Strength == 0)
		if (row.Limit > 0) != attracts {
			t.Errorf("%+v: antipodal attracts: %v", row, attracts)
		}
		single := row.Strength*-pull < d-1
		if (row.LimitSingle > 0) != single || (row.LimitMean == row.LimitMean) != (!single && !attracts) {
			t.Errorf("%+v: a single cluster attracts: %v", row, single)
		}
		if row.Activation == activation.ReLU && row.AntipodalLow == row.AntipodalLow {
			t.Errorf("%+v: strengths for relu", row)
		}
		if edge := base / pull; row.Activation == activation.Tanh && pull < 0 && edge > 0 &&
			math.Abs(row.AntipodalHigh/edge-1) > 1e-8 {
			t.Errorf("%+v: antipodal attracts below %g", row, edge)
		}
		if row.Activation == activation.Tanh && pull < 0 && !(math.Abs(row.SingleHigh/((d-1)/-pull)-1) <=
			1e-8) {
			t.Errorf("%+v: a single cluster attracts below %g", row, (d-1)/-pull)
		}
	}
}

func TestTextAndFigure(t *testing.T) {
	m := few()
	m.Trajectories = 20
	_, table := rowsOf(t, m)
	var text bytes.Buffer
	must.Do(t, m.Describe(&text, table))
	for _, want := range []string{
		"With pre-activations of variance w = 9 opposite clusters attract in 16 of 36 cells",
		"No clusters stay opposite with an MLP whose activation relu is not odd.",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("there is no %q in\n%s", want, text.String())
		}
	}
	if _, err := m.Draw(table); err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	m := New()
	m.Variance = 0
	experimenttest.CheckRefused(t, m.Validate(), "variance", "must be")
	m = New()
	m.Strength = make([]float64, 2000)
	for k := range m.Strength {
		m.Strength[k] = float64(k)
	}
	m.Beta = m.Strength[:200]
	experimenttest.CheckRefused(t, m.Validate(), "strength", "3 dimensions and 3 activations")
}

// The default variance is the same as that of --mlp ACTIVATION:c in other commands.
func TestDefaultVarianceIsThatOfSublayers(t *testing.T) {
	var elsewhere setting.MLP
	must.Do(t, setting.MLPParameter(&elsewhere).Set("tanh:1"))
	if own := New().Variance; own != elsewhere.Variance || own != 1 {
		t.Errorf("w is %g, and %g elsewhere", own, elsewhere.Variance)
	}
}
