package sde

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"antipode/sde/internal/lanes"
	"antipode/sde/internal/runtest"
	"antipode/sphere"
	"antipode/sphere/must"
)

// record is all that a trajectory has shown: its last tokens and the layers at which it was observed.
type record struct {
	layers []int64
	tokens []float64
	cell   int
}

func recording(cells []Cell, trajectories, layers int64, rows *[]record) *Ensemble[record] {
	return &Ensemble[record]{
		Cells: cells, Trajectories: trajectories, Layers: layers, Seed: 5,
		Observer: func(cell int) func(*record, *View) {
			return func(row *record, v *View) {
				row.layers = append(row.layers, v.Layer)
				row.tokens = numbersOf(v)
				row.cell = cell
			}
		},
		Reduce: func(cell int, trajectory int64, row record) error {
			if row.cell != cell || int64(len(*rows)) != int64(cell)*trajectories+trajectory {
				return fmt.Errorf("row of cell %d delivered as number %d of cell %d", row.cell, trajectory,
					cell)
			}
			*rows = append(*rows, row)
			return nil
		},
	}
}

func runAll(t *testing.T, e *Ensemble[record], rows *[]record) []record {
	t.Helper()
	before := runtime.NumGoroutine()
	*rows = nil
	must.Do(t, e.Run(t.Context()))
	runtest.CheckGoroutines(t, before)
	return *rows
}

func equalRecords(a, b []record) bool {
	return slices.EqualFunc(a, b, func(x, y record) bool {
		return slices.Equal(x.tokens, y.tokens) && slices.Equal(x.layers, y.layers)
	})
}

// numbersOf returns the tokens that a view shows, or ln(1+Z) and ln(1-Z) for a chain.
func numbersOf(v *View) []float64 {
	if x := v.Tokens(); x != nil {
		return slices.Clone(x)
	}
	p, _ := v.Pair()
	return []float64{p.Above, p.Below}
}

// numbers returns the same numbers of a lane.
func numbers(l lanes.Lanes, k int) []float64 { return numbersOf(&View{state: l, lane: k}) }

// early is a stop rule that ends about half of the trajectories at their first time, and some of the others
// later, so that their lanes get new trajectories.
func early(int) func(*View) bool {
	return func(v *View) bool { return math.Mod(1000*math.Abs(numbersOf(v)[0]), 2) < 1 }
}

// chains returns cells of all kinds of overlap chains.
func chains() []Cell {
	clusters, pair := OppositeStart{1, 2}, PairStart{0.3}
	cells := []Cell{
		{Model: Transformer{}, Dim: 4, Start: UniformStart{}},
		{Model: Transformer{}, Dim: 2, Start: UniformStart{}, Attention: Unnormalized},
		{Model: Transformer{}, Dim: 3, Start: clusters},
		{Model: Transformer{}, Dim: 5, Start: clusters, Attention: Unnormalized},
		{Model: Transformer{Covariance: Covariance{A: 0.8, B: 0.6, C: 0.3}}, Dim: 2, Start: UniformStart{}},
		{Model: Transformer{Covariance: Covariance{A: 1, B: -0.5, C: -0.02}}, Dim: 14, Start: clusters},
		{Model: Transformer{}, Dim: 4, Start: UniformStart{}, Resampling: Resampling{Spread: 0.7}},
		{Model: Hybrid{Law: Rademacher}, Dim: 3, Start: pair},
		{Model: Flow{}, Dim: 3, Start: UniformStart{}},
	}
	for k := range cells {
		c := &cells[k]
		c.Method, c.Tokens, c.Beta, c.Depth = Chain, 2, 1.3, 20
		c.Model = with(c.Model, func(p *parameters) { p.sigma, p.epsilon = 1, 1.1 })
		if c.Start == clusters {
			c.Tokens = 3
		}
	}
	return cells
}

func TestRowsDoNotDependOnWorkers(t *testing.T) {
	var rows []record
	e := recording(append(append(models(3, 4), chains()...), crowd(7, 2), crowd(2, 3)), 37, 150, &rows)
	e.Times = []int64{1, 2, 7, 70, 150}
	for _, e.Merge = range []Merging{KeepApart, MergePaths, MergeLaws} {
		e.Stop = nil
		if e.Merge != KeepApart {
			e.Stop = early
		}
		e.Workers = 1
		want := runAll(t, e, &rows)
		if len(want) != 37*len(e.Cells) {
			t.Fatalf("%d rows", len(want))
		}
		for _, e.Workers = range [][]int{{0, 7}, {2}, {3, 50}}[e.Merge] {
			if !equalRecords(runAll(t, e, &rows), want) {
				t.Errorf("%d workers: other rows", e.Workers)
			}
		}
	}
}

// A trajectory advanced alone, layer by layer.
func TestTrajectoryIsAPureFunctionOfItsAddress(t *testing.T) {
	var rows []record
	cells := append(models(3, 4), chains()...)
	got := runAll(t, recording(cells, 20, 15, &rows), &rows)
	for i, c := range cells {
		for _, trajectory := range []int64{0, 15, 16, 19} {
			l, all := newLanes(c, 5, 1, KeepApart, 1), []lanes.Lane{{Trajectory: trajectory}}
			must.Do(t, l.Start(0, trajectory))
			for range 15 {
				l.Advance(all, 1)
			}
			x := numbers(l, 0)
			if !slices.Equal(x, got[int64(i)*20+trajectory].tokens) {
				t.Errorf("%s: trajectory %d", name(c), trajectory)
			}
		}
	}
}

func TestRowsDoNotDependOnOtherCellsTrajectoriesOrHorizon(t *testing.T) {
	var rows []record
	cells := append(models(2, 3), chains()...)
	want := runAll(t, recording(cells, 20, 15, &rows), &rows)
	for i, c := range cells {
		if !equalRecords(runAll(t, recording([]Cell{c}, 20, 15, &rows), &rows), want[i*20:(i+1)*20]) {
			t.Errorf("%s: other rows when the cell runs alone", name(c))
		}
		if !equalRecords(runAll(t, recording([]Cell{c}, 50, 15, &rows), &rows)[:20], want[i*20:(i+1)*20]) {
			t.Errorf("%s: other rows with more trajectories", name(c))
		}
	}
	longer := recording(cells, 20, 30, &rows)
	longer.Times = []int64{15}
	if !equalRecords(runAll(t, longer, &rows), want) {
		t.Error("other rows at the same time of a longer run")
	}
	other := recording(cells, 20, 15, &rows)
	other.Seed++
	for i, row := range runAll(t, other, &rows) {
		if slices.Equal(row.tokens, want[i].tokens) {
			t.Fatalf("row %d is the same under another seed", i)
		}
	}
}

func TestObservationTimes(t *testing.T) {
	var rows []record
	e := recording([]Cell{pairCell()}, 3, 10, &rows)
	for _, c := range []struct{ times, want []int64 }{
		{nil, []int64{10}},
		{[]int64{}, []int64{10}},
		{[]int64{0, 4, 10}, []int64{0, 4, 10}},
		{[]int64{7}, []int64{7}},
	} {
		e.Times = c.times
		for _, row := range runAll(t, e, &rows) {
			if !slices.Equal(row.layers, c.want) {
				t.Errorf("times %v: seen at %v", c.times, row.layers)
			}
		}
	}
	e.Layers, e.Times = 0, nil
	for _, row := range runAll(t, e, &rows) {
		if !slices.Equal(row.layers, []int64{0}) || len(row.tokens) != 8 {
			t.Errorf("no layers: seen %v", row)
		}
	}
}

func TestStopRuleEndsTrajectoriesByThemselves(t *testing.T) {
	var rows []record
	e := recording([]Cell{pairCell()}, 40, 10, &rows)
	e.Times = []int64{0, 2, 4, 6, 8, 10}
	want := runAll(t, e, &rows)
	e.Stop = func(int) func(*View) bool {
		return func(v *View) bool { return v.Layer >= 4 && v.Tokens()[0] > 0 }
	}
	early := 0
	for i, row := range runAll(t, e, &rows) {
		last := row.layers[len(row.layers)-1]
		if last < 10 {
			early++
			if last < 4 || row.tokens[0] <= 0 {
				t.Errorf("trajectory %d stopped at %d", i, last)
			}
		} else if !slices.Equal(row.tokens, want[i].tokens) {
			t.Errorf("trajectory %d differs because others stopped", i)
		}
	}
	if early < 5 || early > 38 {
		t.Errorf("%d of 40 stopped", early)
	}
}

// failingStart fails for tokens whose first normal number is large.
type failingStart struct{ UniformStart }

func (failingStart) Fill(x []float64, d int, trajectory int64, normal func() float64) error {
	if v := normal(); v > 1.5 {
		return fmt.Errorf("number %.1f", v)
	}
	return UniformStart{}.Fill(x, d, trajectory, normal)
}

func TestFirstErrorInOrderIsReportedOnce(t *testing.T) {
	c := pairCell()
	c.Start = failingStart{}
	var rows []record
	e := recording([]Cell{pairCell(), c}, 200, 5, &rows)
	var want string
	for _, e.Workers = range []int{1, 2, 8} {
		rows = nil
		before := runtime.NumGoroutine()
		err := e.Run(t.Context())
		runtest.CheckGoroutines(t, before)
		if err == nil || !strings.Contains(err.Error(), "of cell 1: number") {
			t.Fatalf("error %v", err)
		}
		if want == "" {
			want = err.Error()
		}
		if err.Error() != want {
			t.Errorf("%d workers: %q, want %q", e.Workers, err, want)
		}
		if !strings.Contains(err.Error(), fmt.Sprintf("trajectory %d of cell 1:", len(rows)-200)) {
			t.Errorf("%d rows before the error %v", len(rows), err)
		}
	}
}

func TestReduceErrorEndsTheRun(t *testing.T) {
	boom := errors.New("boom")
	e := recording([]Cell{pairCell()}, 10_000, 5, new([]record))
	calls := 0
	e.Reduce = func(int, int64, record) error { calls++; return boom }
	before := runtime.NumGoroutine()
	if err := e.Run(t.Context()); !errors.Is(err, boom) || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
	runtest.CheckGoroutines(t, before)
}

func TestCancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := recording([]Cell{pairCell()}, 1_000, 1<<40, new([]record)) // would take for ever
	e.Reduce = func(int, int64, record) error { t.Error("row of an unfinished trajectory"); return nil }
	before := runtime.NumGoroutine()
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := e.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if err := e.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a run that was cancelled before", err)
	}
	runtest.CheckGoroutines(t, before)
}

func TestProgressReachesWork(t *testing.T) {
	var rows []record
	e := recording([]Cell{pairCell(), pairCell()}, 33, 7, &rows)
	var seen []int64
	e.Progress = func(done, _ int64) { seen = append(seen, done) }
	runAll(t, e, &rows)
	if len(seen) < 2 || seen[len(seen)-1] != e.Work() || e.Work() != 2*33*7 || !slices.IsSorted(seen) {
		t.Errorf("progress %v of %d", seen, e.Work())
	}
}

func TestRunRefusesBadParameters(t *testing.T) {
	for want, change := range map[string]func(e *Ensemble[record]){
		"no cells":             func(e *Ensemble[record]) { e.Cells = nil },
		"trajectories 0":       func(e *Ensemble[record]) { e.Trajectories = 0 },
		"trajectories 109951":  func(e *Ensemble[record]) { e.Trajectories = 1<<40 + 1 },
		"layers -1":            func(e *Ensemble[record]) { e.Layers = -1 },
		"workers -2":           func(e *Ensemble[record]) { e.Workers = -2 },
		"observation layers":   func(e *Ensemble[record]) { e.Times = []int64{3, 3} },
		"from 0 to 5: 6":       func(e *Ensemble[record]) { e.Times = []int64{6} },
		"beta -1: must lie in": func(e *Ensemble[record]) { e.Cells[0].Beta = -1 },
	} {
		e := recording([]Cell{pairCell()}, 3, 5, new([]record))
		change(e)
		if err := e.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func BenchmarkEnsemble(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			e := &Ensemble[sphere.Outcome]{
				Cells: []Cell{pairCell()}, Trajectories: 256, Layers: int64(b.N), Workers: workers,
				Observer: func(int) func(*sphere.Outcome, *View) {
					c := sphere.NewClassifier(2, 1e-3)
					return func(row *sphere.Outcome, v *View) { *row, _ = c.Classify(v.Tokens(), 4) }
				},
				Reduce: func(int, int64, sphere.Outcome) error { return nil },
			}
			must.Do(b, e.Run(b.Context()))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(e.Work()), "ns/trajectory-layer")
		})
	}
}
