package phase

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere/invariant"
	"antipode/sphere/must"
)

// rowsOf returns the rows of a run.
func rowsOf(t *testing.T, p *Experiment) []Row {
	t.Helper()
	rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, p, run.Options{Seed: 3})))(t)
	return rows
}

// σ changes only the speed of the limit, by σ², and at finite depth it appears as σ/√L only. So with twice
// the σ a quarter of the horizon has the same theory, and four times the depth the same boundary. The
// simulated fractions are within 4.5 standard errors of the theory (false alarms: fewer than one in 10^5
// seeds).
func TestSigmaSetsTheClock(t *testing.T) {
	longtest.Only(t)
	p := New()
	p.Dim, p.Beta, p.Trajectories, p.Depth, p.Horizon = []int{4}, []float64{1.3}, 1000, 60, 6
	one := rowsOf(t, p)[0]
	p.Sigma, p.Depth, p.Horizon = 2, 240, 1.5
	two := rowsOf(t, p)[0]
	if !(math.Abs(one.Horizon-two.Horizon) <= 2e-5) ||
		!(math.Abs(one.BoundaryDepth-two.BoundaryDepth) <= 1e-9) ||
		one.Limit != two.Limit {
		t.Errorf("σ = 1: %+v\nσ = 2: %+v", one, two)
	}
	for _, r := range []Row{one, two} {
		if r.difference() > 4.5 {
			t.Errorf("%.1f standard errors from the theory: %+v", r.difference(), r)
		}
	}
	p.Law, p.Method = sde.Uniform, sde.Tokens // there is no exact law, which would take long
	p.Horizon, p.Trajectories = 6, 10
	if late := rowsOf(t, p)[0]; late.Horizon < 1.2*two.Horizon {
		t.Errorf("at four times the time %v, %v before", late.Horizon, two.Horizon)
	}
}

// A matrix B = 3·Id from a file is equivalent to a β three times as large. No theory is computed for a matrix
// from a file, but the simulated fraction is within 4.5 standard errors of the theory for that β (false
// alarms: fewer than one in 10^5 seeds).
func TestInteractionFromAFile(t *testing.T) {
	longtest.Only(t)
	file := filepath.Join(t.TempDir(), "b.txt")
	must.Do(t, os.WriteFile(file, []byte("3 0 0 0\n0 3 0 0\n0 0 3 0\n0 0 0 3\n"), 0o600))
	p := New()
	p.Dim, p.Beta, p.Trajectories, p.Depth, p.Horizon = []int{4}, []float64{1.5}, 1000, 60, 6
	want := rowsOf(t, p)[0]
	p.Beta = []float64{0.5}
	must.Do(t, p.interaction().Set(file))
	got := rowsOf(t, p)[0]
	if !math.IsNaN(got.Limit) || !math.IsNaN(got.Horizon) || !math.IsNaN(got.BoundaryDepth) {
		t.Errorf("theory of another interaction: %+v", got)
	}
	got.Horizon = want.Horizon
	if got.difference() > 4.5 {
		t.Errorf("%.1f standard errors from %v: %+v", got.difference(), want.Horizon, got)
	}
	err := (&Experiment{Dim: p.Dim, Beta: p.Beta, Trajectories: 1, Depth: 1, Horizon: 1, Tolerance: 0.1,
		Sigma:  1,
		Method: sde.Chain, Interaction: experimenttest.Must(setting.ParseInteraction("rotation:30")),
		Covariance: invariant.Ginibre}).Validate()
	if problem, is := err.(*parameter.Error); !is || problem.Parameter != "method" {
		t.Errorf("the chain with a rotation: %v", err)
	}
}
