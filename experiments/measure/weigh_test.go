package measure

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/measure/inference"
	"antipode/experiments/measure/weights"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

const modelFile = "weights/testdata/model.safetensors"

// weighed returns the experiment on the weights in testdata, and the numbers of its layers and dimensions.
func weighed(t *testing.T, states string) (m *Experiment, layers, dim int) {
	t.Helper()
	model := must.Get(weights.Open(modelFile, nil, 0))(t)
	defer model.Close()
	m = New()
	m.File, m.Weights = states, modelFile
	return m, model.Layers, model.Dim
}

// weighedRows returns the rows of layers in the table of a run.
func weighedRows(t *testing.T, m *Experiment) (rows []weights.Row) {
	t.Helper()
	table := experimenttest.Table(t, m, run.Options{Seed: 1})
	for _, r := range must.Get(data.RowsOf[weights.Row](table))(t) {
		if math.IsNaN(r.Head) {
			rows = append(rows, r)
		}
	}
	return rows
}

// Without hidden states there is no overlap; the tokens of ones have overlap 1 in every layer and in theory,
// and hidden states without a token leave the theory as it is without a file.
func TestWeightsBesideStates(t *testing.T) {
	m, layers, dim := weighed(t, none)
	alone := weighedRows(t, m)
	ones := statesFile(t, layers+1, 6, 5, dim)
	m.File = ones
	beside := weighedRows(t, m)
	content := must.Get(os.ReadFile(ones))(t)
	clear(content[128:])
	m.File = filepath.Join(t.TempDir(), "zeros.npy")
	must.Do(t, os.WriteFile(m.File, content, 0o666))
	empty := weighedRows(t, m)
	clear(content[128:])
	// no token in the first sequence, one in the second, and all in the other four
	copy(content[128+2*(5+4)*dim:], must.Get(os.ReadFile(ones))(t)[128:][:2*(1+4*5)*dim])
	must.Do(t, os.WriteFile(m.File, content, 0o666))
	sources := must.Get(m.open(run.Options{Workers: 1}))(t)
	defer closeAll(sources)
	got := must.Get(inputs(&sources[0]))(t)
	if len(got) != 4 {
		t.Errorf("%d of the four sequences with two tokens or more", len(got))
	}
	for k, s := range got {
		if len(s.Squares) != 5 {
			t.Errorf("sequence %d has %d tokens, want 5", k+2, len(s.Squares))
		}
	}
	if len(alone) != layers+1 || len(beside) != layers+1 || len(empty) != layers+1 {
		t.Fatalf("%d, %d and %d rows, want %d", len(alone), len(beside), len(empty), layers+1)
	}
	for k := range alone {
		if !math.IsNaN(alone[k].Overlap) || !math.IsNaN(empty[k].Overlap) ||
			!(math.Abs(beside[k].Overlap-1) <= 1e-9) {
			t.Errorf("layer %d: overlaps %v, %v and %v", k, alone[k].Overlap, empty[k].Overlap,
				beside[k].Overlap)
		}
		if empty[k].Theory != alone[k].Theory || alone[k].Theory == 1 ||
			k == 0 && !(math.Abs(beside[0].Theory-1) <= 1e-9) {
			t.Errorf("layer %d: theory %v, %v and %v", k, alone[k].Theory, empty[k].Theory,
				beside[k].Theory)
		}
	}
}

// Weights that do not fit the hidden states, or that cannot be read, are refused by the parameter's name, and
// an error of the table ends the run.
func TestWeightsThatAreRefused(t *testing.T) {
	_, layers, dim := weighed(t, none)
	broken := func(path string, at int) string { // at counts from the end, if below 0
		content := bytes.Clone(must.Get(os.ReadFile(path))(t))
		if at < 0 {
			at += len(content)
		}
		copy(content[at:], bytes.Repeat([]byte{0xFF}, 8)) // NaN in every format of numbers
		other := filepath.Join(t.TempDir(), "broken"+filepath.Ext(path))
		must.Do(t, os.WriteFile(other, content, 0o666))
		return other
	}
	sound := statesFile(t, layers+1, 2, 3, dim)
	missing := filepath.Join(t.TempDir(), "missing.safetensors")
	wrong := "#sha256:" + strings.Repeat("1", 64)
	for _, c := range []struct {
		states, weights, names string
		workers                int
		name, problem          string
	}{
		{statesFile(t, layers+1, 2, 3, dim+1), modelFile, "", 1, weightsParameter,
			"as the hidden states are"},
		{statesFile(t, layers, 2, 3, dim), modelFile, "", 1, weightsParameter,
			"one less than the hidden states"},
		{broken(sound, 128), modelFile, "", 1, fileParameter, "token 0 is not finite"},
		{none, broken(modelFile, -8), "", 1, weightsParameter, "not finite"},
		{none, broken(modelFile, 0), "", 1, weightsParameter, "its header"},
		{none, missing, "", 1, weightsParameter, "no such file"},
		{none, modelFile + wrong, "", 1, weightsParameter, "have changed"},
		{none, modelFile, "names.json", 1, "names", "no such file"},
		{none, modelFile, "weights/testdata/names.json" + wrong, 1, "names", "have changed"},
		{none, modelFile, "", 1 << 40, weightsParameter, "GiB"},
		{statesFile(t, layers+1, 2, 3, dim) + wrong, modelFile, "", 1, fileParameter, "have changed"},
	} {
		m := New()
		m.File, m.Weights, m.Names = c.states, c.weights, c.names
		err := m.Run(t.Context(), run.Options{Seed: 1, Workers: c.workers}, data.NewTable(run.Schema(m, 1)))
		experimenttest.CheckRefused(t, err, c.name, c.problem)
	}
	m, _, _ := weighed(t, none)
	for after := range 3 {
		writes := 0
		err := m.Run(t.Context(), run.Options{Seed: 1, Workers: 1}, data.SinkFunc(func(...data.Values) error {
			if writes++; writes > after {
				return experimenttest.ErrNoRoom
			}
			return nil
		}))
		if !errors.Is(err, experimenttest.ErrNoRoom) || writes != after+1 {
			t.Errorf("after %d writes: %v, %d writes", after, err, writes)
		}
	}
	m.Weights = ""
	if err := (weightsValue{m}).Set(broken(modelFile, 0)); err == nil || m.Weights != "" {
		t.Errorf("a broken file of weights: %v, %s", err, m.Weights)
	}
	if err := (namesValue{m}).Set("weights/testdata/names.json" + wrong); err == nil || m.Names != "" {
		t.Errorf("names of another checksum: %v, %s", err, m.Names)
	}
}

// The stable rank of tokens in orthogonal directions follows from their squared lengths, also if no largest
// eigenvalue is certain: by directions 4, 4, 4 and 1 it is 49/16, and by 8, 8, 8 and 4 it is 3.25.
func TestStableRankOfOrthogonalTokens(t *testing.T) {
	for _, c := range []struct {
		d       int
		tokens  [][2]float64 // direction and length
		squares float64
	}{
		{5, [][2]float64{{0, 2}, {1, 2}, {2, -2}, {3, 1}}, 49. / 16},
		{4, [][2]float64{{0, 2}, {0, 2}, {1, 2}, {1, -2}, {2, 2}, {2, 2}, {3, 2}}, 3.25},
	} {
		x := make([]float64, len(c.tokens)*c.d)
		for i, token := range c.tokens {
			x[i*c.d+int(token[0])] = token[1]
		}
		m := &meter{beta: 1, tolerance: 1e-3}
		if s, err := m.measure(x, c.d, nil); err != nil || !(math.Abs(s.StableRank-c.squares) <= 1e-12) {
			t.Errorf("%d tokens, d = %d: %v, want %v, %v", len(c.tokens), c.d, s.StableRank, c.squares, err)
		}
	}
}

// The stable rank of many tokens without a common direction, whose largest eigenvalue many steps do not make
// certain, is that of the singular values.
func TestStableRankOfManyTokens(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for _, d := range []int{70, 50} {
		const tokens = 60
		x := make([]float64, tokens*d)
		for k := range x {
			x[k] = random.NormFloat64()
		}
		want := byDefinition(x, d, slices.Repeat([]bool{true}, tokens), 1, 1e-3)[10]
		s, err := (&meter{beta: 1, tolerance: 1e-3}).measure(x, d, nil)
		if err != nil || !(math.Abs(s.StableRank-want) <= 1e-9*want) {
			t.Errorf("d = %d: %v, want %v, %v", d, s.StableRank, want, err)
		}
	}
}

// Files of equal names are named by their paths, a file with one token has nothing to compare, and the change
// of the last layer may be a loss.
func TestComparisonOfOtherFiles(t *testing.T) {
	if got := shortNames([]string{"a/x.npy", "b/x.npy"}); !slices.Equal(got, []string{"a/x.npy", "b/x.npy"}) {
		t.Errorf("%q", got)
	}
	row := func(overlap float64) layers {
		return layers{"x", []LooseRow{{Row: Row{Layer: 3, Tokens: 1, Overlap: overlap}}}}
	}
	if text := row(math.NaN()).inWords(); text != "x has fewer than two tokens to compare in layer 3.\n" {
		t.Error(text)
	}
	for _, c := range []struct {
		first, second float64
		want          string
	}{{0.5, 0.25, " are less alike than "}, {0.5, 0.5, " are as much alike as "},
		{0.5, 0.75, " are more alike than "}, {0.5, math.NaN(), ""}, {math.NaN(), 0.5, ""}} {
		text := lastChange([]layers{row(c.first), row(c.second)})
		if !strings.Contains(text, c.want) || (text == "") != (c.want == "") {
			t.Errorf("from %v to %v: %s", c.first, c.second, text)
		}
	}
}

// The report and the figure of a damaged table are errors that say what is wrong.
func TestDamagedTables(t *testing.T) {
	several, compared := comparedTable(t)
	learned := New()
	learned.File, learned.Weights = none, "weights.npz"
	whole := experimenttest.TableOf(t, learned, learnedRows()...)
	heads := slices.DeleteFunc(learnedRows(), func(r weights.Row) bool { return math.IsNaN(r.Head) })
	inferred := New()
	inferred.File, inferred.Infer = "hidden.npy", ensemble
	one := experimenttest.TableOf(t, inferred, InferenceRow{Quantity: "beta", Value: 1})
	for k, c := range []struct {
		table *data.Table
		want  string
	}{
		{experimenttest.Without(compared, "tokens"), `no column "tokens"`},
		{experimenttest.WithParameters(t, compared, `"beta":1`, `"beta":-1`), "beta"},
		{experimenttest.Without(whole, "dim"), `no column "dim"`},
		{experimenttest.WithParameters(t, one, `"ensemble"`, `"x"`), "infer"},
	} {
		err := New().Describe(io.Discard, c.table)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d: report %v, want %s", k, err, c.want)
		}
		if _, err := New().Draw(c.table); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d: figure %v, want %s", k, err, c.want)
		}
	}
	err := learned.Describe(io.Discard, experimenttest.TableOf(t, learned, heads...))
	if err == nil || err.Error() != "weights.npz: the table has no row of a whole layer" {
		t.Errorf("heads alone: %v", err)
	}
	experimenttest.CheckNoRoom(t, "several files", several, compared)
	plain := New()
	plain.File = "hidden.npy"
	var rows []Row
	for k := range 12 {
		rows = append(rows, Row{Layer: int32(k), Tokens: 4, Overlap: 0.5})
	}
	table := experimenttest.TableOf(t, plain, rows...)
	var text strings.Builder
	must.Do(t, plain.Describe(&text, table))
	for room := 0; room < text.Len(); room += 50 {
		left := experimenttest.Room(room)
		if err := plain.Describe(&left, table); !errors.Is(err, experimenttest.ErrNoRoom) {
			t.Errorf("in room for %d bytes: %v", room, err)
		}
	}
}

// An overlap below -0.1 in one of several files shows the whole range of cosines.
func TestFigureOfOppositeTokensInSeveralFiles(t *testing.T) {
	for overlap, low := range map[float64]float64{-0.2: -1, -0.1: -0.1, 0.5: 0} {
		m, table := comparedTable(t)
		at := slices.Clone(table.Columns[table.Schema.Index("overlap")].(data.Slice[float64]))
		at[3] = overlap
		drawn := must.Get(m.Draw(experimenttest.WithColumn(table, "overlap", at)))(t)
		if y := drawn.Panels[0].Plot.Y; y.Low != low || y.High != 1.02 {
			t.Errorf("overlap %v: axis from %v to %v, want %v", overlap, y.Low, y.High, low)
		}
	}
}

// A file that shrinks while it is read, a context that has ended, and layers with other numbers of tokens end
// the measurement.
func TestStatesThatCannotBeReadToTheEnd(t *testing.T) {
	m := New()
	m.File = statesFile(t, 2, 1, 3, 4)
	sources := must.Get(m.open(run.Options{Workers: 1}))(t)
	defer closeAll(sources)
	infer := func(ctx context.Context) error {
		return m.transitions(ctx, &sources[0], &inference.Data{Dim: 4})
	}
	must.Do(t, infer(t.Context()))
	negative := -1.
	for name, w := range map[string]*float64{"x": nil, "tanh": &negative} {
		m.InferMLP, m.InferW = name, w
		_, err := m.infer(t.Context(), &sources[0], 1)
		if err == nil || strings.Contains(err.Error(), "few") {
			t.Errorf("an MLP %s: %v", name, err)
		}
	}
	m.InferMLP, m.InferW = "", nil
	ended, end := context.WithCancel(t.Context())
	end()
	if err := infer(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := m.infer(ended, &sources[0], 1); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	content := must.Get(os.ReadFile(m.File))(t)
	clear(content[128+2*3*4 : 128+2*3*4+2*4]) // the first token of layer 1
	must.Do(t, os.WriteFile(m.File, content, 0o666))
	experimenttest.CheckRefused(t, infer(t.Context()), fileParameter,
		"layer 1, sequence 0: has 2 tokens, and 3 in the layer before; must be the same")
	must.Do(t, os.Truncate(m.File, 130))
	if err := infer(t.Context()); err == nil {
		t.Error("the end of the file is missing")
	}
	if _, err := m.worker(sources)(t.Context(), 1); err == nil {
		t.Error("the end of the file is missing where it is measured")
	}
	if _, err := inputs(&sources[0]); err == nil {
		t.Error("the end of the file is missing where the theory starts")
	}
	m.File, m.Infer = filepath.Join(t.TempDir(), "missing.npy"), ensemble
	err := m.Run(t.Context(), run.Options{Seed: 1}, data.NewTable(run.Schema(m, 1)))
	experimenttest.CheckRefused(t, err, fileParameter, "no such file")
}

// A block outside the domain of the theory, and tokens whose overlap it does not have, end a run with an
// error of the block.
func TestTheoriesThatFail(t *testing.T) {
	for name, change := range map[string]func(m *Experiment){
		"a block":   func(m *Experiment) { m.AlphaSA = math.NaN() },
		"opposite":  func(m *Experiment) { m.File = oppositeStates(t) },
		"vanishing": func(m *Experiment) { m.AlphaSA, m.SigmaV2 = 0, 0 },
	} {
		m := New()
		m.File, m.Block = statesFile(t, 3, 1, 3, 4), "post-norm"
		change(m)
		sources := must.Get(m.open(run.Options{Workers: 1}))(t)
		table := data.NewTable(data.Schema{Columns: m.Columns()})
		w := &layerWriter{experiment: m, table: table, sources: sources}
		var err error
		for piece := 0; err == nil && piece < 3; piece++ {
			err = w.take(piece, must.Get(m.worker(sources)(t.Context(), piece))(t))
		}
		closeAll(sources)
		problem := ""
		if name == "opposite" {
			problem = "the mean overlap of layer 0 is -1; must be from 0 to 1 for the theory"
		}
		experimenttest.CheckRefused(t, err, "block", problem)
	}
}

// oppositeStates returns a file of two opposite tokens in three layers.
func oppositeStates(t *testing.T) string {
	t.Helper()
	path := statesFile(t, 3, 1, 2, 2)
	content := must.Get(os.ReadFile(path))(t)
	for k := range 3 {
		for c := range 2 {
			content[128+8*k+2*c+1] |= 0x80 // the sign of a float16
		}
	}
	must.Do(t, os.WriteFile(path, content, 0o666))
	return path
}

// The index of shards that is not there has no checksum, and a name in a list of files must have an ending of
// hidden states.
func TestNamesInLists(t *testing.T) {
	if _, err := checksum(filepath.Join(t.TempDir(), "model.safetensors.index.json"), ""); err == nil {
		t.Error("no index, and a checksum")
	}
	m := New()
	m.File = "a.npy"
	for name, good := range map[string]bool{"b.npy": true, "b.txt": false, "a.npy": false} {
		m.Compare = []string{name}
		if err := (filesValue{m}).Check(); (err == nil) != good {
			t.Errorf("%s: %v", name, err)
		}
	}
}
