package simulate

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere"
)

// sized is a table of given sizes. It has a column of numbers, so that a row takes eight bytes.
type sized struct {
	savedTable
	rows, kept float64
}

func (sized) columns() []data.Column {
	return []data.Column{{Name: "x", Kind: data.Float64}}
}
func (t sized) rowsPerTime() float64 { return t.rows }
func (t sized) bytesKept() float64   { return t.kept }

// A table may take 64 GiB, and the trajectories that wait to be written 1 GiB, but no more. The error names
// the parameter that makes it so large: the interval if one trajectory is too large alone.
func TestLimitsOfTables(t *testing.T) {
	const table, memory = 1 << 36, 1 << 30 // bytes
	ahead := float64(sde.TrajectoriesAhead)
	for _, c := range []struct {
		trajectories int64
		times        float64
		sized
		want string
	}{
		{1, 1, sized{rows: table / 8}, ""},
		{1, 1, sized{rows: table/8 + 1}, "every"},
		{4, 1, sized{rows: table / 32}, ""},
		{4, 1, sized{rows: table/32 + 1}, "trajectories"},
		{1, 1, sized{kept: memory - 16}, ""},
		{1, 1, sized{kept: memory - 15}, "every"},
		{3, 4, sized{kept: (memory/4 - 16) / 3.}, ""},
		{3, 4, sized{kept: (memory/4 - 15) / 3.}, "every"},
		{1e6, 2, sized{kept: (memory/2 - 16) / ahead}, ""},
		{1e6, 2, sized{kept: (memory/2 - 15) / ahead}, "every"},
	} {
		s := smallSimulation(saveOutcomes)
		s.Trajectories = c.trajectories
		err := s.checkSize(c.sized, c.times)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want+" ") {
			t.Errorf("%d trajectories, %+v: %v", c.trajectories, c.sized, err)
		}
	}
}

// Several seeds are different numbers below 2^63, at most 100,000 of them; a single one may be any.
func TestListsOfSeeds(t *testing.T) {
	for text, count := range map[string]int{
		"0": 1, "18446744073709551615": 1, "5..5": 1, "18446744073709551615..18446744073709551615": 1,
		"3,1": 2, "9223372036854775807,1": 2, "4..6": 3, "0..99999": 100_000, "7,10..12,2": 5,
		"1..99999,7000000": 100_000,
		"":                 0, "x": 0, "-1": 0, "18446744073709551616": 0, "3,3": 0, "1..3,2": 0, "5..4": 0,
		"9223372036854775808,1": 0, "0..100000": 0, "7..1000000000000000": 0, "0..99999,7000000": 0,
		"1..x": 0, "1..-1": 0,
	} {
		s, first := New(), uint64(77)
		before := []uint64{1, 2}
		s.varied.Seeds = before
		value := s.SeedParameter(&first).Value
		err := value.Set(text)
		seeds := max(1, len(s.varied.Seeds))
		if count == 0 && (err == nil || first != 77 || len(s.varied.Seeds) != 2) ||
			count > 0 && (err != nil || seeds != count || count > 1 && s.varied.Seeds[0] != first) {
			t.Errorf("%q: %d seeds from %d, %v", text, len(s.varied.Seeds), first, err)
		}
		if again := (seedsValue{&first, &s.varied.Seeds}); count > 0 &&
			(again.Set(value.String()) != nil || max(1, len(s.varied.Seeds)) != count) {
			t.Errorf("%q is written %s", text, value)
		}
	}
}

// A grid may have 100,000 points.
func TestLargestSweep(t *testing.T) {
	for count, allowed := range map[int]bool{1000: true, 1001: false} {
		s := New()
		s.varied.Beta, s.varied.Dim = make([]float64, 100), make([]int, count)
		if err := s.checkSweep(); (err == nil) != allowed {
			t.Errorf("100 × %d points: %v", count, err)
		}
	}
}

// Points in which the number of columns would differ are refused for the tables of tokens.
func TestSweepsOfOneForm(t *testing.T) {
	for _, c := range []struct {
		save    string
		split   Splitting
		refused string
	}{
		{saveOutcomes, NoSplitting, ""}, {saveSummary, NoSplitting, ""},
		{saveOverlaps, NoSplitting, "tokens"}, {saveStates, NoSplitting, "tokens"},
		{saveOutcomes, SplitSingle, ""},
	} {
		s := New()
		s.Save, s.Splitting, s.varied.Tokens = c.save, c.split, []int{2, 3}
		err := s.checkSweep()
		if (err == nil) != (c.refused == "") ||
			err != nil && !strings.HasPrefix(err.Error(), c.refused+" ") {
			t.Errorf("tokens of %s: %v", c.save, err)
		}
		s.varied = sweep{Dim: []int{3, 4}}
		if err := s.checkSweep(); (err == nil) != (c.save != saveStates) {
			t.Errorf("dim of %s: %v", c.save, err)
		}
	}
	s := New()
	s.Save, s.Splitting, s.varied.Dim = saveStates, SplitSingle, []int{3, 4}
	if err := s.checkSweep(); err != nil {
		t.Errorf("states are not saved with splitting: %v", err)
	}
}

// An overlap at the tolerance itself counts as together or opposite, and the next number does not; a
// trajectory is counted once all its pairs are there.
func TestOverlapsAtTheTolerance(t *testing.T) {
	s := smallSimulation(saveOverlaps)
	s.Tolerance = 0.125
	in, out := 0.875, math.Nextafter(0.875, 0)
	for _, c := range []struct {
		overlaps [3]float64
		want     sphere.Outcome
		pair     int64
	}{
		{[3]float64{in, in, in}, sphere.Single, 0}, {[3]float64{-in, in, -in}, sphere.Antipodal, 1},
		{[3]float64{in, in, out}, sphere.Unclustered, 0}, {[3]float64{-in, in, -out}, sphere.Unclustered, 1},
		{[3]float64{-out, -out, -out}, sphere.Unclustered, 0},
		{[3]float64{math.NaN(), in, in}, sphere.Unclustered, 0},
	} {
		counter := s.newEnsembleCounter()
		for k, z := range c.overlaps {
			if counter.end.Trajectories != 0 {
				t.Errorf("%v: counted after %d pairs", c.overlaps, k)
			}
			counter.addEnd(4, z)
			counter.addEnd(5, 0)
		}
		want := fractionRow{Time: 2.5}
		want.count(c.want, c.pair == 1)
		want.count(sphere.Unclustered, false)
		if counter.end != want || len(counter.open) != 0 {
			t.Errorf("%v: %+v, want %+v", c.overlaps, counter.end, want)
		}
	}
}

// At most 400 times have quantiles, the horizon and equally spaced times before it, and so has the start.
func TestTimesOfBands(t *testing.T) {
	for layers, want := range map[int64]int{2: 3, 399: 400, 400: 201, 798: 400, 799: 401} {
		s := smallSimulation(saveOverlaps)
		s.Depth, s.Horizon, s.Every = 1, float64(layers), 1
		c := s.newEnsembleCounter()
		if len(c.time) != want || c.time[0] != float64(layers) || c.time[len(c.time)-1] != 0 {
			t.Errorf("%d layers: %d times from %v to %v, want %d", layers, len(c.time),
				c.time[len(c.time)-1], c.time[0], want)
		}
	}
}

// The vectors of a token must have the dimension of the experiment; the error names the token from 1.
func TestStatesOfAnotherDimension(t *testing.T) {
	s := smallSimulation(saveStates)
	table := experimenttest.Table(t, s, run.Options{Seed: 3})
	s.Dim++
	err := s.newEnsembleCounter().add(table)
	if err == nil || err.Error() != "column x1: its vectors have another length than 5" {
		t.Errorf("%v", err)
	}
}

// The report on a grid has up to twenty points, and says how many more there are and where they are written.
func TestReportOfLargeGrids(t *testing.T) {
	for _, c := range []struct {
		save string
		more int
		want string
	}{
		{saveOutcomes, 0, ""}, {saveOutcomes, 1,
			"\n  and 1 more; --save summary writes a table of all of them"},
		{saveSummary, 3, "\n  and 3 more"},
	} {
		s := smallSimulation(c.save)
		s.Tokens, s.Trajectories, s.Depth, s.Horizon, s.Every = 2, 2, 1, 1, 1
		for k := range 20 + c.more {
			s.varied.Beta = append(s.varied.Beta, float64(k))
		}
		s.Beta = 0
		text := describe(t, s, experimenttest.Table(t, s, run.Options{Seed: 3}))
		if n := strings.Count(text, "\n  beta = "); n != 20 || !strings.HasSuffix(text, c.want+"\n") ||
			strings.Contains(text, "more") != (c.more > 0) {
			t.Errorf("%d points: %d lines, %s", len(s.varied.Beta), n, text)
		}
	}
}

// The report explains why tokens do not cluster if most of them do not, and not otherwise.
func TestReportOfHalfTheTrajectories(t *testing.T) {
	s := New()
	s.Model, s.Law = setting.Hybrid, setting.Hybrid.Law()
	s.Tokens, s.Beta, s.Epsilon, s.Depth = 8, 2, 2, 50
	for unclustered, says := range map[int64]bool{5: false, 6: true} {
		text := s.separationText(fractionRow{Trajectories: 10, Unclustered: unclustered})
		if strings.Contains(text, "the rate 0.8947 > 0") != says {
			t.Errorf("%d of 10: %q", unclustered, text)
		}
	}
	end := fractionRow{Trajectories: 10, Unclustered: 10}
	s.Interaction = experimenttest.Must(setting.ParseInteraction("rotation:10"))
	if text := s.separationText(end); text != "" {
		t.Errorf("with another interaction: %s", text)
	}
}

// The score of an outcome is the inverse hyperbolic tangent of the overlap that is farthest from it: for two
// tokens from the logarithms of 1±z, for three from their overlaps.
func TestScoresOfConfigurations(t *testing.T) {
	at := func(degrees ...float64) *sde.View {
		var x []float64
		for _, d := range degrees {
			sin, cos := math.Sincos(d * math.Pi / 180)
			x = append(x, cos, sin)
		}
		return sde.NewView(0, 0, x, 2)
	}
	of := func(degrees float64) float64 { return math.Atanh(math.Cos(degrees * math.Pi / 180)) }
	for _, c := range []struct {
		v                *sde.View
		single, opposite float64
	}{
		{at(0, 20), of(20), -of(20)}, {at(0, 170), of(170), -of(170)},
		// Overlaps of 10, 30 and 40 degrees: none is opposite. Overlaps of 170, 150 and 20 degrees.
		{at(0, 10, 40), of(40), of(140)}, {at(0, 170, 150), of(170), of(30)},
		{at(0, 100, 190), of(170), of(90)}, {at(0, 160, 145), of(160), of(35)},
	} {
		if got := leastScore(c.v); !(math.Abs(got-c.single) <= 1e-12) {
			t.Errorf("%v: single %v, want %v", c.v.Tokens(), got, c.single)
		}
		if got := oppositeScore(c.v); !(math.Abs(got-c.opposite) <= 1e-12) {
			t.Errorf("%v: opposite %v, want %v", c.v.Tokens(), got, c.opposite)
		}
	}
	if high, low := scoreOf(1+1e-16), scoreOf(-1-1e-15); !(high > 18 && high < 19 && low == -high) {
		t.Errorf("beyond ±1: %v, %v", high, low)
	}
	s := New()
	s.Tolerance, s.Splitting = 0.25, SplitSingle
	score, goal := s.score()
	want := math.Atanh(0.75)
	if !(math.Abs(goal-want+1e-9) <= 1e-15) || score(at(0, 20)) != leastScore(at(0, 20)) {
		t.Errorf("goal %v, want %v", goal, want)
	}
	s.Splitting = SplitAntipodal
	if score, _ := s.score(); score(at(0, 20)) != oppositeScore(at(0, 20)) {
		t.Error("the score of the antipodal outcome is another")
	}
}

// Splitting needs two tokens, and looks at the score fifty times per unit of time, or at each layer.
func TestLooksOfSplitting(t *testing.T) {
	for depth, every := range map[int64]int64{1: 1, 50: 1, 99: 1, 100: 2, 1000: 20} {
		s := New()
		s.Splitting, s.Depth = SplitAntipodal, depth
		of, err := s.split()
		if err != nil || of.Every != every || of.Layers != 20*depth {
			t.Errorf("depth %d: every %d, %v", depth, of.Every, err)
		}
	}
	s := New()
	for tokens, allowed := range map[int64]bool{1: false, 2: true} {
		s.Splitting, s.Tokens = SplitAntipodal, tokens
		if err := s.checkSplitting(); (err == nil) != allowed {
			t.Errorf("%d tokens: %v", tokens, err)
		}
	}
	s.Numbers = NumbersFrom(0, 3)
	experimenttest.CheckRefused(t, s.checkSplitting(), "trajectory", "numbers its trajectories by itself")
}

// The law at the depth is given for uniform starts only, and where its error is small enough.
func TestLawBesideSplitting(t *testing.T) {
	longtest.Only(t)
	s := New()
	s.Tokens, s.Dim, s.Depth, s.Horizon, s.Splitting = 2, 4, 5, 3, SplitSingle
	row := func() SplittingRow {
		p := s.points(1)[0]
		of := experimenttest.Must(p.split())
		return p.splittingRow(of, sde.Levels{}, []sde.Repetition{{}, {}})
	}
	single := row()
	s.Splitting = SplitAntipodal
	antipodal := row()
	at := experimenttest.Must(s.AtDepth())
	if single.Depth != at.Single || antipodal.Depth != at.Antipodal || !(at.Single > at.Antipodal) {
		t.Errorf("%v and %v, want %+v", single.Depth, antipodal.Depth, at)
	}
	s.Start = experimenttest.Must(setting.ParseStart("overlap:0.1"))
	if r := row(); !math.IsNaN(r.Depth) {
		t.Errorf("from another start %v", r.Depth)
	}
}

// The blocks of several tables that an earlier run has left must fit together, and an error of a journal ends
// the run.
func TestJournalsOfTablesThatDoNotFit(t *testing.T) {
	one := saved{numbers: []float64{1}}
	blocks := map[string][]saved{"one": {one}, "two": {one, one}}
	failed := errors.New("failed")
	for _, c := range []struct {
		journals checkpoints
		want     string
	}{
		{checkpoints{stored{rows: blocks["two"]}, stored{rows: blocks["two"]}}, "2 rows"},
		{checkpoints{stored{rows: blocks["one"]}, stored{rows: blocks["two"]}}, "do not fit together"},
		{checkpoints{stored{rows: blocks["two"]}, stored{rows: blocks["one"]}}, "do not fit together"},
		{checkpoints{stored{rows: blocks["one"]}, stored{err: failed}}, "failed"},
	} {
		rows, err := c.journals.Read(0)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%d rows", len(rows))
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
		if !c.journals.Has(0) || (append(c.journals, stored{absent: true})).Has(0) {
			t.Error("a block is there if all tables have it")
		}
	}
	if err := (checkpoints{stored{absent: true, err: failed}}).Keep(0, [][]saved{{one}}); err != failed {
		t.Errorf("%v", err)
	}
	if err := (checkpoints{stored{err: failed}}).Keep(0, [][]saved{{one}}); err != nil {
		t.Errorf("a block that is there is kept again: %v", err)
	}
}

// stored is a checkpoint with one block.
type stored struct {
	rows   []saved
	absent bool
	err    error
}

func (s stored) Has(int64) bool              { return !s.absent }
func (s stored) Read(int64) ([]saved, error) { return s.rows, s.err }
func (s stored) Keep(int64, []saved) error   { return s.err }

// In JSON a parameter that varies has at least two values, and what is not JSON of an experiment is an error
// that leaves no list.
func TestSweepsInJSON(t *testing.T) {
	for text, want := range map[string][]float64{
		`{"beta":[0.5,2]}`: {0.5, 2}, `{"beta":2}`: nil, `{}`: nil,
	} {
		s := New()
		s.varied.Beta = []float64{7, 8}
		if err := json.Unmarshal([]byte(text), s); err != nil || !slices.Equal(s.varied.Beta, want) ||
			want != nil && s.Beta != want[0] || text == `{"beta":2}` && s.Beta != 2 {
			t.Errorf("%s: β = %v, %v, %v", text, s.Beta, s.varied.Beta, err)
		}
	}
	for text, want := range map[string]string{
		`{"beta":[0.5]}`: "beta: a list of fewer than two values", `{"dim":[]}`: "dim: a list of fewer",
		`{"tokens":[2,"x"]}`: "", `{"beta":"x"}`: "", `[1]`: "", `{"trajectories":0.5}`: "",
	} {
		if err := json.Unmarshal([]byte(text), New()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
