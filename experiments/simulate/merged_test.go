package simulate

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// shardsOf runs the shards of an experiment with seed 3, and opens their tables.
func shardsOf(t *testing.T, s *Experiment, n int64) (shards []*data.Reader) {
	t.Helper()
	for k := range n {
		part := sde.Part{Number: k, Of: n}
		table := data.NewTable(run.ShardSchema(s, 3, part))
		must.Do(t, s.Run(t.Context(), run.Options{Seed: 3, Part: part}, table))
		path := filepath.Join(t.TempDir(), "shard.arrow")
		must.Do(t, data.WriteFile(path, table))
		shards = append(shards, must.Get(data.Open(path))(t))
		t.Cleanup(func() { must.Do(t, shards[k].Close()) })
	}
	return shards
}

// Merged shards make the table of the whole run: of a summary, alone or of a grid, of the rows of a grid, and
// of splitting. Of four shards of three trajectories one has none.
func TestMergedShards(t *testing.T) {
	split := smallSplitting()
	split.varied.Beta, split.Beta = []float64{0.5, 2}, 0.5
	few := smallGrid(saveSummary)
	few.Trajectories = 3
	for _, s := range []*Experiment{smallSimulation(saveSummary), smallGrid(saveSummary),
		smallGrid(saveOutcomes), split, few} {
		want := experimenttest.Text(experimenttest.Table(t, s, run.Options{Seed: 3}))
		for _, n := range []int64{1, 3, 4} {
			table := data.NewTable(run.Schema(s, 3))
			must.Do(t, s.Run(t.Context(), run.Options{Seed: 3, Shards: shardsOf(t, s, n)}, table))
			if got := experimenttest.Text(table); got != want {
				t.Errorf("%s, splitting %v: %d shards make\n%s\nwant\n%s", s.Save, s.Splitting, n, got, want)
			}
		}
	}
}

// Summaries of other times or trajectories than the run has, a table without columns of a summary, a full
// disk, and invalid parameters are errors.
func TestSummariesThatAreNotMerged(t *testing.T) {
	longer := func() *Experiment {
		s := smallSimulation(saveSummary)
		s.Horizon = 4
		return s
	}
	invalid := smallSimulation(saveSummary)
	invalid.Depth = 0
	unread := smallSimulation(saveSummary)
	must.Do(t, unread.Start.UnmarshalText([]byte(filepath.Join(t.TempDir(), "none.arrow"))))
	short := shardsOf(t, smallSimulation(saveSummary), 1)
	full := data.SinkFunc(func(...data.Values) error { return experimenttest.ErrNoRoom })
	for _, c := range []struct {
		s      *Experiment
		shards []*data.Reader
		want   string
	}{
		{longer(), append(shardsOf(t, longer(), 1), short...),
			"shard 1/2: has the time 2.5, which the run does not save"},
		{longer(), shardsOf(t, longer(), 3)[1:], "trajectories at time 0, and the run 30"},
		{longer(), shardsOf(t, smallSimulation(saveOutcomes), 1), `no column "trajectories"`},
		{longer(), shardsOf(t, longer(), 1), experimenttest.ErrNoRoom.Error()},
		{invalid, shardsOf(t, longer(), 1), "depth 0: "},
		{unread, shardsOf(t, longer(), 1), "none.arrow"},
	} {
		err := c.s.Run(t.Context(), run.Options{Shards: c.shards}, full)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A run with a file that is not there, with a splitting that cannot come to its outcome, or with a disk that
// is full ends with an error; after a part that could not be written nothing more is written.
func TestRunsThatFail(t *testing.T) {
	unread := smallSimulation(saveOutcomes)
	must.Do(t, unread.Interaction.UnmarshalText([]byte(filepath.Join(t.TempDir(), "B.txt"))))
	split := smallSplitting()
	split.Interaction = unread.Interaction
	for _, s := range []*Experiment{unread, split} {
		err := s.Run(t.Context(), run.Options{}, nil)
		if err == nil || !strings.Contains(err.Error(), "B.txt") {
			t.Errorf("without its file, splitting %v: %v", s.Splitting, err)
		}
	}
	split = smallSplitting()
	split.Dim, split.Horizon, split.Splitting = 64, 0.1, SplitAntipodal
	experimenttest.CheckRefused(t, split.Run(t.Context(), run.Options{}, nil), "splitting",
		"must be an outcome that can happen by the horizon, or --trajectories larger")
	split.Trajectories = 1
	experimenttest.CheckRefused(t, split.Run(t.Context(), run.Options{}, nil), "trajectories", "")
	s, writes := smallSimulation(saveOutcomes), 0
	s.Tokens, s.Dim, s.Trajectories, s.Depth, s.Horizon, s.Every = 2, 2, 60_000, 1, 1, 1
	err := s.Run(t.Context(), run.Options{}, data.SinkFunc(func(...data.Values) error {
		writes++
		return experimenttest.ErrNoRoom
	}))
	if !errors.Is(err, experimenttest.ErrNoRoom) || writes != 1 {
		t.Errorf("%v after %d writes", err, writes)
	}
}

// A splitting that is refused simulates nothing. An unfinished splitting continues with the repetitions that
// its journal has: it computes and keeps only the others, and makes the same table.
func TestSplittingGoesOn(t *testing.T) {
	s := smallSplitting()
	if needs := experimenttest.Needs(t, s, run.Options{}); !(needs.Layers > 0) {
		t.Errorf("%+v", needs)
	}
	first := &journal{pieces: map[int64][]byte{}, room: 1e6}
	want := experimenttest.Text(experimenttest.Table(t, s, run.Options{Seed: 3, Journal: first}))
	if len(first.pieces) != 4 {
		t.Errorf("%d repetitions are kept, want 4", len(first.pieces))
	}
	delete(first.pieces, 3)
	next := &journal{before: first.pieces, pieces: map[int64][]byte{}, room: 1e6}
	got := experimenttest.Text(experimenttest.Table(t, s, run.Options{Seed: 3, Journal: next}))
	if got != want || next.reads != 3 || len(next.pieces) != 1 {
		t.Errorf("%d are read and %d kept, want 3 and 1:\n%s\nwant\n%s", next.reads, len(next.pieces), got,
			want)
	}
}
