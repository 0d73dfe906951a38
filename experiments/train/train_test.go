package train

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sde/training"
)

// newTrainer returns a trainer of the networks of a setting.
func newTrainer(s *setting, seed uint64) (*training.Trainer, error) {
	task, err := s.task(seed, source{})
	if err != nil {
		return nil, err
	}
	return training.NewTrainer(s.network, task, s.method, seed, 1)
}

// tiny returns an experiment that takes an instant.
func tiny() *Experiment {
	e := New()
	e.Tokens, e.Vocabulary, e.Layers, e.Dim, e.Heads = 4, 3, []int{1, 2}, 6, 2
	e.Batch, e.Steps, e.Every, e.Validation, e.Seeds, e.Warmup, e.Dropout = 5, 23, 10, 6, 2, 2, 0.1
	return e
}

func rowsOf(t *testing.T, e *Experiment, seed uint64) []Row {
	t.Helper()
	rows, err := data.RowsOf[Row](experimenttest.Table(t, e, run.Options{Seed: seed, Workers: 2}))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// The rows are those of a trainer that is run here with the seed of the run: at step 0, every ten steps and
// after the last step, first a row of the whole network and then one of each layer.
func TestRows(t *testing.T) {
	e := tiny()
	rows := rowsOf(t, e, 7)
	number := int32(0)
	for k, layers := range e.Layers {
		for seed := uint64(7); seed <= 8; seed++ {
			s := e.settings()[k]
			trainer, err := newTrainer(&s, seed)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range []int64{0, 10, 20, 23} {
				for trainer.Step() < step {
					if err := trainer.Next(); err != nil {
						t.Fatal(err)
					}
				}
				want := trainer.Record()
				row := rows[0]
				status := learning
				if step == 23 {
					status = finished
				}
				if row.Run != number || row.Seed != int64(seed) || row.Layers != int32(layers) ||
					row.Step != step || row.Status != status || row.Loss != want.Loss ||
					row.ValidationLoss != want.ValidationLoss || row.Accuracy != want.Accuracy ||
					row.Rate != want.Rate || row.GradientNorm != want.GradientNorm ||
					!math.IsNaN(row.Layer) || !math.IsNaN(row.Cosine) {
					t.Fatalf("run %d, step %d: %+v, want %+v", number, step, row, want)
				}
				for l, layer := range want.Layers {
					row := rows[1+l]
					same := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
					if row.Layer != float64(l) || row.Step != step || row.Cosine != layer.Cosine ||
						!same(row.Entropy, layer.Entropy) || row.StableRank != layer.StableRank ||
						!same(row.Alpha, layer.Strengths[0]) || !same(row.MLPBranch, layer.Strengths[3]) ||
						!math.IsNaN(row.Loss) {
						t.Fatalf("run %d, step %d, layer %d: %+v, want %+v", number, step, l, row, layer)
					}
				}
				rows = rows[2+layers:]
			}
			number++
		}
	}
	if len(rows) > 0 {
		t.Errorf("%d rows more", len(rows))
	}
}

// A run that diverges ends with a row that says so, and the other runs continue.
func TestDivergingRuns(t *testing.T) {
	e := tiny()
	e.Layers, e.Norm, e.Optimiser = []int{2}, []string{"no-norm"}, []string{"sgd"}
	e.LearningRate = []float64{1e-3, 1e5}
	rows := rowsOf(t, e, 1)
	ends := map[int32]Row{}
	for _, row := range rows {
		if math.IsNaN(row.Layer) {
			ends[row.Run] = row
		}
	}
	for number, end := range ends {
		want, step := finished, int64(23)
		if number >= 2 {
			want, step = diverged, end.Step
		}
		if end.Status != want || end.Step != step || number >= 2 && end.Step > 10 {
			t.Errorf("run %d ends %+v", number, end)
		}
	}
	if len(ends) != 4 {
		t.Errorf("%d runs", len(ends))
	}
	var text bytes.Buffer
	table := experimenttest.Table(t, e, run.Options{Seed: 1})
	err := e.Describe(&text, table)
	if err != nil || !strings.Contains(text.String(), "2 of 2 runs diverged, at step") {
		t.Errorf("%s, %v", &text, err)
	}
	if _, err := e.Draw(table); err != nil {
		t.Error(err)
	}
}

// One of the default runs takes seconds, and ends with less than half of its first loss.
func TestDefault(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	e := New()
	e.Seeds, e.Steps, e.Every = 1, 300, 300
	rows := rowsOf(t, e, 1)
	first, last := rows[0], rows[len(rows)/2]
	if !(last.Loss < first.Loss/2) || last.Step != 300 || !(last.Accuracy > 0.5) {
		t.Errorf("from %+v to %+v", first, last)
	}
}

// journal is a journal in memory.
type journal map[int64][]byte

func (j journal) Has(block int64) bool             { return j[block] != nil }
func (j journal) Read(block int64) ([]byte, error) { return j[block], nil }
func (j journal) Append(block int64, bytes []byte) error {
	j[block] = append([]byte{0}, bytes...)[1:]
	return nil
}

// A run that is stopped keeps its state. When it is resumed, with another number of workers, it has the same
// rows as an undisturbed run, and loses only a few steps. The files of states are tables, and are removed at
// the end.
func TestRunsGoOnFromTheirState(t *testing.T) {
	e := tiny()
	e.Layers, e.Seeds, e.Steps = []int{2}, 1, 60
	want := experimenttest.Text(experimenttest.Table(t, e, run.Options{Seed: 3, Workers: 1}))
	folder, kept := filepath.Join(t.TempDir(), "t.arrow.partial-states"), journal{}
	options := run.Options{Seed: 3, Workers: 3, Journal: kept, Unfinished: folder}
	for _, stop := range []int64{17, 33, 50} {
		ctx, cancel := context.WithCancel(t.Context())
		options.Progress = func(s run.State) {
			if s.Done >= stop {
				cancel()
			}
		}
		table := data.NewTable(run.Schema(e, 3))
		if err := e.Run(ctx, options, table); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancel()
		options.Workers = 1
		file, err := data.ReadFile(filepath.Join(folder, "0"))
		if err != nil {
			t.Fatal(err)
		}
		const query = `"layers.1.attention.query.weight","rows":6,"columns":6`
		if text, _ := file.Schema.Value(keyState); !strings.Contains(text, query) || !kept.Has(1) {
			t.Errorf("state %s", text)
		}
	}
	var done []int64
	options.Progress = func(s run.State) { done = append(done, s.Restored, s.Done) }
	if got := experimenttest.Text(experimenttest.Table(t, e, options)); got != want {
		t.Error("other rows")
	}
	if done[0] < 50 || done[0] != done[1] || done[len(done)-1] != 60 {
		t.Errorf("progress %v", done)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	// If a file of a state was removed, its run begins again; a damaged file is refused.
	if err := os.WriteFile(filepath.Join(folder, "0"), []byte("nothing"), 0o666); err != nil {
		t.Fatal(err)
	}
	delete(kept, 0)
	options.Progress = nil
	err := e.Run(t.Context(), options, data.NewTable(run.Schema(e, 3)))
	if err == nil || !strings.Contains(err.Error(), filepath.Join(folder, "0")) {
		t.Errorf("a damaged state: %v", err)
	}
}

// States are saved at intervals of time, also if the run is not stopped.
func TestStatesAreSaved(t *testing.T) {
	e := tiny()
	r := &runs{Experiment: e, settings: e.settings(), options: run.Options{Journal: journal{}, Seed: 1,
		Unfinished: t.TempDir()}}
	s, seed := r.of(0)
	trainer, err := newTrainer(s, seed)
	if err != nil {
		t.Fatal(err)
	}
	c := r.checkpoint(0)
	save := func() {
		if err := errors.Join(trainer.Next(), c.saveIfDue(trainer, []float64{1, math.NaN(), 2})); err != nil {
			t.Fatal(err)
		}
	}
	if save(); c.there {
		t.Error("a state is saved at once")
	}
	c.last = c.last.Add(-time.Hour)
	if save(); !c.there || !r.options.Journal.Has(int64(r.count())) {
		t.Error("no state is saved after an hour")
	}
	want := trainer.State()
	again, err := newTrainer(s, seed)
	if err != nil {
		t.Fatal(err)
	}
	records, err := r.checkpoint(0).restore(again, nil)
	if err != nil || len(records) != 3 || records[0] != 1 || !math.IsNaN(records[1]) || records[2] != 2 {
		t.Errorf("records %v, %v", records, err)
	}
	if got := again.State(); got.Step != 2 || !slices.Equal(got.Weights, want.Weights) ||
		!slices.Equal(got.First, want.First) || !slices.Equal(got.Second, want.Second) {
		t.Error("another state")
	}
}

// When there are fewer runs left than workers, the last runs share all workers.
func TestWorkersOfRuns(t *testing.T) {
	for _, c := range []struct {
		workers, seeds int
		part           sde.Part
		want           []int
	}{
		{1, 3, sde.Part{}, []int{1, 1, 1}},
		{2, 3, sde.Part{}, []int{1, 1, 2}},
		{4, 6, sde.Part{}, []int{1, 1, 1, 1, 2, 2}},
		{8, 3, sde.Part{}, []int{3, 3, 3}},
		{2, 5, sde.Part{Number: 1, Of: 2}, []int{1: 1, 3: 1}},
		{2, 5, sde.Part{Number: 0, Of: 2}, []int{0: 1, 2: 1, 4: 2}},
	} {
		e := tiny()
		e.Layers, e.Seeds = []int{1}, int64(c.seeds)
		options := run.Options{Workers: c.workers, Part: c.part}
		r := &runs{Experiment: e, settings: e.settings(), options: options}
		for number, want := range c.want {
			if got := r.workersOf(number); want > 0 && got != want {
				t.Errorf("%d workers, %d runs: %d of run %d, want %d", c.workers, c.seeds, got, number, want)
			}
		}
	}
}

// Invalid parameters are refused with an error that names the parameter.
func TestRefusals(t *testing.T) {
	for name, change := range map[string]func(e *Experiment){
		"learning-rate": func(e *Experiment) { e.LearningRate = []float64{0} },
		"heads":         func(e *Experiment) { e.Heads = 4 },
		"every":         func(e *Experiment) { e.Every, e.Steps, e.Layers = 1, 10_000_000, []int{9} },
		"dim":           func(e *Experiment) { e.Dim, e.Layers = 60_000, []int{100} },
		"steps":         func(e *Experiment) { e.Steps, e.Every, e.Dim = 1_000_000_000, 1e9, 600 },
		"optimiser":     func(e *Experiment) { e.Optimiser = []string{"adam", "adam"} },
		"tokens": func(e *Experiment) {
			e.Attention, e.Tokens, e.Dim, e.Heads = []string{free}, 4096, 512, 512
		},
	} {
		e := tiny()
		change(e)
		err := e.Run(t.Context(), run.Options{}, data.NewTable(run.Schema(e, 1)))
		var refused *parameter.Error
		if !errors.As(err, &refused) || refused.Parameter != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	e := tiny()
	var refused *parameter.Error
	err := e.Run(t.Context(), run.Options{Seed: 1 << 63}, nil)
	if !errors.As(err, &refused) || refused.Parameter != "seed" {
		t.Errorf("%v", err)
	}
}

// Rows may be in any order. A quantity whose rows were removed is missing, not 0.
func TestMomentsOfFilteredRows(t *testing.T) {
	nan := math.NaN()
	row := func(run int32, step int64, layer, cosine, entropy float64) Row {
		return Row{Run: run, Step: step, Layers: 2, Layer: layer, Cosine: cosine, StableRank: 10 * cosine,
			Entropy: entropy}
	}
	runs := runsOf([]Row{
		row(0, 5, 2, 0.7, 3), row(0, 5, 1, 0.6, 1), row(0, 5, 0, 0.5, nan), row(0, 5, nan, nan, nan),
		row(1, 0, nan, nan, nan), row(1, 0, 2, 0.4, 2),
		row(0, 0, nan, nan, nan), row(0, 0, 1, 0.3, 2),
		row(2, 0, 1, 0.2, 2),
	})
	if len(runs) != 2 || len(runs[0]) != 2 || len(runs[1]) != 1 {
		t.Fatalf("%+v", runs)
	}
	for _, c := range []struct {
		m                     evaluation
		cosine, rank, entropy float64
	}{{runs[0][0], nan, nan, nan}, {runs[0][1], 0.7, 7, 2}, {runs[1][0], 0.4, 4, nan}} {
		for _, v := range [][2]float64{{c.m.cosine, c.cosine}, {c.m.rank, c.rank}, {c.m.entropy, c.entropy}} {
			if v[0] != v[1] && !(math.IsNaN(v[0]) && math.IsNaN(v[1])) {
				t.Errorf("run %d, step %d: %v, want %v", c.m.Run, c.m.Step, v[0], v[1])
			}
		}
	}
}

// If a state cannot be saved, the run ends with that error.
func TestStatesThatCannotBeSaved(t *testing.T) {
	e := tiny()
	e.Layers, e.Seeds, e.Steps, e.Every = []int{2}, 1, 1e6, 1e6
	folder := filepath.Join(t.TempDir(), "t.arrow.partial-states")
	refused := errors.New("no state is saved")
	durable.Inject(func(_, path string) error {
		if strings.HasPrefix(path, folder) {
			return refused
		}
		return nil
	})
	defer durable.Inject(nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	options := run.Options{Seed: 3, Workers: 1, Journal: journal{}, Unfinished: folder}
	if err := e.Run(ctx, options, data.NewTable(run.Schema(e, 3))); !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
}
