package simulate

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
)

// journal is a journal in memory that refuses further pieces after the first room pieces.
type journal struct {
	mutex          sync.Mutex // guards the fields below; all workers append pieces
	before, pieces map[int64][]byte
	room           int
	reads          int
}

var errRoom = errors.New("no room")

func (j *journal) Has(block int64) bool { return j.before[block] != nil }
func (j *journal) Read(block int64) ([]byte, error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.reads++
	return j.before[block], nil
}
func (j *journal) Append(block int64, bytes []byte) error {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.pieces[block] != nil || j.Has(block) {
		return errors.New("a piece that is there already")
	}
	if j.room--; j.room < 0 {
		return errRoom
	}
	j.pieces[block] = slices.Clone(bytes)
	return nil
}

// Several tables of one run, also of a sweep, have the same rows and journals as each table alone. The
// trajectories are computed only once; when an unfinished run is resumed, pieces that all journals have are
// not computed again.
func TestTablesTogether(t *testing.T) {
	of := func(save string) *Experiment {
		s := smallSimulation(save)
		s.Trajectories = 150
		s.varied.Beta, s.Beta = []float64{0.5, 2}, 0.5
		return s
	}
	const seed = 3
	saves := []string{saveStates, saveOutcomes, saveAttention, saveOverlaps}
	alone := map[string]string{}
	journals := map[string]*journal{}
	for _, save := range saves {
		journals[save] = &journal{pieces: map[int64][]byte{}, room: 1e6}
		alone[save] = experimenttest.Text(experimenttest.Table(t, of(save),
			run.Options{Seed: seed, Journal: journals[save]}))
	}
	together := func(options run.Options, kept map[string]*journal) (map[string]*data.Table, error) {
		options.Seed = seed
		tables := map[string]*data.Table{}
		var outputs []run.Output
		for _, save := range saves {
			tables[save] = data.NewTable(run.Schema(of(save), seed))
			output := run.Output{Save: save, Table: tables[save]}
			if kept != nil {
				output.Journal = kept[save]
			}
			outputs = append(outputs, output)
		}
		return tables, of(saveOverlaps).RunTogether(t.Context(), options, outputs...)
	}
	check := func(tables map[string]*data.Table, err error) {
		t.Helper()
		for save, table := range tables {
			if err != nil || experimenttest.Text(table) != alone[save] {
				t.Errorf("%s: error %v, or other rows than alone", save, err)
			}
		}
	}
	layers, needed := int64(0), make([]float64, len(saves))
	tables, err := together(run.Options{
		Progress: func(s run.State) { layers = max(layers, s.Total) },
		Preflight: func(n run.Needs) error {
			for k, rows := range n.Tables {
				needed[k] += rows
			}
			return nil
		},
	}, nil)
	check(tables, err)
	for k, save := range saves {
		if got := float64(tables[save].Rows()); got != needed[k] {
			t.Errorf("%s: %v rows, and the run said that it needs %v", save, got, needed[k])
		}
	}
	if layers != 2*150*25 {
		t.Errorf("%d layers of two points, want 7500", layers)
	}

	// The run ends when one journal has fewer pieces than the others.
	kept := map[string]*journal{}
	for _, save := range saves {
		kept[save] = &journal{pieces: map[int64][]byte{}, room: 100}
	}
	kept[saveAttention].room = 90
	if _, err := together(run.Options{Workers: 1}, kept); !errors.Is(err, errRoom) {
		t.Fatalf("error %v", err)
	}
	for _, save := range saves {
		kept[save] = &journal{before: kept[save].pieces, pieces: map[int64][]byte{}, room: 1e6}
	}
	check(together(run.Options{}, kept))
	for _, save := range saves {
		j := kept[save]
		if j.reads != 90 {
			t.Errorf("%s: %d pieces of the unfinished run are read, want 90", save, j.reads)
		}
		for block, bytes := range journals[save].pieces {
			if got := append(j.before[block], j.pieces[block]...); !slices.Equal(got, bytes) {
				t.Errorf("%s: piece %d differs from that of the table alone", save, block)
			}
		}
	}
}

// Interpolated tables cannot be written together with tables that have only layers.
func TestTablesTogetherHaveTheSameTimes(t *testing.T) {
	s := smallSimulation(saveStates)
	s.Interpolate, s.Every = true, 0.25
	err := s.RunTogether(t.Context(), run.Options{}, run.Output{Save: saveStates},
		run.Output{Save: saveOutcomes})
	if err == nil {
		t.Error("tables of different times are written")
	}
}

// Tables of one run must have the same times: a table whose interval is a whole number of layers is refused
// together with one whose interval is not, and nothing is written.
func TestTablesOfDifferentTimesAreRefused(t *testing.T) {
	layers, between := smallSimulation(saveOverlaps), smallSimulation(saveStates)
	between.Every, between.Interpolate = 0.73, true
	tables := []*data.Table{data.NewTable(run.Schema(layers, 3)), data.NewTable(run.Schema(between, 3))}
	err := runAlong(t.Context(), run.Options{Seed: 3}, []*Experiment{layers, between},
		[]run.Output{{Save: layers.Save, Table: tables[0]}, {Save: between.Save, Table: tables[1]}})
	if err == nil || tables[0].Rows()+tables[1].Rows() > 0 {
		t.Errorf("error %v, %d and %d rows", err, tables[0].Rows(), tables[1].Rows())
	}
}
