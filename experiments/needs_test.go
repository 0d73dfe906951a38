package experiments

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// The rows, cells and layers that a run says it will need, before it starts, are those of its table and its
// progress. The rows of rank-collapse are not known in advance, and some runs say nothing as they take hardly
// any time.
func TestNeedsAreWhatIsWritten(t *testing.T) {
	silent := map[string]bool{"overlap": true, "field": true, "trainability": true, "measure": true,
		"verify": true, "rank-collapse": true, "attention-phase": true}
	for _, e := range All() {
		name := e.Name()
		if silent[name] {
			continue
		}
		table := smallTable(t, name)
		needs, last := smallNeeds[name], smallStates[name]
		if needs.Rows != float64(table.Rows()) || needs.Cells != last.AllCells {
			t.Errorf("%s: needs %+v, has %d rows and %d cells", name, needs, table.Rows(), last.AllCells)
		}
		if needs.Layers != 0 && needs.Layers != float64(last.Total) {
			t.Errorf("%s: needs %g layers, and its progress is of %d", name, needs.Layers, last.Total)
		}
	}
}

// The rows that a shard says it will need are those that it writes, also if it has none.
func TestNeedsOfShardsAreWhatIsWritten(t *testing.T) {
	for _, name := range []string{"phase", "simulate", "train", "stable-rank", "spectrum", "crowd", "weak",
		"residual", "attention-matrix"} {
		for _, part := range []sde.Part{{Number: 0, Of: 2}, {Number: 1, Of: 1000}} {
			e := smallOf(t, name).(run.Divisible)
			rows := 0.0
			table := data.NewTable(run.ShardSchema(e, 1, part))
			must.Do(t, e.Run(t.Context(), run.Options{Seed: 1, Workers: 1, Part: part,
				Preflight: func(n run.Needs) error { rows += n.Rows; return nil }}, table))
			if rows != float64(table.Rows()) {
				t.Errorf("%s, shard %v: needs %g rows, has %d", name, part, rows, table.Rows())
			}
		}
	}
}

// A run of more than a year is refused because of the parameter that sets the number of its trajectories.
func TestEndlessRunsAreRefused(t *testing.T) {
	const most = "1e12"
	for _, c := range []struct {
		command, count string
		given          map[string]string
	}{
		{"phase", "trajectories", map[string]string{"trajectories": most}},
		{"hybrid", "trajectories", map[string]string{"trajectories": most}},
		{"mlp", "trajectories", map[string]string{"trajectories": most}},
		{"tokens", "trajectories", map[string]string{"trajectories": most}},
		{"evolve", "trajectories", map[string]string{"trajectories": most}},
		{"stability", "trajectories", map[string]string{"trajectories": most, "depth": "1000"}},
		{"weak", "trajectories", map[string]string{"trajectories": most}},
		{"simulate", "trajectories",
			map[string]string{"trajectories": "1e7", "horizon": "1e6", "every": "1e6"}},
		{"crowd", "trajectories", map[string]string{"trajectories": "1e6", "horizon": "1e6"}},
		{"spectrum", "samples", map[string]string{"samples": "1e6", "tokens": "2000"}},
		{"stable-rank", "samples", map[string]string{"samples": "1e6", "tokens": "2000", "layers": "1000"}},
		{"train", "steps", map[string]string{"steps": "1e9", "every": "1e9", "dim": "512"}},
		{"gradients", "networks", map[string]string{"networks": "1e6", "layers": "1000", "dim": "512"}},
	} {
		e := experimenttest.Must(ByName(c.command))
		_, err := run.Configure(e, c.given, false)
		if err == nil {
			allowed := func(run.Needs) error { return errors.New("it is not refused") }
			options := run.Options{Workers: 1, Preflight: allowed}
			err = e.Run(t.Context(), options, data.NewTable(run.Schema(e, 1)))
		}
		var problem *parameter.Error
		if !errors.As(err, &problem) || problem.Parameter != c.count ||
			!strings.Contains(problem.Problem, "must be less than a year") {
			t.Errorf("%s: %v", c.command, err)
		}
	}
}

// counted is a journal that only counts the bytes that it gets.
type counted struct {
	lock  sync.Mutex
	bytes int
}

func (*counted) Has(int64) bool             { return false }
func (*counted) Read(int64) ([]byte, error) { return nil, nil }
func (c *counted) Append(_ int64, b []byte) error {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.bytes += len(b)
	return nil
}

// The bytes that a run says it will keep of its work are roughly those that its journal gets. Some allow for
// trajectories that do not end early, some leave out their theory, and some say nothing as they keep little.
func TestNeedsAreWhatIsKept(t *testing.T) {
	for _, e := range All() {
		name := e.Name()
		smallTable(t, name)
		needs, kept := smallNeeds[name].Kept, smallKept[name]
		if needs > 0 && !(needs > 0.6*kept && needs < 6*kept) || needs == 0 && kept > 1000 {
			t.Errorf("%s: needs %g bytes for finished work, which takes %g", name, needs, kept)
		}
	}
}

// run.Cells returns as many cells as the progress of the run has.
func TestCellsOfGrids(t *testing.T) {
	for _, name := range []string{"phase", "hybrid", "tokens", "stability"} {
		smallTable(t, name)
		all := smallStates[name].AllCells
		if got := run.Cells(smallOf(t, name)); got != all || got < 2 {
			t.Errorf("%s: %d cells, and its progress is of %d", name, got, all)
		}
	}
}

// The size of a table's file is predicted from the number of rows, up to 15 % and 500 bytes.
func TestFileBytes(t *testing.T) {
	for _, name := range []string{"phase", "simulate", "spectrum", "trainability", "attention-matrix"} {
		table := smallTable(t, name)
		path := t.TempDir() + "/table.arrow"
		must.Do(t, data.WriteFile(path, table))
		got, err := table.Schema.FileBytes(float64(table.Rows()))
		if want := fileSize(t, path); err != nil || got < 0.85*want-500 || got > 1.15*want+500 {
			t.Errorf("%s: %d rows: predicted %.0f bytes, %.0f there, %v", name, table.Rows(), got, want, err)
		}
	}
}

func fileSize(t *testing.T, path string) float64 {
	t.Helper()
	info := must.Get(os.Stat(path))(t)
	return float64(info.Size())
}
