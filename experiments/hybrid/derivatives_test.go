package hybrid

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// --derivatives adds columns beside the counts and the theory of a run without it: those by ε are differences
// of neighbouring cells.
func TestDerivativeColumns(t *testing.T) {
	const h = 0.02
	h1 := func(derivatives bool) *Experiment {
		e := New()
		e.Attention, e.Beta, e.Derivatives = sde.Softmax, []float64{1}, derivatives
		e.Epsilon = []float64{1.2 - h, 1.2, 1.2 + h}
		e.Trajectories, e.Depth, e.Horizon = 20, 30, 20
		return e
	}
	derived, without := h1(true), h1(false)
	table := experimenttest.Table(t, derived, run.Options{Seed: 2})
	rows := experimenttest.Must(data.RowsOf[DerivedRow](table))
	table = experimenttest.Table(t, without, run.Options{Seed: 2})
	plain := experimenttest.Must(data.RowsOf[Row](table))
	for k, r := range rows {
		if r.Row.Antipodal != plain[k].Antipodal || r.DepthAntipodal != plain[k].DepthAntipodal {
			t.Errorf("row %d: %+v, without derivatives %+v", k, r.Row, plain[k])
		}
	}
	for name, d := range map[string][3]float64{
		"limit":   {rows[1].ByEpsilon.Limit, rows[2].Row.Limit, rows[0].Row.Limit},
		"horizon": {rows[1].ByEpsilon.Horizon, rows[2].AntipodalHorizon, rows[0].AntipodalHorizon},
		"depth":   {rows[1].ByEpsilon.Depth, rows[2].DepthAntipodal, rows[0].DepthAntipodal},
	} {
		want := (d[1] - d[2]) / (2 * h)
		if !(math.Abs(d[0]/want-1) < 0.01) || math.Abs(want) < 0.1 {
			t.Errorf("dP/dε of the %s = %v, differences %v", name, d[0], want)
		}
	}
	if b := rows[1].ByBeta; !(b.DepthError < 1e-4) || !(b.HorizonError < 1e-4) || math.Abs(b.Depth) < 0.01 {
		t.Errorf("by β: %+v", b)
	}
	e := h1(true)
	must.Do(t, parameter.ByName(e.Parameters(), "mlp").Value.Set("tanh:0.5:4"))
	if e.derivatives().Inapplicable == "" || len(e.Columns()) != len(data.ColumnsOf[BlockRow]()) {
		t.Errorf("beside an MLP: %q", e.derivatives().Inapplicable)
	}
}
