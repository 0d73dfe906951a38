package outcomes

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// A tally counts the observations that it is given, and the sum of two tallies counts those of both. Its
// bound is the largest that it has been given.
func TestTallyCounts(t *testing.T) {
	tallies := newTallies(2)
	a, b := &tallies[0], &tallies[1]
	if !math.IsNaN(a.Bound) || !math.IsNaN(b.Bound) {
		t.Errorf("bounds %v and %v of nothing", a.Bound, b.Bound)
	}
	for _, s := range []Seen{
		{sphere.Single, false, 1, 7}, {sphere.Antipodal, true, 2, 4}, {sphere.Antipodal, true, 2, 6},
		{sphere.Unclustered, true, 3, 5}, {sphere.Unclustered, false, 7, 1},
		{sphere.Unclustered, false, 4, 3},
	} {
		a.add(s, 7)
	}
	b.add(Together(7), 7)
	for _, chance := range []float64{math.NaN(), 2e-10, 5e-10, math.NaN(), 3e-10} {
		a.raise(chance)
	}
	if want := (Tally{[3]int64{1, 2, 3}, 3, Masses{19, 26, 6, 26}, 5e-10}); *a != want {
		t.Errorf("%+v, want %+v", *a, want)
	}
	if a.Trajectories() != 6 || a.Fraction(sphere.Antipodal) != 1./3 ||
		a.Fraction(sphere.Unclustered) != 0.5 {
		t.Errorf("%d trajectories, fractions %v and %v", a.Trajectories(), a.Fraction(sphere.Antipodal),
			a.Fraction(sphere.Unclustered))
	}
	if got, want := a.text(), "antipodal 0.333, single 0.167 of 6"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.join(*a)
	if want := (Tally{[3]int64{2, 2, 3}, 3, Masses{20, 33, 6, 26}, 5e-10}); *b != want {
		t.Errorf("joined %+v, want %+v", *b, want)
	}
	b.join(Tally{[3]int64{0, 1, 0}, 2, Masses{2, 5, 3, 9}, math.NaN()})
	b.join(Tally{[3]int64{0, 0, 1}, 0, Masses{}, 7e-10})
	if want := (Tally{[3]int64{2, 3, 4}, 5, Masses{22, 38, 9, 35}, 7e-10}); *b != want {
		t.Errorf("joined %+v, want %+v", *b, want)
	}
}

// Deviation returns how far a count is from a prediction: 12 of 100 at p = 0.2 is 2 standard deviations of 4
// away. For a rare event with mean ½ a count of 3 is 2.5 away.
func TestDeviationOfACount(t *testing.T) {
	if got := Deviation(12, 100, 0.2); !(math.Abs(got-2) <= 1e-12) {
		t.Errorf("12 of 100 at 0.2: %v", got)
	}
	if got := Deviation(3, 1000, 0.0005); !(math.Abs(got-2.5) <= 1e-12) {
		t.Errorf("3 of 1000 at 0.0005: %v", got)
	}
}

// A trajectory that ends because its tokens coincide is counted at all later times as a single cluster
// without an antipodal pair. The tallies at all times are those of trajectories that are simulated to the
// horizon.
func TestTalliesCountEndedTrajectoriesOn(t *testing.T) {
	const trajectories, tolerance = 60, 1e-3
	flow := sde.Cell{Model: sde.Flow{}, Method: sde.Chain, Tokens: 2, Dim: 3, Beta: 1, Depth: 10,
		Start: sde.UniformStart{}}
	chain := decidedCell(2, sde.Chain)
	pair := decidedCell(2, sde.Tokens)
	hybrid := sde.Cell{Model: sde.Hybrid{Law: sde.Uniform, Epsilon: 1.2}, Method: sde.Chain, Tokens: 2,
		Dim:  3,
		Beta: 1, Depth: 10,
		Start: sde.UniformStart{}}
	cells := []sde.Cell{flow, chain, pair, hybrid}
	times := []int64{0, 40, 400, 4000}
	want := make([][]Tally, len(cells))
	plain := &sde.Ensemble[[]Seen]{Cells: cells, Trajectories: trajectories, Layers: 4000, Times: times,
		Seed: 7,
		Observer: func(int) func(*[]Seen, *sde.View) {
			return func(row *[]Seen, v *sde.View) { *row = append(*row, See(v, tolerance)) }
		},
		Reduce: func(cell int, _ int64, row []Seen) error {
			if want[cell] == nil {
				want[cell] = make([]Tally, len(times))
			}
			for k, s := range row {
				want[cell][k].Outcomes[s.Outcome]++
				if s.Pair {
					want[cell][k].Pair++
				}
			}
			return nil
		},
	}
	must.Do(t, plain.Run(t.Context()))
	e := &sde.Ensemble[[]Seen]{Cells: cells, Trajectories: trajectories, Layers: 4000, Times: times}
	must.Do(t, Run[countedRow](t.Context(), e, tolerance, run.Options{Seed: 7}, nil, "", nil,
		func(cell int, tallies []Tally) error {
			for k, got := range tallies {
				if got.Outcomes != want[cell][k].Outcomes || got.Pair != want[cell][k].Pair ||
					got.Bound == got.Bound {
					t.Errorf("cell %d after %d layers: %+v, want %+v", cell, times[k], got, want[cell][k])
				}
			}
			if last := tallies[len(times)-1]; last.Outcomes[sphere.Single] < 10 {
				t.Errorf("cell %d: %d single clusters", cell, last.Outcomes[sphere.Single])
			}
			return nil
		}))
	// Tokens at a distance of 2^-100 count as coincident, except for the hybrid, which can return from any
	// distance.
	at := func(above, below float64) *sde.View {
		return sde.NewPairView(0, 40, sde.Pair{Masses: [2]float64{1, 1}, Above: above, Below: below})
	}
	for cell := range 2 {
		stop := e.Stop(cell)
		if !stop(at(math.Ln2, -69.4)) || stop(at(math.Ln2, -69.2)) || stop(at(-69.4, math.Ln2)) {
			t.Errorf("cell %d ends elsewhere than at 2^-100", cell)
		}
	}
	if stop := e.Stop(3); stop(at(math.Ln2, -1e4)) || !stop(at(math.Ln2, math.Inf(-1))) {
		t.Error("the hybrid ends before the tokens are one")
	}
}

// countedRow is the row of a table that has only counts and the bound.
type countedRow struct {
	Single int64   `column:"single"`
	Pair   int64   `column:"antipodal_pair"`
	Free   int64   `column:"unclustered"`
	Bound  float64 `column:"stop_bound,nullable"`
}

func (r countedRow) Tally() Tally {
	return Tally{Outcomes: [3]int64{sphere.Single: r.Single, sphere.Unclustered: r.Free}, Pair: r.Pair,
		Bound: r.Bound}
}

// shard returns a reader of a file with the given rows.
func shard(t *testing.T, rows ...countedRow) *data.Reader {
	t.Helper()
	table := data.NewTable(data.Schema{Columns: data.ColumnsOf[countedRow]()})
	path := filepath.Join(t.TempDir(), "shard.arrow")
	must.Do(t, errors.Join(data.WriteRows(table, rows...), data.WriteFile(path, table)))
	r := must.Get(data.Open(path))(t)
	t.Cleanup(func() { r.Close() })
	return r
}

// The counts of shards are added row by row, in the order of cells and times, and the bound is the largest
// one. A missing row, a row too many, or another number of trajectories than expected, is an error.
func TestMergeTallies(t *testing.T) {
	nan := math.NaN()
	a := []countedRow{{1, 2, 3, nan}, {5, 0, 0, 2e-10}, {0, 1, 1, nan}, {1, 1, 0, nan}}
	b := []countedRow{{4, 1, 2, nan}, {2, 3, 3, 7e-10}, {8, 0, 1, 1e-10}, {7, 2, 2, nan}}
	var got [][]Tally
	keep := func(cell int, tallies []Tally) error {
		if cell != len(got) {
			t.Errorf("cell %d after %d", cell, len(got))
		}
		got = append(got, slices.Clone(tallies))
		return nil
	}
	err := MergeTallies[countedRow]([]*data.Reader{shard(t, a...), shard(t, b...)}, 2, 2, 10, keep)
	want := [][]Tally{
		{{[3]int64{5, 0, 5}, 3, Masses{}, nan}, {[3]int64{7, 0, 3}, 3, Masses{}, 7e-10}},
		{{[3]int64{8, 0, 2}, 1, Masses{}, 1e-10}, {[3]int64{8, 0, 2}, 3, Masses{}, nan}},
	}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v, error %v", got, want, err)
	}
	ignore := func(int, []Tally) error { return nil }
	row := countedRow{1, 0, 0, nan}
	for _, c := range []struct {
		rows         []countedRow
		trajectories int64
		want         string
	}{
		{a[:3], 4, "the shards have 5 trajectories of cell 0, not 4"},
		{slices.Repeat([]countedRow{row}, 3), 1, "cell 1: shard 0/1: rows are missing"},
		{slices.Repeat([]countedRow{row}, 5), 1, "shard 0/1: has too many rows"},
	} {
		err := MergeTallies[countedRow]([]*data.Reader{shard(t, c.rows...)}, 2, 2, c.trajectories, ignore)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	full := errors.New("disk full")
	fail := func(int, []Tally) error { return full }
	err = MergeTallies[countedRow]([]*data.Reader{shard(t, a...)}, 1, 1, 4, fail)
	if !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}
