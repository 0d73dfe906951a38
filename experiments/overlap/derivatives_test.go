package overlap

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sphere/must"
)

// limitAt returns P(antipodal) in the limit at one β.
func limitAt(t *testing.T, beta float64, z0 *float64, parameters ...[2]string) float64 {
	t.Helper()
	o := block(t, parameters...)
	o.Beta, o.Z0 = []float64{beta}, z0
	r, _, _ := blockRow(t, o)
	return r.Antipodal
}

// --derivatives adds keys in JSON and sentences in the report. dP/dβ agrees with a difference quotient.
func TestDerivatives(t *testing.T) {
	o := block(t, [2]string{"dim", "5"}, [2]string{"beta", "1.5"}, [2]string{"derivatives", "true"})
	table := experimenttest.Table(t, o, run.Options{})
	var text, object bytes.Buffer
	must.Do(t, o.Describe(&text, table))
	must.Do(t, o.WriteJSON(&object, table))
	var keys map[string]any
	if err := json.Unmarshal(object.Bytes(), &keys); err != nil || len(keys) != len(New().Columns())+7 {
		t.Fatalf("%s, error %v", &object, err)
	}
	const h = 1e-4
	at := func(beta float64) float64 { return limitAt(t, beta, nil, [2]string{"dim", "5"}) }
	want := (at(1.5+h) - at(1.5-h)) / (2 * h)
	if got, _ := keys["dp_dbeta"].(float64); !(math.Abs(got-want) <= 1e-7) || keys["dp_dsigma"] != 0.0 ||
		keys["dp_depsilon"] != nil || keys["lifetime"] != nil {
		t.Errorf("dP/dβ = %v, want %v: %s", got, want, &object)
	}
	// The number of trajectories is roughly 2·2.8016² P(1-P)/(0.01 dP/dβ)², with P = 0.1510543061.
	if !strings.Contains(text.String(),
		"trajectories each distinguish β = 1.5 from 1.51 (level 5 %, power 80 %)") ||
		!strings.Contains(text.String(), "dP(antipodal)/dβ = 0.18171") ||
		!strings.Contains(text.String(), "  6126") ||
		strings.Contains(text.String(), "dσ") {
		t.Errorf("%s", &text)
	}
	n, _ := keys["trajectories_dbeta"].(float64)
	if !strings.Contains(text.String(), fmt.Sprintf("  %.0f traj", n)) {
		t.Errorf("%v trajectories: %s", n, &text)
	}
}

// --derivatives also adds columns and sentences for the horizon and the depth: dP/dβ, which agrees with a
// difference quotient, and the number of trajectories that distinguish β from another β. Where a derivative
// is not known the report says why.
func TestDerivativesAtAHorizon(t *testing.T) {
	longtest.Only(t)
	horizon, depth := 8.0, int64(20)
	at := func(beta float64) Row {
		o := New()
		o.Horizon, o.Depth = &horizon, &depth
		return experimenttest.Must(o.row(4, beta)).Row
	}
	o := New()
	o.Derivatives, o.Horizon, o.Depth = true, &horizon, &depth
	r := experimenttest.Must(o.row(4, 1.5))
	const h = 0.02
	high, low := at(1.5+h), at(1.5-h)
	for name, d := range map[string][3]float64{
		"horizon": {r.AtHorizon.ByBeta.Value, high.AntipodalHorizon, low.AntipodalHorizon},
		"depth":   {r.AtDepth.ByBeta.Value, high.DepthAntipodal, low.DepthAntipodal},
	} {
		if want := (d[1] - d[2]) / (2 * h); !(math.Abs(d[0]-want) < 1e-4) || !(math.Abs(want) > 0.05) {
			t.Errorf("dP/dβ at the %s = %v, differences %v", name, d[0], want)
		}
	}
	next := at(1.51)
	want := overlap.Trajectories(r.DepthAntipodal, next.DepthAntipodal)
	if !(math.Abs(r.Telling/want-1) < 0.01) {
		t.Errorf("%v trajectories tell β, want %v", r.Telling, want)
	}
	o.Masses = [2]float64{1, 2}
	var text bytes.Buffer
	table := experimenttest.Table(t, o, run.Options{})
	if err := o.Describe(&text, table); err != nil || !strings.Contains(text.String(),
		"dP(antipodal)/dβ at time 8 is unknown: the derivative for clusters of "+
			"unequal size is not known") ||
		!strings.Contains(text.String(), "dP(antipodal)/dβ at depth 20 is unknown: ") {
		t.Errorf("%s, error %v", &text, err)
	}
}

// Derivatives from a given start, for the hybrid by ε, and with an MLP by σ. Those that are not known are
// NaN.
func TestDerivativesOfOtherModels(t *testing.T) {
	z0, epsilon := -0.25, 1.25
	o := New()
	o.Derivatives, o.Z0 = true, &z0
	r, err := o.row(4, 1)
	const h = 1e-4
	want := (limitAt(t, 1+h, &z0) - limitAt(t, 1-h, &z0)) / (2 * h)
	if err != nil || !(math.Abs(r.ByBeta.Value-want) <= 1e-7) {
		t.Errorf("from -0.25: %v, want %v, error %v", r.ByBeta.Value, want, err)
	}
	o.Epsilon = Noises{epsilon}
	if r, err = o.row(4, 1); err != nil || !(r.ByEpsilon.Value > 0.5) || !math.IsNaN(r.BySigma.Value) {
		t.Errorf("hybrid: %+v, %v", r.Derivatives, err)
	}
	o = block(t, [2]string{"mlp", "tanh:0.5:4"}, [2]string{"derivatives", "true"})
	if r, err = o.row(4, 1.5); err != nil || !(math.Abs(r.BySigma.Value) > 1e-3) ||
		!math.IsNaN(r.ByEpsilon.Value) {
		t.Errorf("MLP: %+v, %v", r.Derivatives, err)
	}
	o = block(t, [2]string{"interaction", "resampled:1"}, [2]string{"derivatives", "true"})
	if reason := o.derivatives().Inapplicable; !strings.Contains(reason, "random queries and keys") {
		t.Errorf("random queries and keys: %q", reason)
	}
}
