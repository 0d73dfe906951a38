package experiments

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// A table in which another program has reordered the rows and renumbered the labels has the same report and
// figure as the table as it was written. So do tables for lists of parameters that are not ascending.
func TestShuffledTables(t *testing.T) {
	longtest.Only(t)
	random := rand.New(rand.NewPCG(3, 4))
	all := map[string]*data.Table{}
	for _, e := range All() {
		table := smallTable(t, e.Name())
		if slices.Contains([]string{"verify", "phase", "hybrid", "stability"}, e.Name()) {
			// verify has no figure; those of the others are drawn faster for other parameters or fewer rows
			soon := *table
			soonDrawn(&soon)
			all[e.Name()] = &soon
			continue
		}
		want := display{report(t, e, table), svgOf(t, smallFigure(t, e.Name()))}
		want.compare(t, e.Name(), shuffled(t, table, random))
	}
	for name, e := range variants(t) {
		if name != "phase" && name != "grid" { // their small tables are faster
			all[name] = variantTable(t, name, e)
		}
	}
	for name, e := range descending(t) {
		all[name+" descending"] = variantTable(t, name+" descending", e)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		displayed(t, all[name]).compare(t, name, shuffled(t, all[name], random))
	}
}

// descending returns experiments with lists of parameters that are not ascending, whose order is kept in
// reports and figures.
func descending(t *testing.T) map[string]run.Experiment {
	all := map[string]run.Experiment{}
	for name, lists := range map[string]map[string]string{
		"evolve": {"model": "hybrid,transformer", "dim": "5,2"},
		"simulate": {"save": "outcomes", "start": "uniform", "beta": "2,0.5", "epsilon": "1.5,0.5",
			"model": "hybrid", "every": "1"},
		"propagation": {"block": "pre-norm,gain-post-norm", "weight-beta": "2,0.5"},
		"stability":   {"masses": "3,1/1,2", "dim": "4", "beta": "1"},
		"stable-rank": {"attention": "relu,markov", "gap": "remove,keep"},
		"weak":        {"depth": "64,8,32,16"},
		"train":       {"norm": "pre-norm,post-norm"},
	} {
		all[name] = smallOf(t, name)
		for parameter, text := range lists {
			setParameter(t, all[name], parameter, text)
		}
	}
	return all
}

// shuffled returns a table with the same rows in random order, and with other codes for the labels.
func shuffled(t *testing.T, table *data.Table, random *rand.Rand) *data.Table {
	t.Helper()
	schema := table.Schema
	schema.Columns = slices.Clone(schema.Columns)
	for k := range schema.Columns {
		schema.Columns[k].Labels = slices.Clone(schema.Columns[k].Labels)
		slices.Reverse(schema.Columns[k].Labels)
	}
	other := data.NewTable(schema)
	for _, row := range random.Perm(table.Rows()) {
		values := table.Slice(row, row+1).Columns
		for k, column := range schema.Columns {
			if codes, isLabel := values[k].(data.Slice[int8]); isLabel {
				values[k] = data.Slice[int8]{int8(len(column.Labels)-1) - codes[0]}
			}
		}
		must.Do(t, other.Write(values...))
	}
	return other
}

// display is what a user sees of a table.
type display struct {
	report string
	figure []byte // SVG; nil if there is none
}

func displayed(t *testing.T, table *data.Table) display {
	t.Helper()
	name, _ := table.Schema.Value(data.KeyCommand)
	e := must.Get(ByName(name))(t)
	d := display{report: report(t, e, table)}
	drawn, err := e.Draw(table)
	if errors.Is(err, figure.ErrNone) {
		return d
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	d.figure = svgOf(t, drawn)
	return d
}

// compare checks that a user sees the same of another table.
func (d display) compare(t *testing.T, name string, table *data.Table) {
	t.Helper()
	got := displayed(t, table)
	if got.report != d.report {
		t.Errorf("%s: the report is\n%.400s\nnot\n%.400s", name, got.report, d.report)
	}
	if !bytes.Equal(got.figure, d.figure) {
		t.Errorf("%s: another figure", name)
	}
}

func report(t *testing.T, e run.Experiment, table *data.Table) string {
	t.Helper()
	var text strings.Builder
	if err := e.Describe(&text, table); err != nil {
		t.Errorf("%s: %v", e.Name(), err)
	}
	if e, writes := e.(interface {
		WriteJSON(w io.Writer, table *data.Table) error
	}); writes {
		if err := e.WriteJSON(&text, table); err != nil {
			t.Error(err)
		}
	}
	return text.String()
}

func svgOf(t *testing.T, f *figure.Figure) []byte {
	t.Helper()
	var svg bytes.Buffer
	if err := f.WriteSVG(&svg); err != nil {
		t.Error(err)
	}
	return svg.Bytes()
}
