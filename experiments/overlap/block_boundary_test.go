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
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// classes returns the classes of the ends -1 and +1 in the theory for cells that can be simulated.
func classes(t *testing.T, dim int, beta, c, w, drift float64) (minus, plus overlap.Boundary) {
	t.Helper()
	d := must.Get(theory.Diffusion(sde.Cell{
		Model: sde.Transformer{Sigma: 1}, Attention: sde.Unnormalized, Tokens: 2, Dim: dim, Depth: 1,
		Beta: beta, Drift: drift, MLP: sde.MLP{Activation: activation.Tanh, Strength: c, Variance: w},
	}))(t)
	return d.MinusOne(), d.PlusOne()
}

// At each strength and each variance in the table of boundaries, the class of the end changes in the theory
// for the cells that phase simulates.
func TestBlockBoundary(t *testing.T) {
	const strength, variance, drift = 0.7, 12, 0.2
	o := block(t, [2]string{"mlp", "tanh:0.7:12"}, [2]string{"dim", "4,6,9"}, [2]string{"beta", "0.4,1.1,2"},
		[2]string{"attention", "unnormalized"}, [2]string{"drift", "0.2"})
	o.Boundary = true
	table := experimenttest.Table(t, o, run.Options{})
	rows, err := data.RowsOf[BoundaryRow](table)
	if err != nil || len(rows) != 9 {
		t.Fatal(len(rows), err)
	}
	checked := 0
	for _, r := range rows {
		d := int(r.Dim)
		for _, end := range []struct {
			z, low, high, w float64
		}{
			{-1, r.AntipodalLow, r.AntipodalHigh, r.AntipodalVariance},
			{1, r.SingleLow, r.SingleHigh, r.SingleVariance},
		} {
			attracts := func(c, w float64) bool {
				minus, plus := classes(t, d, r.Beta, c, w, drift)
				return end.z < 0 && minus == overlap.Attracting || end.z > 0 && plus == overlap.Attracting
			}
			for _, edge := range []struct {
				c     float64
				above bool
			}{{end.low, true}, {end.high, false}} {
				if !(edge.c > 0) {
					continue
				}
				checked++
				above, below := attracts(1.001*edge.c, variance), attracts(0.999*edge.c, variance)
				if above != edge.above || below == edge.above {
					t.Errorf("d = %d, β = %g, overlap %g: no change at c = %g", d, r.Beta, end.z, edge.c)
				}
			}
			if end.w > 0 {
				checked++
				if attracts(strength, 1.001*end.w) == attracts(strength, 0.999*end.w) {
					t.Errorf("d = %d, β = %g, overlap %g: no change at w = %g", d, r.Beta, end.z, end.w)
				}
			}
		}
	}
	if checked < 15 {
		t.Errorf("only %d changes", checked)
	}
	if _, err := o.Draw(table); err != nil {
		t.Error(err)
	}
}

// The report and the JSON of boundaries with softmax. tanh with w = 4 has r = 1.61162. For d = 8 overlap -1
// attracts up to c = (7 tanh²β - 5)/(5r - 7), here for β = 1.5, and overlap +1 up to 7/(5r - 7); β_c has a
// closed form.
func TestTextOfBlockBoundary(t *testing.T) {
	o := block(t, [2]string{"mlp", "tanh:0.5:4"}, [2]string{"dim", "8"}, [2]string{"beta", "1,1.5"})
	o.Boundary = true
	table := experimenttest.Table(t, o, run.Options{})
	var text, written bytes.Buffer
	must.Do(t, o.Describe(&text, table))
	for _, want := range []string{
		"with r = w E φ'²/E φ² = 1.61162, overlap -1 attracts where\n(d-3)(1 + c r) < (d-1)(tanh²β + c)",
		"  d = 8: at c = 0.5 overlap -1 changes at β = 1.4159155\n",
		"    1            none\n  1.5  below 0.694681\n",
		"  any  below 6.61553\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("there is no %q in\n%s", want, text.String())
		}
	}
	const r = 1.61162
	square := math.Pow(math.Tanh(1.5), 2)
	if c := (7*square - 5) / (5*r - 7); !(math.Abs(c-0.694681) <= 2e-5) ||
		!(math.Abs(7/(5*r-7)-6.61553) <= 4e-4) {
		t.Errorf("%g", c)
	}
	if beta := math.Atanh(math.Sqrt(5*(1+0.5*r)/7 - 0.5)); !(math.Abs(beta-1.4159155) <= 1e-5) {
		t.Errorf("β = %g", beta)
	}
	must.Do(t, o.WriteJSON(&written, table))
	var rows []map[string]any
	if err := json.Unmarshal(written.Bytes(), &rows); err != nil || len(rows) != 2 ||
		rows[0]["c_antipodal_low"] != nil || rows[1]["c_antipodal_low"] != 0.0 ||
		rows[1]["c_single_high"] == nil {
		t.Errorf("%s, %v", &written, err)
	}
}

func TestNoBlockBoundary(t *testing.T) {
	for want, o := range map[string]*Experiment{
		"which is not odd": block(t, [2]string{"mlp", "gelu:0.5"}),
		"without --mlp":    block(t, [2]string{"drift", "0.5"}),
		"unequal masses":   block(t, [2]string{"mlp", "tanh:0.5"}, [2]string{"masses", "1,2"}),
	} {
		reason := parameter.ByName(o.Parameters(), "boundary").Inapplicable
		if !strings.Contains(reason, want) {
			t.Errorf("%q, want %q", reason, want)
		}
	}
	o := block(t, [2]string{"mlp", "tanh:0.5"}, [2]string{"drift", "0.5"})
	if reason := parameter.ByName(o.Parameters(), "boundary").Inapplicable; reason != "" {
		t.Error(reason)
	}
}
