package splitting

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

// kept is a journal in memory.
type kept map[int64][]byte

func (k kept) Has(block int64) bool                   { return k[block] != nil }
func (k kept) Read(block int64) ([]byte, error)       { return k[block], nil }
func (k kept) Append(block int64, bytes []byte) error { k[block] = bytes; return nil }

// The results of repetitions are kept without loss.
func TestRepetitionsAreKept(t *testing.T) {
	journal := kept{}
	want := []sde.Repetition{{Probability: 1e-300, Levels: 12, Layers: 1 << 40}, {}, {Probability: 0.25,
		Levels: 1, Layers: 3}}
	checkpoint := run.NewCheckpoint(journal, codec)
	must.Do(t, checkpoint.Keep(7, want))
	if got, err := checkpoint.Read(7); err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

// The progress counts the repetitions of all cells, and also the restored ones of all cells.
func TestProgressOfKeptCells(t *testing.T) {
	journal := kept{}
	for try := range 2 {
		var states []run.State
		cells := Cells[Row]{Count: 2, Repetitions: 3,
			Split: func(int) (*sde.Splitting, uint64, error) {
				return &sde.Splitting{
					Cell: sde.Cell{Model: sde.Hybrid{Epsilon: 1}, Method: sde.Chain, Tokens: 2, Dim: 2,
						Beta: 1, Depth: 10, Start: sde.UniformStart{}},
					Layers: 10, Trajectories: 20, Repetitions: 3, Every: 1,
					Score: func() func(*sde.View) float64 { return func(*sde.View) float64 { return 0 } },
					Event: func() func(*sde.View) bool { return func(*sde.View) bool { return true } },
				}, 1, nil
			},
			Row: func(int, *sde.Splitting, sde.Levels, []sde.Repetition) Row { return Row{} },
			Sink: func(int) data.Sink {
				return data.SinkFunc(func(...data.Values) error { return nil })
			},
		}
		must.Do(t, cells.Run(t.Context(), run.Options{Seed: 1, Workers: 1, Journal: journal,
			Progress: func(s run.State) { states = append(states, s) }}))
		last := states[len(states)-1]
		if last.Done != 6 || last.Total != 6 || last.AllCells != 0 || try == 1 && last.Restored != 6 {
			t.Errorf("try %d: %+v", try, last)
		}
	}
}

// The rows of a merged run are those of the repetitions and levels in the tables of shards, cell by cell. An
// error of a table, of the configuration of a cell, or of the sink ends the merge.
func TestMergedCells(t *testing.T) {
	levels := []sde.Levels{{Scores: make([]float64, 4), Layers: 50}, {Scores: make([]float64, 6), Layers: 70}}
	repetitions := [][]sde.Repetition{
		{{Probability: 0.5, Levels: 3, Layers: 10}, {Probability: 0.25, Levels: 4, Layers: 20}},
		{{Probability: 0.125, Levels: 5, Layers: 30}, {Probability: 1, Levels: 6, Layers: 40}},
	}
	full, broken := errors.New("full"), errors.New("broken")
	for _, c := range []struct {
		rows    int // of the shard
		refused int // cell that cannot be configured
		sink    error
		want    string
		written int
	}{
		{4, -1, nil, "", 2}, {3, -1, nil, "rows are missing", 0}, {4, 0, nil, "broken", 0},
		{4, 1, nil, "broken", 1}, {4, -1, full, "full", 1},
	} {
		table := data.NewTable(data.Schema{Columns: data.ColumnsOf[Row]()})
		rows := append(rowsOf(levels[0], repetitions[0]), rowsOf(levels[1], repetitions[1])...)
		must.Do(t, data.WriteRows(table, rows[:c.rows]...))
		path := filepath.Join(t.TempDir(), "shard.arrow")
		must.Do(t, data.WriteFile(path, table))
		shard := must.Get(data.Open(path))(t)
		written := 0
		cells := Cells[Row]{Count: 2, Repetitions: 2,
			Split: func(cell int) (*sde.Splitting, uint64, error) {
				if cell == c.refused {
					return nil, 0, broken
				}
				return &sde.Splitting{}, 0, nil
			},
			Row: func(cell int, _ *sde.Splitting, l sde.Levels, r []sde.Repetition) Row {
				if written++; !reflect.DeepEqual(l, levels[cell]) || !slices.Equal(r, repetitions[cell]) {
					t.Errorf("cell %d: %+v, %+v", cell, l, r)
				}
				return Row{}
			},
			Sink: func(int) data.Sink { return data.SinkFunc(func(...data.Values) error { return c.sink }) },
		}
		err := cells.Run(t.Context(), run.Options{Shards: []*data.Reader{shard}})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) ||
			written != c.written {
			t.Errorf("%+v: %v, %d rows", c, err, written)
		}
		must.Do(t, shard.Close())
	}
	table := data.NewTable(data.Schema{Columns: data.ColumnsOf[Row]()[:1]})
	must.Do(t, table.Write(data.Slice[float64]{0.5, 0.25}))
	path := filepath.Join(t.TempDir(), "shard.arrow")
	must.Do(t, data.WriteFile(path, table))
	shard := must.Get(data.Open(path))(t)
	defer shard.Close()
	if err := (Cells[Row]{Count: 1, Repetitions: 2}).Run(t.Context(),
		run.Options{Shards: []*data.Reader{shard}}); err == nil {
		t.Error("a shard without all columns is merged")
	}
}
