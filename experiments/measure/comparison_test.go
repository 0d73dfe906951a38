package measure

import (
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// comparedTable returns an experiment on two files, and its table, with three layers of the first file and
// two of the second.
func comparedTable(t *testing.T) (*Experiment, *data.Table) {
	t.Helper()
	m := New()
	m.File, m.Compare = "runs/before.npy#sha256:aa", []string{"runs/after.npy#sha256:bb"}
	table := data.NewTable(run.Schema(m, 1))
	row := func(layer int, cosine, ninety, rank float64) []fullRow {
		return []fullRow{{0, LooseRow{Row: Row{Layer: int32(layer), Tokens: 6, Norm: 2, Overlap: cosine,
			StableRank: rank, Clusters: 6, Theory: math.NaN()}, Half: 1.5, Ninety: ninety, NinetyNine: 5.5}}}
	}
	for k, rows := range [][]fullRow{
		append(append(row(0, 0.1, 6, 4), row(1, 0.2, 5, 3.5)...), row(2, 0.5, 4, 3)...),
		append(row(0, 0.1, 6, 4), row(1, 0.875, 2, 1.25)...),
	} {
		must.Do(t, m.write(table, k, rows))
	}
	return m, table
}

// The report of two files shows their values side by side, with the change for layers that both have. It says
// in which file the tokens of the last common layer are more alike.
func TestReportOfSeveralFiles(t *testing.T) {
	m, table := comparedTable(t)
	var b strings.Builder
	must.Do(t, m.Describe(&b, table))
	for _, want := range []string{
		"runs/before.npy: 3 layers.\nruns/after.npy: 2 layers.\n",
		"\n  layer  before.npy   after.npy     change\n      0         0.1         0.1         +0\n" +
			"      1         0.2       0.875     +0.675\n      2         0.5           -          -\n",
		"\n      1           5           2         -3\n",
		"\n      1         3.5        1.25      -2.25\n",
		"before.npy, layer 2: mean cosine 0.5, a difference of 100 % of the tokens' length; cosines of " +
			"0.5, 0.9 and 0.99 connect 6 tokens to 1.5, 4 and 5.5 clusters.",
		"In layer 1 the tokens of after.npy are more alike than those of before.npy: their mean cosine is " +
			"0.875, not 0.2.",
		"the SHA-256 of what was read is bb.",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in:\n%s", want, b.String())
		}
	}
}

// Another program may have removed all rows of one file from the table. Then the report says that there are
// none, and does not take rows of the other file for it.
func TestFileWithoutRows(t *testing.T) {
	for k, missing := range []string{"runs/after.npy", "runs/before.npy"} {
		m, table := comparedTable(t)
		rows := [][2]int{{0, 3}, {3, 5}}[k]
		left := table.Slice(rows[0], rows[1])
		at := left.Schema.Index(fileColumn)
		columns := slices.Clone(left.Schema.Columns)
		columns[at].Labels = []string{columns[at].Labels[k]}
		left.Schema.Columns, left.Columns[at] = columns, make(data.Slice[int8], left.Rows())
		if err := m.Describe(io.Discard, left); !errors.Is(err, run.ErrNoRows) ||
			!strings.Contains(err.Error(), missing) {
			t.Errorf("without %s: %v", missing, err)
		}
	}
}

// Each file is a line in the plots of the figure; the change is shown for layers that both files have.
func TestFigureOfSeveralFiles(t *testing.T) {
	m, table := comparedTable(t)
	drawn := figuretest.Draw(t, m, table)
	first, second := figure.SeriesStroke(0, 1.6), figure.SeriesStroke(1, 1.6)
	cosine := figuretest.Read(t, drawn, 0, "Mean cosine of two tokens", "layer", "mean cosine")
	cosine.Has(figuretest.LineOf(first, 0, 0.1, 1, 0.2, 2, 0.5))
	cosine.Has(figuretest.LineOf(second, 0, 0.1, 1, 0.875))
	cosine.Range(cosine.Y, 0, 1.02)
	change := figuretest.Read(t, drawn, 1, "Change from before.npy", "layer", "change of the mean cosine")
	change.Has(figuretest.LineOf(second, 0, 0, 1, 0.675))
	change.Count(1)
	change.Range(change.X, 0, 2)
	clusters := figuretest.Read(t, drawn, 2, "Clusters by cosines of 0.9 or more", "layer", "")
	clusters.Has(figuretest.LineOf(second, 0, 6, 1, 2))
	clusters.Range(clusters.Y, 0, 6)
	ranks := figuretest.Read(t, drawn, 3, "Stable rank", "layer", "")
	ranks.Has(figuretest.LineOf(first, 0, 4, 1, 3.5, 2, 3))
	figuretest.Key(t, drawn.Key, drawn.Panels, "before.npy", "after.npy")
}

// The rows of several files are those of each file alone; their clusters by loose thresholds are those with
// --thresholds. The order of the rows in the table does not matter.
func TestSeveralFilesAreEachAlone(t *testing.T) {
	const first, second = "hidden/testdata/float32.npy", "hidden/testdata/float16.npy"
	tableOf := func(set func(m *Experiment)) *data.Table {
		m := New()
		set(m)
		return experimenttest.Table(t, m, run.Options{Seed: 1})
	}
	open := func(m *Experiment, name, text string) {
		for _, p := range m.Parameters() {
			if p.Name == name {
				must.Do(t, p.Set(text))
			}
		}
	}
	both := tableOf(func(m *Experiment) {
		open(m, "file", first)
		open(m, "compare", second)
	})
	for _, file := range []string{first, second} {
		got := must.Get(readRows(partOf(both, file)))(t)
		want := must.Get(readRows(tableOf(func(m *Experiment) {
			open(m, "file", file)
			m.Thresholds = true
		})))(t)
		if len(got) != 3 || len(want) != 3 {
			t.Fatalf("%s: %d layers, alone %d", file, len(got), len(want))
		}
		for k := range want {
			w, g := want[k], got[k]
			if w.Theory, g.Theory = 0, 0; w != g || !(g.Half <= g.Ninety && g.Ninety <= g.NinetyNine) {
				t.Errorf("%s: layer %d is %+v, alone %+v", file, k, g, w)
			}
		}
	}
}

// Clusters by thresholds of the cosine: three tokens at angles of 0, 20 and 50 degrees have cosines 0.9397,
// 0.8660 and 0.6428.
func TestLooseClusters(t *testing.T) {
	var x []float64
	for _, degrees := range []float64{0, 20, 50} {
		sin, cos := math.Sincos(degrees / 180 * math.Pi)
		x = append(x, 3*cos, 3*sin)
	}
	m := &meter{beta: 1, tolerance: 1e-3, loosely: true}
	s := must.Get(m.measure(x, 2, nil))(t)
	if s.Half != 1 || s.Ninety != 2 || s.NinetyNine != 3 || s.Clusters != 3 {
		t.Errorf("clusters %v, %v, %v and %v", s.Half, s.Ninety, s.NinetyNine, s.Clusters)
	}
}

// The caption names as many files as it has room for.
func TestCaptionNamesFiles(t *testing.T) {
	files := []layers{{name: "before.npy"}, {name: "checkpoint-of-a-model-with-a-long-name-12000.npy"}}
	if got, want := captionNames(files), "before.npy, checkpoint-o…e-12000.npy"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, more := range []string{"c", "d", "e", "f"} {
		files = append(files, layers{name: more})
	}
	const want = "before.npy, checkpoint-o…e-12000.npy, c, d and 2 more"
	if got := captionNames(files); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
