package train

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/data/durable"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sde/network"
	"antipode/sphere/must"
)

// describedDepths returns the report on depths, of which the curves with the given indices have a run that
// diverges.
func describedDepths(t *testing.T, change func(e *Experiment), diverging ...int) string {
	t.Helper()
	e, before := depthCurves()
	change(e)
	var rows []Row
	for k, c := range before {
		for _, of := range c.runs {
			row := of[0].Row
			if slices.Contains(diverging, k) {
				row.Status = diverged
			}
			rows = append(rows, row)
		}
	}
	var text strings.Builder
	must.Do(t, describeDepths(&text, learningCurvesOf(e, rows)))
	return text.String()
}

// Settings of which a run diverges are left out of the comparison of depths, and only they. Without values of
// the shared identity the first series is the reference, and an increasing curve needs three points.
func TestDepthsWithoutSomeSettings(t *testing.T) {
	same := func(*Experiment) {}
	for name, c := range map[string]struct {
		change    func(e *Experiment)
		diverging []int
		lines     int
		has       []string
	}{
		"all are there":      {same, nil, 4, []string{"the 6 mean"}},
		"the first diverges": {same, []int{0}, 3, []string{"the 5 mean", "masked, 16 l", "masked, 64"}},
		"the third diverges": {same, []int{2}, 3, []string{"the 5 mean", "masked, 4 layers", "masked, 64"}},
		"three are left":     {same, []int{0, 1, 5}, 2, []string{"the 3 mean"}},
		"two are left":       {same, []int{0, 1, 2, 5}, 0, nil},
		"all diverge":        {same, []int{0, 1, 2, 3, 4, 5}, 0, nil},
		"without the reference": {func(e *Experiment) { e.Values[1] = "identity:0.25" }, nil, 4, []string{
			"whether identity:0.25 values learn more than gaussian:1/d values", "differs by +1.95"}},
	} {
		text := describedDepths(t, c.change, c.diverging...)
		if n := strings.Count(text, "\n"); n != c.lines {
			t.Errorf("%s: %d lines, want %d:\n%s", name, n, c.lines, text)
		}
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
	}
}

// labelled returns a row with the labels of a setting.
func labelled(s *setting, row Row) Row {
	row.Layers, row.Task, row.Norm = int32(s.Layers[0]), taskLabel(s.Task), normLabel(s.Norm[0])
	row.Attention, row.Values = attentionName(s.Attention[0]), valueLabel(values(s.Values[0]).law())
	if row.Optimiser = ruleLabel(s.Optimiser[0]); row.Status == "" {
		row.Status = learning
	}
	return row
}

// A table of three depths is described and drawn over depth.
func TestTablesOfDepths(t *testing.T) {
	e, curves := depthCurves()
	var rows []Row
	for _, c := range curves {
		for _, of := range c.runs {
			row := of[0].Row
			rows = append(rows, labelled(&c.setting, row))
		}
	}
	table := experimenttest.TableOf(t, e, rows...)
	var text strings.Builder
	must.Do(t, New().Describe(&text, table))
	drawn := figuretest.Draw(t, e, table)
	if !strings.Contains(text.String(), "An increasing curve over the theory's u") ||
		drawn.Panels[0].Plot.Title != "validation loss at the end" {
		t.Errorf("%s, figure of %s", &text, drawn.Panels[0].Plot.Title)
	}
	if err := New().Describe(new(experimenttest.Room), table); !errors.Is(err, experimenttest.ErrNoRoom) {
		t.Errorf("without room: %v", err)
	}
	if text := notDrawn(3, 5, "x"); text != "; not drawn: 2 of 5 x" || notDrawn(5, 5, "x") != "" {
		t.Errorf("%q", text)
	}
}

// Without an accuracy, final losses are those of the training examples.
func TestFinalLossWithoutAccuracy(t *testing.T) {
	for accuracy, want := range map[float64]float64{0.5: 5, math.NaN(): 3} {
		c := curveOf(New(), 5)
		c.runs[0][0].Loss, c.runs[0][0].Accuracy = 3, accuracy
		if got := c.end(); got != want {
			t.Errorf("accuracy %v: %v, want %v", accuracy, got, want)
		}
	}
}

// The theory of a map is that of the gain-controlled block for gain-controlled attention, and tokens that
// vanish or parameters outside its domain are an error of the report and of the figure.
func TestTheoryOfMaps(t *testing.T) {
	e, rows := mapped(t)
	if e.Attention = []string{gain}; e.kindName() != "gain-"+e.Norm[0] {
		t.Errorf("block %s", e.kindName())
	}
	for name, change := range map[string]func(e *Experiment){
		"no layer":  func(e *Experiment) { e.Layers[0] = -1 },
		"no domain": func(e *Experiment) { e.SigmaW2 = math.NaN() },
	} {
		e, _ := mapped(t)
		change(e)
		if _, err := planeOf(e, learningCurvesOf(e, rows), rows); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A map of a table from which the rows of input tokens were removed has no theory: its report and figure are
// errors.
func TestMapsWithoutInput(t *testing.T) {
	e, rows := mapped(t)
	s := &e.settings()[0]
	for left, good := range map[bool]bool{true: true, false: false} {
		var some []Row
		for _, row := range rows {
			if left || row.Layer != 0 {
				some = append(some, labelled(s, row))
			}
		}
		table := experimenttest.TableOf(t, e, some...)
		_, err := New().Draw(table)
		described := New().Describe(io.Discard, table)
		if (described == nil) != good || (err == nil) != good {
			t.Errorf("input there %v: %v, %v", left, described, err)
		}
	}
}

// If keys are tied to queries, the rows of queries are repeated in the matrix of PyTorch.
func TestTiedKeys(t *testing.T) {
	m := modelArrays{queries: true, byName: map[string]*network.Parameter{
		"attention.query.weight": {Rows: 1, Cols: 2, Value: []float64{1, 2}},
		"attention.value.weight": {Rows: 1, Cols: 2, Value: []float64{3, 4}},
	}}
	a, ok := m.fused("layers.0.", "weight")
	if !ok || !slices.Equal(a.Numbers, []float64{1, 2, 1, 2, 3, 4}) || !slices.Equal(a.Shape, []int{3, 2}) {
		t.Errorf("%+v, %v", a, ok)
	}
}

// A folder for models or for states that cannot be made ends the run.
func TestFoldersThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.Do(t, os.WriteFile(file, nil, 0o666))
	e := tiny()
	options := run.Options{Seed: 1, Models: filepath.Join(file, "models")}
	err := e.Run(t.Context(), options, data.NewTable(run.Schema(e, 1)))
	if err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("%v", err)
	}
}

// begun returns the checkpoint of a run that has made two steps, and its trainer's setting.
func begun(t *testing.T) (c *checkpoint, s *setting) {
	t.Helper()
	e := tiny()
	r := &runs{Experiment: e, settings: e.settings(), options: run.Options{Journal: journal{}, Seed: 1,
		Unfinished: t.TempDir()}}
	s, seed := r.of(0)
	trainer := must.Get(newTrainer(s, seed))(t)
	must.Do(t, errors.Join(trainer.Next(), trainer.Next()))
	c = r.checkpoint(0)
	must.Do(t, c.save(trainer, []float64{1}))
	return c, s
}

// A run begins anew if the file of its state has been removed. A file without a state, of other columns or of
// another network is an error that names the file.
func TestDamagedStates(t *testing.T) {
	c, s := begun(t)
	whole := must.Get(data.ReadFile(c.path))(t)
	without := func(key string) *data.Table {
		other := &data.Table{Schema: whole.Schema, Columns: whole.Columns}
		other.Schema.Metadata = slices.DeleteFunc(slices.Clone(whole.Schema.Metadata),
			func(entry data.Entry) bool { return entry.Key == key })
		return other
	}
	for name, table := range map[string]*data.Table{
		"whole": whole, keyState: without(keyState), "column": experimenttest.Without(whole, "part"),
		"short": whole.Slice(1, whole.Rows()),
	} {
		must.Do(t, data.WriteFile(c.path, table))
		trainer := must.Get(newTrainer(s, 1))(t)
		records, err := c.restore(trainer, nil)
		if name == "whole" {
			if err != nil || trainer.Step() != 2 || !slices.Equal(records, []float64{1}) {
				t.Errorf("step %d, %v, %v", trainer.Step(), records, err)
			}
			continue
		}
		want := map[string]string{keyState: keyState, "column": `no column "part"`}[name]
		if err == nil || !strings.HasPrefix(err.Error(), c.path+": ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must.Do(t, os.Remove(c.path))
	trainer := must.Get(newTrainer(s, 1))(t)
	records, err := c.restore(trainer, []float64{7})
	if err != nil || trainer.Step() != 0 || len(records) != 1 {
		t.Errorf("without its file: step %d, %v, %v", trainer.Step(), records, err)
	}
}

// Whichever operation on files fails when a state is saved, the error is that of the operation.
func TestEachOperationOfAState(t *testing.T) {
	c, s := begun(t)
	trainer := must.Get(newTrainer(s, 1))(t)
	must.Do(t, trainer.Next())
	defer durable.Inject(nil)
	refused, operations := errors.New("refused"), 0
	for at := 0; ; at++ {
		count := 0
		durable.Inject(func(string, string) error {
			if count++; count == at+1 {
				return refused
			}
			return nil
		})
		err := c.write(trainer, []float64{1})
		if count <= at {
			operations = at
			must.Do(t, err)
			break
		}
		if !errors.Is(err, refused) {
			t.Errorf("operation %d: %v", at, err)
		}
	}
	if operations < 4 {
		t.Errorf("%d operations", operations)
	}
}

// Parameters that no task or network has are errors that name the parameter.
func TestTasksThatDoNotExist(t *testing.T) {
	for name, change := range map[string]func(e *Experiment){
		"examples":   func(e *Experiment) { e.Task, e.Validation = heaviside, 0 },
		"vocabulary": func(e *Experiment) { e.Task, e.Vocabulary = masked, 1 },
		"tokens":     func(e *Experiment) { e.Task, e.Tokens = masked, 0 },
		"memory":     func(e *Experiment) { e.Task, e.Memory, e.Vocabulary = masked, 1000, 7 },
	} {
		e := tiny()
		change(e)
		_, err := e.task(0, source{})
		experimenttest.CheckRefused(t, err, name, "")
	}
	e := tiny()
	e.LearningRate, e.Overlap = nil, nil
	for k := range 1000 {
		e.LearningRate = append(e.LearningRate, float64(k+1)/1000)
		e.Overlap = append(e.Overlap, float64(k)/1000)
	}
	experimenttest.CheckRefused(t, e.Validate(), "learning-rate", "must be at most")
}
