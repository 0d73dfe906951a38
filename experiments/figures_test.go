package experiments

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/attentionphase"
	"antipode/experiments/evolve"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/gradients"
	"antipode/experiments/hybrid"
	"antipode/experiments/overlap"
	"antipode/experiments/phase"
	"antipode/experiments/propagation"
	"antipode/experiments/rankcollapse"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/simulate"
	"antipode/experiments/stablerank"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere/must"

	"gonum.org/v1/plot/vg"
)

// variants returns experiments whose figures have another form than that of the small experiment.
func variants(t *testing.T) map[string]run.Experiment {
	states, overlaps, outcomes := simulate.New(), simulate.New(), simulate.New()
	states.Tokens, states.Save = 9, "states"
	overlaps.Save, overlaps.Trajectories = "overlaps", 30
	outcomes.Tokens = 3
	phase := phase.New()
	phase.Dim, phase.Beta, phase.Trajectories = []int{3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, []float64{1.5}, 20
	phase.Depth, phase.Horizon = 100, 1
	phase.Law, phase.Method = sde.Uniform, sde.Tokens // there is no exact law to draw, which would take long
	grid := overlap.New()
	grid.Dim, grid.Beta = []int{3, 4, 5, 6, 7, 8, 9}, []float64{0, 1, 2, 3}
	masses := overlap.New()
	masses.Masses, masses.Beta = [2]float64{1, 2}, []float64{0, 0.5, 1, 1.5, 2, 2.5, 3}
	evolve := evolve.New()
	evolve.Model, evolve.Tokens, evolve.Dim, evolve.Beta = []setting.Model{"transformer", "flow"}, 3,
		[]int{4, 5, 6, 7, 8, 9, 10}, []float64{0.5, 1, 2, 3}
	evolve.Trajectories, evolve.Depth, evolve.Horizon = 10, 10, 5
	ranks := stablerank.New()
	ranks.Tokens, ranks.Samples = []int{8, 16}, 2
	all := map[string]run.Experiment{"states": states, "overlaps": overlaps, "outcomes": outcomes,
		"phase": phase, "grid": grid,
		"masses": masses, "evolve": evolve, "stable-rank": ranks, "attention-phase": attentionphase.New()}
	networks := int64(2)
	loss := gradients.New()
	loss.Figure, loss.Networks = "3c", 2
	all["gradients 3c"] = loss
	for _, number := range []string{"7", "9", "11", "12", "13", "14"} {
		collapse := rankcollapse.New()
		collapse.Figure, collapse.Networks = number, &networks
		all["rank-collapse "+number] = collapse
	}
	attention := simulate.New()
	attention.Save, attention.Tokens, attention.Every, attention.Trajectories = "attention", 4, 5, 2
	all["simulate attention"] = attention
	for _, name := range []string{"attention", "states"} {
		maps, tokens := propagation.New(), int64(5)
		maps.Simulate, maps.Tokens, maps.Dim, maps.Layers = &networks, &tokens, 8, 4
		maps.Beta = []float64{0.5, 1, 2}
		setParameter(t, maps, "save", name)
		all["propagation "+name] = maps
	}
	for name, flags := range map[string]string{ // options that matter only in combination
		"overlap noises": "beta=1,2 epsilon=1,1.3 depth=none horizon=none",
		"overlap block": "beta=1,2 depth=none horizon=none mlp=tanh:0.5:2 attention=unnormalized " +
			"boundary=true",
		"simulate hybrid": "model=hybrid epsilon=1.2 save=outcomes start=uniform horizon=6",
		"simulate grid":   "beta=0.5,2 tokens=3,4 save=outcomes start=uniform horizon=4",
		"simulate lines":  "save=overlaps start=uniform tokens=2 horizon=4",
	} {
		command, _, _ := strings.Cut(name, " ")
		all[name] = flagged(t, command, flags)
	}
	return all
}

// flagged returns an experiment at its small size with flags set as on a command line.
func flagged(t *testing.T, experiment, flags string) run.Experiment {
	t.Helper()
	e := smallOf(t, experiment)
	for _, flag := range strings.Fields(flags) {
		name, value, _ := strings.Cut(flag, "=")
		if err := find(t, e, name).Set(value); err != nil {
			t.Fatalf("%s %s: %v", experiment, flag, err)
		}
	}
	return e
}

// recordings, variantFigures and variantTables are the recorded figures, the figures and the tables of
// variants, by name. They are computed once and shared by all tests.
var (
	recordings     = map[string]*figuretest.Recording{}
	variantFigures = map[string]*figure.Figure{}
	variantTables  = map[string]*data.Table{}
)

// variantTable returns the table of a run, which is computed once under each name.
func variantTable(t *testing.T, name string, e run.Experiment) *data.Table {
	t.Helper()
	if variantTables[name] == nil {
		variantTables[name] = experimenttest.Table(t, e, run.Options{Seed: 1})
	}
	return variantTables[name]
}

// variantFigure returns the figure of a run, which is drawn once under each name.
func variantFigure(t *testing.T, name string, e run.Experiment) *figure.Figure {
	t.Helper()
	if variantFigures[name] == nil {
		variantFigures[name] = must.Get(e.Draw(variantTable(t, name, e)))(t)
	}
	return variantFigures[name]
}

func recorded(t *testing.T, name string, e run.Experiment) *figuretest.Recording {
	t.Helper()
	if recordings[name] == nil {
		recordings[name] = figuretest.Figure(variantFigure(t, name, e))
	}
	return recordings[name]
}

// smallTables, smallFiles and smallFigures are the tables, files and figures of the small experiments, by
// name. smallStates are the last states of the runs' progress, smallNeeds what the runs said that they would
// need, and smallKept the bytes of finished work that their journals got. They are computed once and shared
// by all tests.
var (
	smallTables  = map[string]*data.Table{}
	smallFiles   = map[string][]byte{}
	smallFigures = map[string]*figure.Figure{}
	smallStates  = map[string]run.State{}
	smallNeeds   = map[string]run.Needs{}
	smallKept    = map[string]float64{}
)

// smallTable returns the table of an experiment at its small size, computed by two workers.
func smallTable(t *testing.T, name string) *data.Table {
	t.Helper()
	if smallTables[name] == nil {
		kept := &counted{}
		smallTables[name] = experimenttest.Table(t, smallOf(t, name), run.Options{
			Seed: 1, Workers: 2, Journal: kept, Progress: func(s run.State) { smallStates[name] = s },
			Preflight: func(n run.Needs) error {
				all := smallNeeds[name]
				all.Rows, all.Cells, all.Layers = all.Rows+n.Rows, all.Cells+n.Cells, all.Layers+n.Layers
				all.Kept += n.Kept
				smallNeeds[name] = all
				return nil
			},
		})
		smallKept[name] = float64(kept.bytes)
	}
	return smallTables[name]
}

// quickTable returns the table of an experiment at the size of quick, computed by two workers.
func quickTable(t *testing.T, name string) *data.Table {
	t.Helper()
	if !quicker[name] {
		return smallTable(t, name)
	}
	e := must.Get(ByName(name))(t)
	quick(e)
	return experimenttest.Table(t, e, run.Options{Seed: 1, Workers: 2})
}

// smallFile returns the bytes of the file that an experiment at its small size writes, computed by one
// worker. Where that takes long, the file is written from the table of two workers.
func smallFile(t *testing.T, name string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.arrow")
	switch {
	case smallFiles[name] != nil:
	case quicker[name]:
		must.Do(t, data.WriteFile(path, smallTable(t, name)))
		smallFiles[name] = must.Get(os.ReadFile(path))(t)
	default:
		e := smallOf(t, name)
		smallFiles[name] = writeRun(t, path, e, run.Schema(e, 1), run.Options{Seed: 1, Workers: 1})
	}
	return smallFiles[name]
}

// quickFile returns the bytes of the file that an experiment at the size of quick writes, computed by one
// worker.
func quickFile(t *testing.T, name string) []byte {
	t.Helper()
	if !quicker[name] {
		return smallFile(t, name)
	}
	e := must.Get(ByName(name))(t)
	quick(e)
	return writeRun(t, filepath.Join(t.TempDir(), "t.arrow"), e, run.Schema(e, 1),
		run.Options{Seed: 1, Workers: 1})
}

// smallFigure returns the figure of an experiment at its small size. The figure of phase is without the lines
// of the exact law, which take long.
func smallFigure(t *testing.T, name string) *figure.Figure {
	t.Helper()
	if smallFigures[name] == nil {
		table := *smallTable(t, name)
		if name == "phase" && !longtest.Enabled {
			soonDrawn(&table)
		}
		drawn, err := smallOf(t, name).Draw(&table)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		smallFigures[name] = drawn
	}
	return smallFigures[name]
}

// The report on each table, and the contents of each figure, for small experiments and variants, are those in
// golden files.
func TestReportsAndFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("tests of each experiment draw too")
	}
	describe := func(name string, e run.Experiment, table *data.Table, drawn *figure.Figure) {
		checkText(t, "figures/"+strings.ReplaceAll(name, " ", "-"), described(t, e, table, drawn))
	}
	for name, e := range variants(t) {
		describe(name, e, variantTable(t, name, e), variantFigure(t, name, e))
	}
	for _, e := range All() {
		var drawn *figure.Figure
		if e.Name() == "phase" && !longtest.Enabled { // reports and figures of smaller runs are recorded too
			continue
		}
		if e.Name() != "verify" { // it has no figure
			drawn = smallFigure(t, e.Name())
		}
		describe("small "+e.Name(), smallOf(t, e.Name()), smallTable(t, e.Name()), drawn)
	}
}

// described returns the report of an experiment on its table, followed by the contents of the figure, if
// there is one.
func described(t *testing.T, e run.Experiment, table *data.Table, drawn *figure.Figure) string {
	t.Helper()
	var text strings.Builder
	must.Do(t, e.Describe(&text, table))
	if drawn != nil {
		text.WriteString(figuretest.Described(drawn, 60, 12))
	}
	return text.String()
}

// checkText compares a text, line by line, with the one in a file of testdata.
func checkText(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name)+".txt")
	if *update {
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	}
	want := strings.SplitAfter(string(must.Get(os.ReadFile(path))(t)), "\n")
	got := strings.SplitAfter(text, "\n")
	for k, line := range got {
		if k >= len(want) || line != want[k] && !sameLine(line, want[k]) {
			t.Errorf("%s:%d has not: %s", path, k+1, line)
			return
		}
	}
	if len(got) < len(want) {
		t.Errorf("%s:%d is not there", path, len(got)+1)
	}
}

var colour = regexp.MustCompile(`#[0-9a-f]{8}`)

// sameLine compares two lines. Numbers may differ after six digits, and each byte of a colour by 1, as they
// are rounded differently on another architecture.
func sameLine(line, want string) bool {
	a, b := colour.FindAllString(line, -1), colour.FindAllString(want, -1)
	near := slices.EqualFunc(a, b, func(x, y string) bool {
		for k := 1; k < len(x); k += 2 {
			i, _ := strconv.ParseInt(x[k:k+2], 16, 0)
			j, _ := strconv.ParseInt(y[k:k+2], 16, 0)
			if i-j > 1 || j-i > 1 {
				return false
			}
		}
		return true
	})
	return near && sameNumbers(colour.ReplaceAllString(line, ""), colour.ReplaceAllString(want, ""), 6)
}

// No figure is wider than a page, no text in it is cut off, and no two texts overlap.
func TestFiguresAreReadable(t *testing.T) {
	if testing.Short() {
		t.Skip("tests of each experiment draw too")
	}
	all := map[string]*figuretest.Recording{}
	for name, e := range variants(t) {
		all[name] = recorded(t, name, e)
	}
	for _, e := range All() {
		if e.Name() != "verify" { // it has none
			all["small "+e.Name()] = figuretest.Figure(smallFigure(t, e.Name()))
		}
	}
	for name, r := range all {
		if r.Width > 880 {
			t.Errorf("%s: %v points wide", name, r.Width)
		}
		for k, text := range r.Texts {
			p := text.Place
			if p.Min.X < -0.5 || p.Min.Y < -0.5 || p.Max.X > r.Width+0.5 || p.Max.Y > r.Height+0.5 {
				t.Errorf("%s: %q is cut off: %v of %v × %v", name, text.Value, p, r.Width, r.Height)
			}
			for _, other := range r.Texts[:k] {
				if overlapping(p, other.Place) {
					t.Errorf("%s: %q is written over %q", name, text.Value, other.Value)
				}
			}
		}
	}
}

// A table in which another program left only some of the rows has a figure and a report, or an error that
// says what is missing. Tried are the last row alone, and a random half of the rows with a fixed seed.
func TestFilteredTables(t *testing.T) {
	longtest.Only(t)
	random := rand.New(rand.NewPCG(1, 2))
	tables := map[string]*data.Table{}
	for _, e := range All() {
		if e.Name() != "verify" { // it has no figure
			soon := *smallTable(t, e.Name())
			soonDrawn(&soon)
			tables[e.Name()] = &soon
		}
	}
	for name, e := range variants(t) {
		if strings.Contains(name, "attention") || strings.Contains(name, "states") {
			tables[name] = variantTable(t, name, e)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		table := tables[name]
		command, _ := table.Schema.Value(data.KeyCommand)
		e := must.Get(ByName(command))(t)
		some := data.NewTable(table.Schema)
		for row := range table.Rows() {
			if random.IntN(2) == 0 {
				must.Do(t, some.Write(table.Slice(row, row+1).Columns...))
			}
		}
		for what, left := range map[string]*data.Table{
			"last row": table.Slice(table.Rows()-1, table.Rows()), "some rows": some,
		} {
			drawn, err := e.Draw(left)
			if err == nil {
				figuretest.Figure(drawn)
			} else if strings.Contains(err.Error(), "plotter:") {
				t.Errorf("%s, %s: %v", name, what, err)
			}
			var text strings.Builder
			if e.Describe(&text, left) == nil && strings.Contains(text.String(), "NaN") {
				t.Errorf("%s, %s: %s", name, what, &text)
			}
		}
	}
}

// overlapping reports whether two rectangles overlap by more than a point in both directions.
func overlapping(a, b vg.Rectangle) bool {
	const touch = 1
	return min(a.Max.X, b.Max.X)-max(a.Min.X, b.Min.X) > touch &&
		min(a.Max.Y, b.Max.Y)-max(a.Min.Y, b.Min.Y) > touch
}

// Captions name what is not drawn, and keys name the series.
func TestFiguresNameTheirSeries(t *testing.T) {
	longtest.Only(t)
	all := variants(t)
	hybrid := hybrid.New()
	hybrid.Trajectories, hybrid.Epsilon, hybrid.Horizon = 2, []float64{0, 1, 1.5}, 5
	hybrid.Law = sde.Gaussian // its exact law takes little time
	all["hybrid"] = hybrid
	for name, want := range map[string][]string{
		"phase":    {"not drawn: d = 5, 7, 9, 11", "d = 12", "boundary cosh 2β = d-2"},
		"hybrid":   {"(on the right) = 0.25, 0.5, 1, 1.25, 1.5", "β = 1.75"},
		"evolve":   {"not drawn: β = 2", "not drawn: d = 9", "d = 10, flow"},
		"overlaps": {"trajectory 0", "trajectory 5"},
		"states":   {"time"},
		"grid":     {"d = 3", "not drawn: d = 8"},
	} {
		text := strings.Join(recorded(t, name, all[name]).Strings(), "\n")
		for _, part := range want {
			if !strings.Contains(strings.ReplaceAll(text, "\n", " "), part) {
				t.Errorf("%s: no %q in\n%s", name, part, text)
			}
		}
	}
	if text := strings.Join(recorded(t, "grid", all["grid"]).Strings(), "\n"); strings.Contains(text,
		"β = ") {
		t.Errorf("pairs of d and β of a grid that nobody asked for:\n%s", text)
	}
}
