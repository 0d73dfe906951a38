package outcomes

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/experiments/theory"
	"antipode/sde"
	"antipode/sphere/must"
)

// A row whose estimates cannot be computed ends the run and is not written.
func TestRowsThatCannotBeEstimated(t *testing.T) {
	broken := errors.New("broken")
	c := Compared[countedRow]{
		Ensemble: &sde.Ensemble[Decision]{Cells: []sde.Cell{decidedCell(2, sde.Tokens)}, Trajectories: 2,
			Layers: 3},
		Tolerance: 1e-3,
		Counted:   func(sde.Cell, Tally) countedRow { return countedRow{} },
		Estimated: func(countedRow, theory.Point) (countedRow, error) { return countedRow{}, broken },
	}
	err := c.Run(t.Context(), run.Options{Workers: 1}, data.SinkFunc(func(...data.Values) error {
		t.Error("a row")
		return nil
	}))
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

// valid is an experiment whose parameters are valid.
type valid struct{ run.Experiment }

func (valid) Validate() error { return nil }

// Cells that cannot be made, and a horizon that is not a whole number of layers, are no ensemble.
func TestEnsemblesThatCannotBeMade(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		err     error
		horizon float64
		good    bool
	}{{nil, 2, true}, {broken, 2, false}, {nil, 0.25, false}} {
		cells := func() ([]sde.Cell, error) { return []sde.Cell{{}}, c.err }
		e, err := NewEnsemble[Decision](valid{}, cells, 5, 10, c.horizon)
		if (err == nil) != c.good || c.err != nil && !errors.Is(err, broken) ||
			c.good && (e.Layers != 20 || e.Trajectories != 5 || len(e.Cells) != 1) {
			t.Errorf("horizon %v: %+v, %v", c.horizon, e, err)
		}
	}
}

// The table of a shard that lacks a column is not merged.
func TestShardsWithoutAColumn(t *testing.T) {
	table := data.NewTable(data.Schema{Columns: data.ColumnsOf[countedRow]()[:1]})
	must.Do(t, table.Write(data.Slice[int64]{1}))
	path := filepath.Join(t.TempDir(), "shard.arrow")
	must.Do(t, data.WriteFile(path, table))
	reader := must.Get(data.Open(path))(t)
	defer reader.Close()
	err := MergeTallies[countedRow]([]*data.Reader{reader}, 1, 1, 1, func(int, []Tally) error { return nil })
	if err == nil || !strings.Contains(err.Error(), `no column "antipodal_pair"`) {
		t.Errorf("%v", err)
	}
}
