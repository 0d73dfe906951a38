package simulate

import (
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/internal/splitting"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere/must"
)

// splitCase is an outcome whose exact probability p is known from overlap/exactlaw.
type splitCase struct {
	name string
	set  func(s *Experiment)
	p    float64
}

var splitCases = []splitCase{
	{"antipodal, chain", func(s *Experiment) {
		s.Dim, s.Beta, s.Depth, s.Horizon, s.Method = 12, 1, 20, 10, sde.Chain
	}, 2.73442e-8},
	{"antipodal, tokens", func(s *Experiment) {
		s.Dim, s.Beta, s.Depth, s.Horizon = 8, 0.8, 10, 5
	}, 1.306207e-5},
	{"single, hybrid", func(s *Experiment) {
		s.Model, s.Law, s.Splitting = "hybrid", sde.Rademacher, SplitSingle
		s.Dim, s.Beta, s.Epsilon, s.Depth, s.Horizon, s.Method = 6, 1, 1.7, 20, 10, sde.Chain
	}, 0.01054505},
}

func (c splitCase) experiment() *Experiment {
	s := New()
	s.Splitting, s.Trajectories, s.Repetitions = SplitAntipodal, 60, 12
	c.set(s)
	return s
}

// splitRow runs an experiment with splitting, and returns its row.
func splitRow(t *testing.T, s *Experiment, seed uint64) SplittingRow {
	t.Helper()
	rows, err := data.RowsOf[SplittingRow](experimenttest.Table(t, s, run.Options{Seed: seed}))
	if err != nil || len(rows) != 1 {
		t.Fatal(len(rows), err)
	}
	return rows[0]
}

// checkCoverage checks that at least least of the runs have an interval that contains the exact probability.
func checkCoverage(t *testing.T, c splitCase, runs, least int) {
	t.Helper()
	s := c.experiment()
	row := splitRow(t, s, 1)
	if !(math.Abs(row.Depth/c.p-1) <= 1e-3) {
		t.Fatalf("%s: the exact law says %v, want %v", c.name, row.Depth, c.p)
	}
	hit, mean, squares := 0, 0., 0.
	for seed := range runs { // not whole runs, as each would compute the exact law again
		_, repetitions, err := splitting.Run(t.Context(), must.Get(s.split())(t),
			run.Options{Seed: uint64(seed + 1)}, s.Parameters(), "tokens")
		if err != nil {
			t.Fatal(err)
		}
		i := splitting.IntervalOf(repetitions)
		if seed == 0 && (i.Mean != row.P || i.Low != row.Low || i.High != row.High) {
			t.Errorf("%s: %+v, in the row %+v", c.name, i, row)
		}
		if i.Low <= c.p && c.p <= i.High {
			hit++
		}
		ratio := i.Mean/c.p - 1
		mean += ratio / float64(runs)
		squares += ratio * ratio / float64(runs)
	}
	z := mean / math.Sqrt((squares-mean*mean)/float64(runs-1))
	t.Logf("%s: %d of %d intervals; the mean is off by %.1f standard errors", c.name, hit, runs, z)
	if hit < least || !(math.Abs(z) <= 4) {
		t.Errorf("%s: %d of %d intervals hold the probability; the mean is off by %.1f standard "+
			"errors", c.name, hit, runs, z)
	}
}

// The intervals of splitting contain the exact probability: with a coverage of 0.95, fewer than 3 of 6 do so
// for some case in one of 3,900 tests. The mean of the 6 estimates of a case is more than 4 of its estimated
// standard errors from the truth in one of 100 tests; the seeds are fixed.
func TestSplittingCoverage(t *testing.T) {
	longtest.Only(t)
	for _, c := range splitCases {
		checkCoverage(t, c, 6, 3)
	}
}

// Splitting also works for an outcome that most trajectories near it reach too late. The exact probability is
// 0.127; the mean of 60 repetitions is within 4 standard errors of it, except in one of 15,000 tests.
func TestSplittingOfWhatTakesTime(t *testing.T) {
	longtest.Only(t)
	s := New()
	s.Splitting, s.Trajectories, s.Repetitions, s.Depth, s.Horizon = SplitSingle, 20, 60, 10, 2
	if r := splitRow(t, s, 1); !(math.Abs(r.Depth-0.127) <= 1e-4) || !(math.Abs(r.P-r.Depth) <= 4*r.Stderr) {
		t.Errorf("%v, exactly %v, standard error %v", r.P, r.Depth, r.Stderr)
	}
}

// The last row of a grid is the row of the run at that point alone, for any number of workers.
func TestSplittingGrid(t *testing.T) {
	longtest.Only(t)
	s := New()
	s.Splitting, s.Trajectories, s.Repetitions, s.Depth, s.Horizon = SplitAntipodal, 30, 7, 10, 4
	for _, p := range s.Parameters() {
		if p.Name == "dim" {
			must.Do(t, p.Set("4,6"))
		}
	}
	table := experimenttest.Table(t, s, run.Options{Seed: 3, Workers: 3})
	rows, err := data.RowsOf[SplittingRow](table)
	if err != nil || len(rows) != 2 {
		t.Fatal(len(rows), err)
	}
	one := New()
	one.Splitting, one.Trajectories, one.Repetitions = SplitAntipodal, 30, 7
	one.Dim, one.Depth, one.Horizon = 6, 10, 4
	alone := experimenttest.Table(t, one, run.Options{Seed: 3})
	if _, err := New().Draw(alone); !errors.Is(err, figure.ErrNone) {
		t.Errorf("figure with error %v, want none", err)
	}
	last, err := data.RowsOf[SplittingRow](alone)
	if err != nil || len(last) != 1 || last[0] != rows[1] || rows[0] == rows[1] {
		t.Errorf("rows %+v of a grid, the last alone %+v, %v", rows, last, err)
	}
	var text strings.Builder
	if err := s.Describe(&text, table); err != nil || !strings.Contains(text.String(), "dim 6: "+
		"probability of") {
		t.Errorf("report %q, %v", text.String(), err)
	}
}
