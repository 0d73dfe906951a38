package rankcollapse

import (
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/internal/networks"
	"antipode/experiments/run"
	"antipode/sde/network"
)

// A bound holds where the networks are at it, and rows without a bound do not count.
func TestBoundsThatHold(t *testing.T) {
	row := func(simulated, bound float64) Row { return Row{Simulated: simulated, Bound: bound} }
	for want, rows := range map[string][]Row{
		"Bound (8) on the gradient of the input holds at 2 of 3 points.\n": {row(1, 2), row(2, 2),
			row(2.5, 2), row(1, math.NaN())},
		"": {row(1, math.NaN())},
	} {
		var text strings.Builder
		if err := describeBound(&text, rows); err != nil || text.String() != want {
			t.Errorf("%q, error %v", &text, err)
		}
	}
}

// A factor of the scores is named unless it is 1, or unknown as in old files.
func TestTextOfAFactor(t *testing.T) {
	for factor, named := range map[float64]bool{0.5: true, 2: true, 1: false, 0: false} {
		if got := strings.Contains(Row{Temperature: factor}.farthest(), ", τ = "); got != named {
			t.Errorf("factor %g is named: %v", factor, got)
		}
	}
	if text := (Row{Temperature: math.NaN()}).farthest(); strings.Contains(text, "τ") {
		t.Error(text)
	}
	for figure, captions := range map[string][3]string{"8": {"; x", "; x", "; x"},
		"12": {"; x", ", τ = 2; x", ", matched temperature; x"}} {
		c := New()
		c.Figure = figure
		one, two := 1., 2.
		for k, factor := range []*float64{&one, &two, nil} {
			c.Temperature = factor
			if want := "figure " + figure + ", small size" + captions[k]; c.caption("x") != want {
				t.Errorf("%q, want %q", c.caption("x"), want)
			}
		}
	}
}

// Four networks of 2·3 coordinates have log10 ‖X‖² = 0.05, 0.05, 0.16 and 0.31, in the bins from 0, 0.1 and
// 0.3; the bin from 0.2 is empty.
func TestBinsOfADensity(t *testing.T) {
	n := xavier(2, 3, 1, 0, 1, 1)
	var runs [][]network.Layer
	for _, x := range []float64{0.05, 0.31, 0.16, 0.05} {
		runs = append(runs, []network.Layer{{}, {Q: math.Pow(10, x) / 6}})
	}
	rows := densityRows(n, runs, 1)
	if len(rows) != 4 {
		t.Fatalf("%d bins", len(rows))
	}
	for k, share := range []float64{0.5, 0.25, 0, 0.25} {
		r := rows[k]
		position, stderr := 0.05+0.1*float64(k), math.Sqrt(share*(1-share)/4)*10
		if r.Layer != 1 || r.Quantity != Density || !(math.Abs(r.Position-position) <= 1e-12) ||
			!(math.Abs(r.Simulated-10*share) <= 1e-12) || !(math.Abs(r.Stderr-stderr) <= 1e-12) {
			t.Errorf("bin %d: %+v", k, r)
		}
	}
}

// The last layer of each series is found in any order of the rows.
func TestLastRows(t *testing.T) {
	row := func(quantity Quantity, residual Residual, layer int32) Row {
		return Row{Quantity: quantity, Residual: residual, Layer: layer}
	}
	got := lastOf([]Row{row(Distance, Scaled, 2), row(Distance, Scaled, 3), row(Correlation, Scaled, 1),
		row(Distance, Constant, 5), row(Distance, Scaled, 1), row(Correlation, Scaled, 0)})
	want := []Row{row(Distance, Scaled, 3), row(Correlation, Scaled, 1), row(Distance, Constant, 5)}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for k := range want {
		if got[k] != want[k] {
			t.Errorf("%+v, want %+v", got[k], want[k])
		}
	}
}

// The name of a series has what differs from softmax attention, a linear MLP and constant residuals.
func TestNamesOfSeries(t *testing.T) {
	for want, r := range map[string]Row{
		"constant residuals": {}, "residuals 1/√L": {Residual: Scaled},
		"ReLU, constant residuals":                         {MLP: ReLU, Hidden: 1},
		"ReLU (He), residuals 1/√L":                        {MLP: ReLU, Hidden: 2, Residual: Scaled},
		"uniform attention, ReLU (He), constant residuals": {MLP: ReLU, Hidden: 2, Attention: Uniform},
		"uniform attention, residuals 1/√L":                {Hidden: 2, Residual: Scaled, Attention: Uniform},
	} {
		if got := r.series(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Rows that cannot be computed are an error that names the figure.
func TestRowsThatFail(t *testing.T) {
	failure := errors.New("no theory")
	p := part{rows: func([][]network.Layer) ([]Row, error) { return []Row{{}}, failure }}
	table := data.NewTable(run.Schema(New(), 1))
	if err := New().writeRows(p, nil, table); !errors.Is(err, failure) || table.Rows() != 0 ||
		!strings.HasPrefix(err.Error(), "figure 8: ") {
		t.Errorf("%d rows, error %v", table.Rows(), err)
	}
}

// A table of matrices has the networks of the figure, but not those of a loss, which have the same law.
func TestEnsemblesOfMatrices(t *testing.T) {
	two := int64(2)
	c := New()
	c.Figure, c.Networks, c.Save = "9", &two, networks.SavedAttention
	needs := experimenttest.Needs(t, c, run.Options{Workers: 1})
	if needs.Rows != 2*12*4*50*50 {
		t.Errorf("%g rows", needs.Rows)
	}
}
