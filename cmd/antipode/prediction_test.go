package main

import (
	"math"
	"testing"
	"time"

	"antipode/experiments/phase"
	"antipode/experiments/run"
	"antipode/experiments/simulate"
	"antipode/sde"
)

// A dry run extrapolates layers, rows, finished work and time from the part of the run that has begun; it
// knows nothing of a run that has told nothing.
func TestPredictions(t *testing.T) {
	const unknown = 0
	for name, c := range map[string]struct {
		tried                       *tried
		whole                       bool
		layers, rows, kept, seconds float64
	}{
		"a quarter": {tried: &tried{needs: run.Needs{Layers: 100, Rows: 5, Cells: 2, Kept: 80}, rows: 3,
			state: run.State{Done: 100, Total: 400, AllCells: 10}}, layers: 400, rows: 25, kept: 400,
			seconds: 40},
		"all has begun": {tried: &tried{needs: run.Needs{Layers: 500, Rows: 5, Cells: 1, Kept: 80}, rows: 3,
			state: run.State{Done: 200, Restored: 100, Total: 400}}, layers: 500, rows: 5, kept: 80,
			seconds: 30},
		"at its end": {tried: &tried{needs: run.Needs{Layers: 100, Rows: 5, Cells: 2, Kept: 80}, rows: 3,
			state: run.State{Done: 400, Total: 400, AllCells: 10}}, whole: true, layers: 400, rows: 3,
			kept:    400,
			seconds: 10},
		"rows without needs": {tried: &tried{rows: 3, state: run.State{Done: 1, Total: 4}}, rows: 12,
			seconds: 40},
		"nothing yet": {tried: &tried{rows: 3}},
		"needs alone": {tried: &tried{needs: run.Needs{Layers: 100, Seconds: 7, Kept: 8, Cells: 1},
			state: run.State{Total: 300}}, layers: 300, kept: 8, seconds: 21},
		"some theory": {tried: &tried{needs: run.Needs{Seconds: 7}, theory: 3 * time.Second,
			state: run.State{Theory: 2, AllTheory: 8}}, seconds: 19},
		"no theory yet": {tried: &tried{needs: run.Needs{Seconds: 7}, state: run.State{AllTheory: 8}},
			seconds: unknown},
	} {
		for _, keeps := range []bool{true, false} {
			r := experimentRunner(phase.New(), nil, nil)
			if r.keeps = keeps; !keeps {
				c.kept = 0
			}
			c.tried.begin = time.Now().Add(-10 * time.Second)
			p, err := c.tried.prediction(r, c.whole)
			if err != nil || p.Whole != c.whole || (p.Bytes != nil) != (c.rows > 0) {
				t.Errorf("%s: %+v, %v", name, p, err)
			}
			for what, of := range map[string]struct {
				got       *float64
				want, far float64
			}{"layers": {p.Layers, c.layers, 0}, "rows": {p.Rows, c.rows, 0}, "kept": {p.Kept, c.kept, 0},
				"seconds": {p.Seconds, c.seconds, 0.2 * c.seconds}} {
				got := 0.
				if of.got != nil {
					got = *of.got
				}
				if !(math.Abs(got-of.want) <= of.far) {
					t.Errorf("%s: %g %s, want %g", name, got, what, of.want)
				}
			}
		}
	}
}

// The sentence of a dry run says what is known, and what is not.
func TestWordsOfAPrediction(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	for want, c := range map[string]struct {
		of      prediction
		part    sde.Part
		workers int
	}{
		"phase: 3 cells, 1e+06 layers of trajectories; a table of 3 rows, 2 kB, beside which up to 500 " +
			"bytes of finished work are kept until it is whole; 2.5 seconds on this machine with 2 " +
			"workers. Nothing was written.": {prediction{Command: "phase", Cells: 3, Layers: number(1e6),
			Rows:  number(3),
			Bytes: number(2000), Kept: number(500), Seconds: number(2.5)}, sde.Part{}, 2},
		"phase, shard 1/4: 1 cell; a table of 0 rows, 2 kB, as nothing is left for this shard in Arrow's " +
			"format; less than a second on this machine with 1 worker. Nothing was written.": {prediction{
			Command: "phase", Cells: 1, Rows: number(0), Bytes: number(2000), Seconds: number(0.5),
			otherForm: true}, sde.Part{Number: 1, Of: 4}, 1},
		"phase: 2 cells; how long it takes is not known from its first 3 seconds. Nothing was written.": {
			prediction{Command: "phase", Cells: 2}, sde.Part{}, 1},
	} {
		if got := c.of.text(c.part, c.workers); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
	for seconds, want := range map[float64]string{0.99: "less than a second", 1: "1.0 seconds",
		9.94: "9.9 seconds", 10: "10 seconds", 3600: "60 minutes"} {
		if got := roughly(seconds); got != want {
			t.Errorf("%g s: %s, want %s", seconds, got, want)
		}
	}
	if known(0) != nil || *known(-2) != -2 {
		t.Error("0 is known, or another number is not")
	}
}

// Files without a flag have the name of the command, its figure or table, and its shard; with a flag for one
// of the two files, the other is named only if it is the table.
func TestNamesOfFiles(t *testing.T) {
	for _, c := range []struct {
		out, plot, figure, saved string
		part                     sde.Part
		wantOut, wantPlot        string
		unnamed                  bool
	}{
		{"", "", "", "", sde.Part{}, "phase.arrow", "phase.png", true},
		{"", "", "3", "", sde.Part{}, "phase-3.arrow", "phase-3.png", true},
		{"", "", "3", "values", sde.Part{}, "phase-3-values.arrow", "phase-3-values.png", true},
		{"a.csv", "", "3", "", sde.Part{}, "a.csv", "", false},
		{"", "b.pdf", "", "", sde.Part{}, "phase.arrow", "b.pdf", false},
		{"a.arrow", "b.svg", "", "", sde.Part{}, "a.arrow", "b.svg", false},
		{"", "", "", "", sde.Part{Number: 2, Of: 5}, "phase-2-of-5.arrow", "", true},
		{"a.arrow", "", "", "", sde.Part{Number: 2, Of: 5}, "a.arrow", "", false},
	} {
		r := experimentRunner(phase.New(), nil, nil)
		r.out, r.plot, r.saved, r.options.Part = c.out, c.plot, c.saved, c.part
		r.given = map[string]string{run.FigureParameter: c.figure}
		r.nameFiles()
		if r.out != c.wantOut || r.plot != c.wantPlot || r.unnamed != c.unnamed {
			t.Errorf("%+v: %q, %q, unnamed %v", c, r.out, r.plot, r.unnamed)
		}
	}
	for path, want := range map[string]string{"": "", "t.arrow": "t-k.arrow", "t": "t-k",
		"a.b/t.x.csv": "a.b/t.x-k.csv"} {
		if got := withKind(path, "k"); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// Several tables of a run are different ones that there are.
func TestKindsOfTables(t *testing.T) {
	for save, count := range map[string]int{"states": 1, "states,overlaps": 2, "overlaps,states": 2,
		"states,states": 0, "states,": 0, "states,none": 0, "": 0} {
		kinds, err := kindsOf(simulate.New(), save)
		if (err == nil) != (count > 0) || len(kinds) != count {
			t.Errorf("%q: %q, %v", save, kinds, err)
		}
	}
}

// The last message names the files, and says if the table was there before.
func TestWordsOfWrittenFiles(t *testing.T) {
	for want, c := range map[string]struct {
		whole bool
		more  string
		files []string
	}{
		"Wrote a.arrow of shards.\n": {false, "", []string{"a.arrow"}},
		"Wrote a.arrow and b.png of shards, all.\n": {false, ", all",
			[]string{"a.arrow", "b.png"}},
		"a.arrow was already complete; nothing was computed.\n": {true, "", []string{"a.arrow"}},
		"a.arrow was already complete, all; nothing was computed, and b.png and c.png drawn again.\n": {
			true, ", all", []string{"a.arrow", "b.png", "c.png"}},
	} {
		d := destination{whole: c.whole, from: " of shards"}
		if got := d.written(c.more, c.files...); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
