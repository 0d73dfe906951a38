package simulate

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// backwards returns the rows of a table for which keep is true, in reversed order.
func backwards(t *testing.T, table *data.Table, keep func(row int) bool) *data.Table {
	t.Helper()
	rearranged := data.NewTable(table.Schema)
	for k := table.Rows() - 1; k >= 0; k-- {
		if keep(k) {
			must.Do(t, rearranged.Write(table.Slice(k, k+1).Columns...))
		}
	}
	return rearranged
}

func allRowsOf(int) bool { return true }

// The rows of a grid may be in another order, and some points may be missing: each point has the outcomes of
// its own rows. Rows none of which is at the horizon are an error.
func TestRearrangedGrids(t *testing.T) {
	for _, save := range []string{saveOutcomes, saveSummary} {
		s := smallGrid(save)
		whole := experimenttest.Table(t, s, run.Options{Seed: 3})
		want := describe(t, s, whole)
		reversed := backwards(t, whole, allRowsOf)
		if got := describe(t, s, reversed); got != want {
			t.Errorf("%s: reversed\n%s\nwant\n%s", save, got, want)
		}
		drawn := func(table *data.Table) string {
			return figuretest.Described(must.Get(New().Draw(table))(t), 100, 100)
		}
		if drawn(reversed) != drawn(whole) {
			t.Errorf("%s: reversed rows have another figure", save)
		}
		beta := experimenttest.Must(data.ValuesOf[float64](whole, "beta"))
		outer := backwards(t, whole, func(row int) bool { return beta[row] != 2 })
		var left []string
		for _, line := range strings.SplitAfter(want, "\n") {
			if !strings.Contains(line, "beta = 2:") {
				left = append(left, strings.Replace(line, "of 6 points", "of 4 points", 1))
			}
		}
		if got := describe(t, s, outer); got != strings.Join(left, "") || len(left) != 6 {
			t.Errorf("%s: without β = 2\n%s\nwant\n%s", save, got, strings.Join(left, ""))
		}
		ends := s.ends(must.Get(someRows[sweptRow](must.Get(s.digestOf(outer))(t)))(t))
		if drawn(outer); len(ends) != 2 || ends[0].at.X != 0.5 || ends[1].at.X != 4 {
			t.Errorf("%s: without β = 2 ends at %+v", save, ends)
		}
		time := experimenttest.Must(data.ValuesOf[float64](whole, "time"))
		early := backwards(t, whole, func(row int) bool { return time[row] < 2.5 })
		_, err := New().Draw(early)
		for _, err := range []error{err, New().Describe(io.Discard, early)} {
			if !errors.Is(err, run.ErrNoRows) || !strings.Contains(err.Error(), "none is at the horizon") {
				t.Errorf("%s without the horizon: %v", save, err)
			}
		}
	}
}

// The last layer may be slightly before the horizon, which is a whole number of layers up to rounding.
func TestGridsWithARoundedHorizon(t *testing.T) {
	for _, save := range []string{saveOutcomes, saveSummary} {
		s := smallGrid(save)
		s.varied.Depth, s.Depth, s.Horizon, s.Every = []int{30, 60}, 30, 1.6666666667, 0.5
		table := experimenttest.Table(t, s, run.Options{Seed: 3})
		rows := must.Get(someRows[sweptRow](must.Get(s.digestOf(table))(t)))(t)
		if len(rows) != 12 || rows[0].Trajectories != 30 || rows[0].Time != 50/30. {
			t.Errorf("%s: %d points, the first %+v", save, len(rows), rows[0])
		}
	}
}

// The rows of a summary are added up by their points and times, in whatever order another program has put
// them.
func TestSummariesInAnyOrder(t *testing.T) {
	s := smallGrid(saveSummary)
	want := experimenttest.Table(t, s, run.Options{Seed: 3})
	path := filepath.Join(t.TempDir(), "reversed.arrow")
	must.Do(t, data.WriteFile(path, backwards(t, want, allRowsOf)))
	shard := must.Get(data.Open(path))(t)
	t.Cleanup(func() { must.Do(t, shard.Close()) })
	merged := data.NewTable(want.Schema)
	must.Do(t, s.Run(t.Context(), run.Options{Seed: 3, Shards: []*data.Reader{shard}}, merged))
	if got := experimenttest.Text(merged); got != experimenttest.Text(want) {
		t.Errorf("%s\nwant\n%s", got, experimenttest.Text(want))
	}
}
