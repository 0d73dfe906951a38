package phase

import (
	"bytes"
	"flag"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere/must"
)

var repeated = flag.Int("repetitions", 16, "simulated derivatives of each setting")

// The 95 % intervals of simulated derivatives contain the theory as often as they should: not more than four
// standard deviations less often, and the mean error is within four standard errors. For seven such
// comparisons there is one false alarm in 275 seeds. The mean overlap is compared with its value at infinite
// depth, which differs from that at the depth by a small part of a standard error.
func TestIntervalsOfSimulatedDerivativesHoldThem(t *testing.T) {
	longtest.Only(t)
	for _, s := range []struct {
		dim            int
		beta, horizon  float64
		depth          int64
		tolerance      string
		overlapAsLimit bool
	}{
		{4, 1.5, 10, 20, "1e-3", false}, {3, 0.7, 4, 30, "0.05", false}, {3, 1.2, 2, 100, "0.2", true},
	} {
		p := given(t, [2]string{"tolerance", s.tolerance})
		p.Depth, p.Horizon, p.Trajectories = s.depth, s.horizon, 400
		c := p.cell(s.dim, s.beta)
		d := experimenttest.Must(theory.Diffusion(c))
		layers := experimenttest.Must(setting.Layers(p.Depth, p.Horizon))
		of := theory.Question{Layers: layers, Horizon: p.Horizon, Tolerance: p.Tolerance}.Derivative(d,
			experimenttest.Must(theory.Recursion(c)), nil, overlap.ByBeta)
		held, heldOverlap, sum, squares := 0, 0, 0.0, 0.0
		for seed := range uint64(*repeated) {
			got := experimenttest.Must(p.simulated(t.Context(), run.Options{Seed: seed}, s.dim, s.beta))
			z := (got.ByBeta - of.Depth.Value) / got.ByBetaStderr
			sum, squares = sum+z, squares+z*z
			if math.Abs(z) < 1.96 {
				held++
			}
			if math.Abs(got.Overlap-of.Overlap.Value) < 1.96*got.OverlapError {
				heldOverlap++
			}
		}
		n := float64(*repeated)
		t.Logf("%+v: dP/dβ = %.6f, held by %d of %v; mean z %.2f, deviation %.2f; overlap %d", s,
			of.Depth.Value, held, n, sum/n, math.Sqrt(squares/n), heldOverlap)
		least := 0.95*n - 4*math.Sqrt(0.95*0.05*n)
		if float64(held) < least || s.overlapAsLimit && float64(heldOverlap) < least ||
			!(math.Abs(sum/n) < 4/math.Sqrt(n)) {
			t.Errorf("%+v: intervals do not hold the theory", s)
		}
	}
}

// --derivatives adds columns and a sentence in the report; the other columns are those of a run without it.
func TestDerivativeColumns(t *testing.T) {
	longtest.Only(t)
	dim := [2]string{"dim", "4"}
	p := given(t, dim, [2]string{"derivatives", "true"})
	table := experimenttest.Table(t, p, run.Options{Seed: 2})
	rows := experimenttest.Must(data.RowsOf[DerivedRow](table))
	without := experimenttest.Table(t, given(t, dim), run.Options{Seed: 2})
	plain := experimenttest.Must(data.RowsOf[Row](without))
	compared := 0
	for k, r := range rows {
		if r.Row.Antipodal != plain[k].Antipodal || r.DepthAntipodal != plain[k].DepthAntipodal ||
			r.Critical != plain[k].Critical && !math.IsNaN(r.Critical) {
			t.Errorf("row %d: %+v, without derivatives %+v", k, r.Row, plain[k])
		}
		// One false alarm in 8,000 seeds of two comparisons.
		if z := (r.Simulated.ByBeta - r.ByBeta.Depth.Value) / r.ByBetaStderr; r.ByBetaStderr > 0 {
			compared++
			if !(math.Abs(z) < 4) {
				t.Errorf("row %d: simulated %v ± %v, theory %v", k, r.Simulated.ByBeta, r.ByBetaStderr,
					r.ByBeta.Depth.Value)
			}
		}
	}
	if r := rows[1]; r.Dim != 4 || r.Beta != 1.5 || !(math.Abs(r.ByBeta.Limit.Value-0.150565879) <= 1e-9) ||
		!(math.Abs(r.BySigma.Depth.Value) > 1e-4) || r.BySigma.Limit.Value != 0 || compared == 0 {
		t.Errorf("%+v, %d compared", r, compared)
	}
	var text bytes.Buffer
	if err := p.Describe(&text, table); err != nil ||
		!strings.Contains(text.String(), "derivative of P(antipodal) with respect to β is within ") {
		t.Errorf("%s, error %v", &text, err)
	}
	p = given(t, [2]string{"derivatives", "true"}, [2]string{"mlp", "tanh:0.5:4"})
	block := given(t, [2]string{"mlp", "tanh:0.5:4"}).Columns()
	if columns := p.Columns(); len(columns) != len(block)+17 {
		t.Errorf("%d columns beside an MLP", len(columns))
	}
}

// The interpolated limit agrees with that of the theory between its nodes, and stays constant beyond the last
// of them. A trajectory stops near overlap 1, within the tolerance, if the probability of the antipodal
// outcome is below 1e-9. It stops nowhere if no shortcuts are wanted, or if antipodal tokens do not attract.
func TestControlOfDerivatives(t *testing.T) {
	nearly, far := New().cell(4, 3), New().cell(8, 3)
	d := must.Get(theory.Diffusion(nearly))(t)
	limit := func(u float64) float64 { return must.Get(d.AntipodalFrom(math.Tanh(u)))(t).Value }
	probability, stop, err := control(nearly, 1e-3, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range []float64{-12, -5, -1.0625, -0.99, -0.03125, 0, 0.4, 1.5, 12} {
		if got, want := probability(u), limit(u); !(math.Abs(got-want) < 1e-3) {
			t.Errorf("u = %v: probability %v, want %v", u, got, want)
		}
	}
	// In the middle between two nodes the value is the mean of theirs.
	if got, want := probability(1./32), 0.5*(limit(0)+limit(1./16)); !(math.Abs(got-want) <= 1e-14) {
		t.Errorf("between nodes %v, want %v", got, want)
	}
	if probability(-20) != limit(-12) || probability(20) != limit(12) {
		t.Errorf("beyond the nodes %v and %v", probability(-20), probability(20))
	}
	stops := func(c sde.Cell, tolerance, u float64) bool {
		_, stop, err := control(c, tolerance, false)
		return err == nil && stop(u)
	}
	for u := -12.; u <= 12; u += 0.0625 { // P(antipodal) is 1.5e-8 at 6 and 7.6e-10 at 7
		if want := u > 6 && limit(u) < 1e-9; stop(u) != want {
			t.Errorf("u = %v, probability %v: stops %v", u, limit(u), stop(u))
		}
	}
	// In eight dimensions the probability is below 1e-9 at 4.9; artanh(1-1e-8) is 9.557.
	for _, c := range []struct {
		tolerance, u float64
		want         bool
	}{{1e-3, 4.9, false}, {1e-3, 5, false}, {1e-3, 5.1, true}, {1e-8, 9.55, false}, {1e-8, 9.56, true}} {
		if stops(far, c.tolerance, c.u) != c.want {
			t.Errorf("tolerance %g, u = %v: stops %v", c.tolerance, c.u, !c.want)
		}
	}
	for name, c := range map[string]sde.Cell{"no shortcuts": nearly, "one outcome": New().cell(4, 0.3)} {
		if _, stop, err := control(c, 1e-3, name == "no shortcuts"); err != nil || stop != nil {
			t.Errorf("%s: trajectories stop, %v", name, err)
		}
	}
}
