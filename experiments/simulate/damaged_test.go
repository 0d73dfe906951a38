package simulate

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/sphere"
	"antipode/sphere/must"
)

// without returns a change that leaves out a column.
func without(name string) func(*testing.T, *data.Table) *data.Table {
	return func(_ *testing.T, table *data.Table) *data.Table { return experimenttest.Without(table, name) }
}

// of returns a change of the parameters.
func of(text, by string) func(*testing.T, *data.Table) *data.Table {
	return func(t *testing.T, table *data.Table) *data.Table {
		return experimenttest.WithParameters(t, table, text, by)
	}
}

// numbered returns a change of all values of a column to a whole number.
func numbered(name string, number int32) func(*testing.T, *data.Table) *data.Table {
	return func(_ *testing.T, table *data.Table) *data.Table {
		numbers := slices.Repeat(data.Slice[int32]{number}, table.Rows())
		return experimenttest.WithColumn(table, name, numbers)
	}
}

// labelled returns a change of the labels and of the code of the outcome in row 2.
func labelled(labels []string, code int8) func(*testing.T, *data.Table) *data.Table {
	return func(_ *testing.T, table *data.Table) *data.Table {
		at := table.Schema.Index("outcome")
		codes := slices.Clone(table.Columns[at].(data.Slice[int8]))
		codes[2] = code
		other := experimenttest.WithColumn(table, "outcome", codes)
		other.Schema.Columns = slices.Clone(table.Schema.Columns)
		other.Schema.Columns[at].Labels = labels
		return other
	}
}

// damages are changes of tables, with the error of the report, and that of the figure if it is another.
var damages = []struct {
	save          string
	grid          bool
	change        func(*testing.T, *data.Table) *data.Table
	report, drawn string
}{
	{saveOutcomes, false, of(`"depth":10`, `"depth":0`), "depth", ""},
	{saveOutcomes, false, without("time"), `no column "time"`, ""},
	{saveOutcomes, false, without("outcome"), `no column "overlap"`, ""},
	{saveOutcomes, false, without("antipodal_pair"), `no column "antipodal_pair"`, ""},
	{saveOutcomes, false, labelled(sphere.Outcome(0).Labels(), -1), "row 2 has no outcome", ""},
	{saveOutcomes, false, labelled([]string{"single", "antipodal", "unclustered", "torn"}, 3),
		`row 2: "torn" is no outcome`, ""},
	{saveOutcomes, false, numbered("outcome", 1),
		`column "outcome" has values of type data.Slice[int32]`, ""},
	{saveOutcomes, false, of(`"horizon":2.5`, `"horizon":2.55`), "", "horizon 2.55: "},
	{saveOutcomes, true, without("beta"), `no column "beta"`, ""},
	{saveOutcomes, true, without("time"), `no column "time"`, ""},
	{saveOutcomes, true, labelled(sphere.Outcome(0).Labels(), -1), "row 2 has no outcome", ""},
	{saveOutcomes, true, of(`"beta":[0.5,2,4]`, `"beta":[0.5,1,4]`),
		"row 120 is of none of the 6 points of its parameters", ""},
	{saveOutcomes, true, of(`"horizon":2.5`, `"horizon":2.55`), "horizon 2.55: ", ""},
	{saveSummary, false, without("single"), `no column "single"`, ""},
	{saveSummary, false, without("time"), `no column "time"`, ""},
	{saveSummary, true, of(`"beta":[0.5,2,4]`, `"beta":[0.5,2]`),
		"row 8 is of none of the 4 points of its parameters", ""},
	{saveSummary, true, of(`"horizon":2.5`, `"horizon":3`), run.ErrNoRows.Error(), ""},
	{saveOverlaps, false, without("trajectory"), `no column "trajectory"`, ""},
	{saveOverlaps, false, without("time"), `no column "time"`, ""},
	{saveOverlaps, false, without("j"), `no column "j"`, ""},
	{saveOverlaps, false, without("overlap"), `no column "overlap"`, ""},
	{saveOverlaps, false, func(_ *testing.T, table *data.Table) *data.Table {
		return table.Slice(0, table.Rows()-1)
	}, "trajectory 0 has 3 overlaps of tokens 2 and 3, but there are 4 times", ""},
	{saveStates, false, without("time"), `no column "time"`, ""},
	{saveAttention, false, without("trajectory"), `no column "trajectory"`, ""},
	{saveAttention, false, numbered("i", 4), "no matrix is whole", ""},
	{saveSummary, true, func(_ *testing.T, table *data.Table) *data.Table { return table.Slice(0, 0) },
		run.ErrNoRows.Error(), ""},
	{saveDensity, false, without("trajectory"), `no column "trajectory"`, ""},
}

// The report and the figure of a damaged table are errors that say what is wrong with it.
func TestDamagedTables(t *testing.T) {
	for k, c := range damages {
		s := smallSimulation(c.save)
		if c.grid {
			s = smallGrid(c.save)
		}
		if !s.savesOutcomes() {
			s.Trajectories = 1
		}
		if c.drawn != "" {
			s.Tokens, s.Start = 2, setting.Start{}
		}
		whole := experimenttest.Table(t, s, run.Options{Seed: 3})
		table := c.change(t, whole)
		err := New().Describe(io.Discard, table)
		if (err == nil) != (c.report == "") || err != nil && !strings.Contains(err.Error(), c.report) {
			t.Errorf("%d: %s: report %v, want %s", k, c.save, err, c.report)
		}
		want := c.drawn
		if want == "" {
			want = c.report
		}
		if _, err := New().Draw(table); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %s: figure %v, want %s", k, c.save, err, want)
		}
	}
}

// smallSplitting returns a splitting that takes a few milliseconds, without the exact law.
func smallSplitting() *Experiment {
	s := New()
	s.Splitting, s.Trajectories, s.Repetitions, s.Depth, s.Horizon = SplitSingle, 10, 4, 10, 2
	s.Start = experimenttest.Must(setting.ParseStart("overlap:0.5"))
	return s
}

// A table that cannot be read to its end has no digest, whether nothing of it can be read or something.
func TestUnreadableTables(t *testing.T) {
	broken := errors.New("broken")
	split := smallSplitting()
	for _, s := range []*Experiment{smallSimulation(saveOutcomes), smallGrid(saveOutcomes),
		smallSimulation(saveSummary), smallSimulation(saveOverlaps), split} {
		whole := experimenttest.Table(t, s, run.Options{Seed: 3})
		for _, parts := range []int{0, 1} {
			_, err := New().Digest(whole.Schema, func() (*data.Table, error) {
				if parts--; parts < 0 {
					return nil, broken
				}
				return whole, nil
			})
			if !errors.Is(err, broken) {
				t.Errorf("%s, splitting %v: %v", s.Save, s.Splitting, err)
			}
		}
		for _, name := range []string{"i", "layers"} {
			if whole.Schema.Index(name) < 0 {
				continue
			}
			part := experimenttest.Without(whole, name)
			if _, err := New().Digest(whole.Schema, once(part)); err == nil {
				t.Errorf("a part without column %s", name)
			}
		}
	}
}

// The digest of a table of splitting is the table, whose report and figure need all columns.
func TestDigestOfSplitting(t *testing.T) {
	s := smallSplitting()
	s.varied.Beta, s.Beta = []float64{0.5, 2}, 0.5
	table := experimenttest.Table(t, s, run.Options{Seed: 3})
	parts := []*data.Table{table.Slice(0, 1), table.Slice(1, 2)}
	digest := must.Get(New().Digest(table.Schema, func() (*data.Table, error) {
		if len(parts) == 0 {
			return nil, io.EOF
		}
		part := parts[0]
		parts = parts[1:]
		return part, nil
	}))(t)
	if experimenttest.Text(digest) != experimenttest.Text(table) || digest.Rows() != 2 {
		t.Errorf("%s, want\n%s", experimenttest.Text(digest), experimenttest.Text(table))
	}
	for _, name := range []string{"beta", "p_event"} {
		err := New().Describe(io.Discard, experimenttest.Without(table, name))
		if err == nil || !strings.Contains(err.Error(), `no column "`+name+`"`) {
			t.Errorf("the report without %s: %v", name, err)
		}
	}
}

// A table whose times cannot be computed from its parameters is shown without a count of its trajectories.
func TestDigestOfUnknownTimes(t *testing.T) {
	s := smallSimulation(saveOverlaps)
	table := of(`"horizon":2.5`, `"horizon":2.55`)(t, experimenttest.Table(t, s, run.Options{Seed: 3}))
	digest := must.Get(New().digestOf(table))(t)
	if _, counted := digest.Schema.Value(keyEnsemble); counted || digest.Rows() != 6*4*3 {
		t.Errorf("%d rows, counted %v", digest.Rows(), counted)
	}
	if text := describe(t, New(), table); !strings.Contains(text, "At time 2.5 trajectory 0 is") {
		t.Error(text)
	}
}

// A density without any token is drawn with a scale of one decade above density 1.
func TestDensityWithoutTokens(t *testing.T) {
	s := smallSimulation(saveDensity)
	s.Trajectories, s.Every = 1, 2.5
	table := experimenttest.Table(t, s, run.Options{Seed: 3})
	table = experimenttest.WithColumn(table, "tokens", make(data.Slice[int32], table.Rows()))
	drawn := must.Get(New().Draw(table))(t)
	heat := drawn.Panels[0].Plot.Marks[0].(figure.HeatMap)
	if heat.Low != -0.2 || heat.High != 1 {
		t.Errorf("colours from %v to %v, want -0.2 to 1", heat.Low, heat.High)
	}
}
