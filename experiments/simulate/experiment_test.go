package simulate

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// smallSimulation returns a simulation that takes a few milliseconds and saves the given table.
func smallSimulation(save string) *Experiment {
	s := New()
	s.Tokens, s.Dim, s.Save = 3, 4, save
	s.Trajectories, s.Depth, s.Horizon, s.Every = 30, 10, 2.5, 1
	if save == saveDensity {
		s.Dim = 3
	}
	return s
}

func TestSimulateValidateNamesTheParameter(t *testing.T) {
	experimenttest.Refuse(t, func() *Experiment { return smallSimulation(saveOutcomes) }, []struct {
		Name, Problem string
		Change        func(e *Experiment)
	}{
		{"model", "must be transformer, hybrid, flow, transformer-sde or hybrid-sde",
			func(s *Experiment) { s.Model = "gru" }},
		{"scheme", "must be euler, geodesic, heun or rk4", func(s *Experiment) { s.Scheme = -1 }},
		{"scheme", "does not fit the model transformer; must be euler",
			func(s *Experiment) { s.Scheme = sde.Heun }},
		{"scheme", "does not fit the model flow; must be euler or rk4",
			func(s *Experiment) { s.Model, s.Scheme = "flow", sde.Geodesic }},
		{"scheme", "does not fit the model hybrid-sde; must be euler, geodesic or heun",
			func(s *Experiment) { s.Model, s.Scheme = "hybrid-sde", sde.RK4 }},
		{"noise", "must be common or independent", func(s *Experiment) { s.Noise = 2 }},
		{"noise", "does not fit the model hybrid; must be common",
			func(s *Experiment) { s.Model, s.Noise = "hybrid", sde.IndependentNoise }},
		{"law", "does not fit the model transformer-sde; must be gaussian",
			func(s *Experiment) { s.Model, s.Law = "transformer-sde", sde.Uniform }},
		{"every", "depth × every must be a whole number of layers",
			func(s *Experiment) { s.Model, s.Every = "transformer-sde", 0.25 }},
		{"tokens", "must be whole numbers from 1", func(s *Experiment) { s.Tokens = 0 }},
		{"dim", "must be whole numbers from 2", func(s *Experiment) { s.Dim = 1 }},
		{"beta", "must be numbers from 0", func(s *Experiment) { s.Beta = math.NaN() }},
		{"epsilon", "must be numbers from 0", func(s *Experiment) { s.Epsilon = -1 }},
		{"attention", "must be softmax or unnormalized", func(s *Experiment) { s.Attention = -1 }},
		{"law", "must be gaussian", func(s *Experiment) { s.Law = -1 }},
		{"horizon", "whole number of layers", func(s *Experiment) { s.Horizon = 0.25 }},
		{"every", "depth × every must be a whole number of layers", func(s *Experiment) { s.Every = 0.25 }},
		{"every", "must be a number above 0", func(s *Experiment) { s.Every = 0 }},
		{"every", "; or use --interpolate", func(s *Experiment) { s.Every, s.Save = 0.25, saveStates }},
		{"every", "the table would take",
			func(s *Experiment) { s.Every, s.Save, s.Interpolate = 1e-300, saveStates, true }},
		{"every", "at least 1; here it is 10 × 0.25 = 2.5",
			func(s *Experiment) { s.Every, s.Interpolate = 0.25, true }},
		{"start", "needs 2 tokens, not 3", func(s *Experiment) {
			s.Start = experimenttest.Must(setting.ParseStart("overlap:0.5"))
		}},
		{"start", "needs 4 tokens, not 3", func(s *Experiment) {
			s.Start = experimenttest.Must(setting.ParseStart("opposite:1,3"))
		}},
		{"save", "must be outcomes, overlaps, states, attention, density or summary",
			func(s *Experiment) { s.Save = "all" }},
		{"save", "one token has no overlaps", func(s *Experiment) { s.Tokens, s.Save = 1, saveOverlaps }},
		{"save", "1001 tokens would be as many columns",
			func(s *Experiment) { s.Tokens, s.Save = 1001, saveStates }},
		{"beta", "e^β overflows", func(s *Experiment) { s.Beta, s.Attention = 800, sde.Unnormalized }},
		{"trajectories", "GiB; must be at most", func(s *Experiment) { s.Trajectories = 1e12 }},
		{"every", "the table would take", func(s *Experiment) {
			s.Depth, s.Horizon, s.Every, s.Save = 1e6, 1e6,
				1e-6, saveOverlaps
		}},
		{"every", "GiB of memory", func(s *Experiment) {
			s.Depth, s.Horizon, s.Every, s.Save = 1e6, 2, 1e-6,
				saveStates
		}},
	})
}

// The largest number of trajectories, which the error names, is allowed.
func TestSimulateLargestTable(t *testing.T) {
	s := smallSimulation(saveOutcomes)
	s.Trajectories = largestTable / (37 * 4) // a row at 0, 1, 2 and 2.5
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	s.Trajectories++
	if s.Validate() == nil {
		t.Error("one more is allowed too")
	}
}

func TestSettingTheModelSetsItsLaw(t *testing.T) {
	s := New()
	set := func(name, text string) {
		t.Helper()
		for _, p := range s.Parameters() {
			if p.Name == name {
				must.Do(t, p.Set(text))
			}
		}
	}
	for _, c := range []struct{ name, text, law string }{
		{"model", "hybrid", "rademacher"}, {"law", "uniform", "uniform"}, {"model", "transformer",
			"gaussian"},
		{"model", "hybrid", "rademacher"}, {"model", "flow", "gaussian"},
	} {
		if set(c.name, c.text); s.Law.String() != c.law {
			t.Errorf("%s %s: law %s, want %s", c.name, c.text, s.Law, c.law)
		}
	}
}

// The tables of states, outcomes and overlaps with one seed describe the same trajectories, also after tokens
// have merged.
func TestTablesOfOneSimulationAgree(t *testing.T) {
	short, long := smallSimulation, func(save string) *Experiment {
		s := smallSimulation(save)
		s.Beta, s.Horizon, s.Every = 3, 25, 10
		return s
	}
	checkTablesAgree(t, short, []float64{0, 1, 2, 2.5})
	if ends := checkTablesAgree(t, long, []float64{0, 10, 20, 25}); ends[sphere.Single] < 5 ||
		ends[sphere.Antipodal] < 5 {
		t.Errorf("ends %v: which hardly come together", ends)
	}
}

// checkTablesAgree compares the three tables of 30 trajectories of 3 tokens in dimension 4 at the given
// times, and returns how many trajectories end with each outcome.
func checkTablesAgree(t *testing.T, of func(save string) *Experiment,
	times []float64) map[sphere.Outcome]int {
	t.Helper()
	const trajectories, tokens, dim = 30, 3, 4
	states := rowsOf[StateRow](t, of(saveStates))
	outcomes := rowsOf[OutcomeRow](t, of(saveOutcomes))
	overlaps := rowsOf[OverlapRow](t, of(saveOverlaps))
	if rows := len(overlaps); len(states) != trajectories*len(times) ||
		len(outcomes) != trajectories*len(times) ||
		rows != 3*trajectories*len(times) {
		t.Fatalf("%d, %d and %d rows", len(states), len(outcomes), rows)
	}
	classifier := sphere.NewClassifier(tokens, 1e-3)
	ends := map[sphere.Outcome]int{}
	for row, state := range states {
		at := Moment{Trajectory: int64(row / len(times)), Time: times[row%len(times)]}
		if state.Moment != at || outcomes[row].Moment != at {
			t.Errorf("row %d: of %v and %v, want of %v", row, state.Moment, outcomes[row].Moment, at)
		}
		x := state.Tokens
		want, wantPair := classifier.Classify(slices.Concat(x...), dim)
		got := outcomes[row]
		if got.Outcome != want || (got.Pair == 1) != wantPair {
			t.Errorf("row %d: outcome %v, %d, want %v, %t", row, got.Outcome, got.Pair, want, wantPair)
		}
		m := classifier.Masses(slices.Concat(x...), dim, want)
		if int(got.Clusters) != m.Clusters || int(got.Largest) != m.Largest ||
			math.Float64bits(got.Imbalance) != math.Float64bits(m.Imbalance) {
			t.Errorf("row %d: %d clusters, the largest of %d, imbalance %v; want %+v", row, got.Clusters,
				got.Largest, got.Imbalance, m)
		}
		if at.Time == times[len(times)-1] {
			ends[want]++
		}
		for k, pair := range [][2]int32{{1, 2}, {1, 3}, {2, 3}} {
			want := OverlapRow{at, pair[0], pair[1], sphere.Dot(x[pair[0]-1], x[pair[1]-1])}
			if got := overlaps[3*row+k]; got != want {
				t.Errorf("row %d: %+v, want %+v", 3*row+k, got, want)
			}
		}
	}
	return ends
}

// rowsOf returns the rows of a run with seed 2.
func rowsOf[Row any](t *testing.T, s *Experiment) []Row {
	t.Helper()
	rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, s, run.Options{Seed: 2})))(t)
	return rows
}

// The states of the flow, which has no noise, follow the recursion, which is written out here, with a matrix
// B that is not symmetric.
func TestSimulateIsTheRecursion(t *testing.T) {
	matrix := filepath.Join(t.TempDir(), "B.txt")
	must.Do(t, os.WriteFile(matrix, []byte("1, 0.5\n-2 0.25\n"), 0o666))
	s := smallSimulation(saveStates)
	s.Model, s.Dim, s.Every, s.Trajectories, s.Attention = "flow", 2, 0.1, 1, sde.Unnormalized
	s.Interaction = experimenttest.Must(setting.ParseInteraction(matrix))
	states := must.Get(readFirstStates(experimenttest.Table(t, s, run.Options{Seed: 4})))(t)
	b := [2][2]float64{{1, 0.5}, {-2, 0.25}}
	for row := range len(states.Times) - 1 {
		for i := range 3 {
			x := states.Tokens[row][i]
			var field [2]float64
			for j := range 3 {
				y := states.Tokens[row][j]
				score := 0.0
				for k := range 2 {
					for l := range 2 {
						score += x[k] * b[k][l] * y[l]
					}
				}
				for k := range 2 {
					field[k] += math.Exp(score) / 3 * y[k]
				}
			}
			next := []float64{x[0] + field[0]/10, x[1] + field[1]/10}
			norm := math.Hypot(next[0], next[1])
			for k, got := range states.Tokens[row+1][i] {
				if !(math.Abs(got-next[k]/norm) <= 1e-15) {
					t.Fatalf("layer %d, token %d: %v, want %v", row+1, i, got, next[k]/norm)
				}
			}
		}
	}
}

// Each combination of model, scheme and noise runs, and no two give the same states.
func TestSimulateModelsSchemesAndNoises(t *testing.T) {
	seen := map[string]string{}
	for _, model := range sde.ModelNames {
		model := setting.Model(model)
		of := model.With(setting.Noise{})
		for _, scheme := range of.Schemes() {
			for _, noise := range of.Noises() {
				s := smallSimulation(saveStates)
				s.Model, s.Scheme, s.Noise, s.Trajectories = model, scheme, noise, 2
				what := fmt.Sprint(model, " ", scheme, " ", noise)
				row := states(experimenttest.Table(t, s, run.Options{Seed: 3}).AppendRowJSON(nil, 3))
				if other, is := seen[row]; is {
					t.Errorf("%s and %s end in the same states", what, other)
				}
				seen[row] = what
			}
		}
	}
	if len(seen) != 2+2+2*6 {
		t.Errorf("%d runs", len(seen))
	}
}

// A run can start from the last states of another run, bit for bit. A longer run has the same rows as a
// shorter one, and more frequent saving changes no state.
func TestSimulateStartsFromStates(t *testing.T) {
	s := smallSimulation(saveStates)
	earlier := experimenttest.Table(t, s, run.Options{Seed: 2})
	path := filepath.Join(t.TempDir(), "states.arrow")
	must.Do(t, data.WriteFile(path, earlier))
	next := smallSimulation(saveStates)
	next.Start, next.Trajectories = experimenttest.Must(setting.ParseStart(path)), 33
	later := experimenttest.Table(t, next, run.Options{Seed: 2})
	for k := range 33 {
		if got, want := later.AppendRowJSON(nil, 4*k),
			earlier.AppendRowJSON(nil, 4*(k%30)+3); states(got) != states(want) {
			t.Errorf("trajectory %d starts from %s, want %s", k, got, want)
		}
	}
	if states(later.AppendRowJSON(nil, 1)) == states(later.AppendRowJSON(nil, 4*30+1)) {
		t.Error("two trajectories from one state go the same way")
	}
	longer := smallSimulation(saveStates)
	longer.Horizon, longer.Every = 4, 0.5
	rows := experimenttest.Table(t, longer, run.Options{Seed: 2})
	for k := range 30 {
		if got, want := rows.AppendRowJSON(nil, 9*k+5),
			earlier.AppendRowJSON(nil, 4*k+3); states(got) != states(want) {
			t.Errorf("trajectory %d of the longer run has %s, want %s", k, got, want)
		}
	}
}

// states returns the part of a row's text that describes the states.
func states(row []byte) string {
	_, text, _ := strings.Cut(string(row), `"x1"`)
	return text
}

func TestSimulateStopsOnAWriteError(t *testing.T) {
	full := errors.New("disk full")
	if err := smallSimulation(saveOutcomes).Run(t.Context(), run.Options{},
		data.SinkFunc(func(...data.Values) error { return full })); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
}

// Rows are written in parts of about a megabyte, for any number of trajectories.
func TestSimulateWritesInParts(t *testing.T) {
	s := smallSimulation(saveOutcomes)
	s.Tokens, s.Dim, s.Trajectories, s.Depth, s.Horizon, s.Every = 2, 2, 60_000, 1, 2, 1
	parts, rows, largest := 0, 0, 0
	err := s.Run(t.Context(), run.Options{}, data.SinkFunc(func(columns ...data.Values) error {
		n := len(columns[0].(data.Slice[int64]))
		parts, rows, largest = parts+1, rows+n, max(largest, n)
		return nil
	}))
	if err != nil || rows != 180_000 || parts < 3 || parts > 10 || largest > partBytes/21+1 {
		t.Errorf("%d parts of up to %d rows, %d in all; error %v", parts, largest, rows, err)
	}
}

func TestAffordable(t *testing.T) {
	s := New()
	for _, c := range []struct {
		trajectories int64
		workers      int
		bytes        float64
		want         int
	}{
		{1e6, 8, 1000, 8}, {1e6, 8, 1 << 20, 4}, {1e6, 8, 1 << 22, 1}, {1e6, 8, 1 << 26, 1}, {2, 8, 1 << 26,
			8},
	} {
		s.Trajectories = c.trajectories
		if got := s.affordable(c.workers, c.bytes); got != c.want {
			t.Errorf("%+v: %d workers", c, got)
		}
	}
	if sde.TrajectoriesAhead != 256 {
		t.Error("the numbers above are for 256 trajectories a worker")
	}
}

// The digest of a table that is read in parts is the digest of the whole table, and the digest of a digest is
// itself.
func TestDigestInParts(t *testing.T) {
	longtest.Only(t)
	for _, save := range saveNames {
		s := smallSimulation(save)
		table := experimenttest.Table(t, s, run.Options{Seed: 2})
		whole := must.Get(s.digestOf(table))(t)
		at := 0
		inParts := must.Get(s.Digest(table.Schema, func() (*data.Table, error) {
			const rows = 7
			if at >= table.Rows() {
				return nil, io.EOF
			}
			part := table.Slice(at, min(at+rows, table.Rows()))
			at += part.Rows()
			return part, nil
		}))(t)
		again, err := s.digestOf(whole)
		if err != nil || experimenttest.Text(inParts) != experimenttest.Text(whole) ||
			experimenttest.Text(again) != experimenttest.Text(whole) {
			t.Errorf("%s: in parts\n%s\nwhole\n%s\nagain\n%s\nerror %v", save, experimenttest.Text(inParts),
				experimenttest.Text(whole), experimenttest.Text(again), err)
		}
		if rows := map[string]int{saveOutcomes: 4, saveOverlaps: 6 * 4 * 3,
			saveStates: 6 * 4, saveAttention: 4 * 3 * 3, saveDensity: 4 * 16_200,
			saveSummary: 4}[save]; whole.Rows() != rows {
			t.Errorf("%s: the digest has %d rows, want %d", save, whole.Rows(), rows)
		}
	}
}

func TestDigestCountsOutcomes(t *testing.T) {
	s := smallSimulation(saveOutcomes)
	s.Beta, s.Horizon, s.Trajectories = 10, 4, 200
	table := experimenttest.Table(t, s, run.Options{Seed: 2})
	digest := must.Get(s.digestOf(table))(t)
	f := must.Get(someRows[fractionRow](digest))(t)
	rows, err := data.RowsOf[OutcomeRow](table)
	if err != nil || len(f) != 5 || len(rows) != 5*200 {
		t.Fatalf("%d and %d rows, error %v", len(f), len(rows), err)
	}
	for row, r := range rows {
		of := &f[row%5]
		*map[string]*int64{"single": &of.Single, "antipodal": &of.Antipodal,
			"unclustered": &of.Unclustered}[r.Outcome.String()]--
		of.Pair -= int64(r.Pair)
		of.Trajectories--
		if r.Outcome == sphere.Antipodal {
			of.Imbalance -= r.Imbalance
		}
	}
	for k, left := range f {
		if math.Abs(left.Imbalance) < 1e-9 {
			left.Imbalance = 0
		}
		if left != (fractionRow{Time: float64(k)}) {
			t.Errorf("time %d is off by %+v", k, left)
		}
	}
}

// Every table has a report and a figure, for each kind of figure.
func TestSimulateShowsEveryTable(t *testing.T) {
	longtest.Only(t)
	for _, save := range saveNames {
		for _, dim := range []int64{2, 3, 5} {
			for _, tokens := range []int64{1, 2, 7} {
				if tokens == 1 && save == saveOverlaps || save == saveDensity && dim != 3 {
					continue
				}
				s := smallSimulation(save)
				s.Tokens, s.Dim, s.Trajectories = tokens, dim, 3
				table := experimenttest.Table(t, s, run.Options{Seed: 1})
				var text strings.Builder
				if err := New().Describe(&text, table); err != nil ||
					!strings.Contains(text.String(), "At time 2.5") {
					t.Errorf("%s, d = %d, N = %d: text %q, error %v", save, dim, tokens, text.String(), err)
				}
				picture, err := New().Draw(table)
				if tokens == 1 && dim == 5 && save == saveStates {
					if !errors.Is(err, figure.ErrNone) {
						t.Errorf("overlaps of one token: %v", err)
					}
					continue
				}
				if err == nil {
					err = picture.WriteSVG(io.Discard)
				}
				if err != nil {
					t.Errorf("%s, d = %d, N = %d: %v", save, dim, tokens, err)
				}
			}
		}
	}
}

// The report of overlaps and of states names the outcome that the table of outcomes has.
func TestDescribeNamesTheOutcome(t *testing.T) {
	for start, want := range map[string]string{"opposite:2,1": "antipodal", "uniform": "unclustered"} {
		for _, save := range []string{saveOverlaps, saveStates} {
			s := smallSimulation(save)
			s.Horizon, s.Every, s.Trajectories, s.Beta = 0.1, 0.1, 1, 20
			s.Start = experimenttest.Must(setting.ParseStart(start))
			var text strings.Builder
			if err := s.Describe(&text, experimenttest.Table(t, s, run.Options{Seed: 1})); err != nil ||
				!strings.Contains(text.String(), "trajectory 0 is "+want) {
				t.Errorf("%s from %s: text %q, error %v", save, start, text.String(), err)
			}
		}
	}
}

// A table whose rows do not fit its metadata is refused, without a panic.
func TestSimulateRefusesStrangeTables(t *testing.T) {
	for _, save := range saveNames {
		written := experimenttest.Table(t, smallSimulation(save), run.Options{})
		for _, other := range saveNames {
			if save == other {
				continue
			}
			table := &data.Table{Schema: written.Schema, Columns: written.Columns}
			table.Schema.Metadata = run.Schema(smallSimulation(other), 0).Metadata
			if err := New().Describe(io.Discard, table); err == nil && save == saveOutcomes {
				t.Errorf("%s with the metadata of %s are described", save, other)
			}
			if _, err := New().Draw(table); err == nil && save == saveOutcomes {
				t.Errorf("%s with the metadata of %s are drawn", save, other)
			}
		}
		empty := data.NewTable(run.Schema(smallSimulation(save), 0))
		if New().Describe(io.Discard, empty) == nil {
			t.Errorf("%s without rows are described", save)
		}
		if _, err := New().Draw(empty); err == nil {
			t.Errorf("%s without rows are drawn", save)
		}
	}
}
