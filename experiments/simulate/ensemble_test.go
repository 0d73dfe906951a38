package simulate

import (
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

// The report of overlaps or states counts the outcomes of all trajectories, and has the same numbers as the
// report of the outcomes of the same run.
func TestReportCountsAllTrajectories(t *testing.T) {
	for _, c := range []struct{ tokens, dim int64 }{{2, 3}, {3, 4}, {4, 2}} {
		for _, save := range []string{saveOverlaps, saveStates} {
			s := smallSimulation(save)
			s.Tokens, s.Dim, s.Trajectories, s.Beta, s.Horizon = c.tokens, c.dim, 47, 3, 30
			text := describe(t, s, experimenttest.Table(t, s, run.Options{Seed: 6}))
			s.Save = saveOutcomes
			want := describe(t, s, experimenttest.Table(t, s, run.Options{Seed: 6}))
			if !strings.HasPrefix(text, want[:len(want)-1]) {
				t.Errorf("%d tokens, %s:\n%swant\n%s", c.tokens, save, text, want)
			}
			median := strings.Contains(text, "median")
			if median != (save == saveOverlaps || c.dim > 3) {
				t.Errorf("%d tokens, %s: median %t", c.tokens, save, median)
			}
		}
	}
}

func describe(t *testing.T, s *Experiment, table *data.Table) string {
	t.Helper()
	var text strings.Builder
	must.Do(t, s.Describe(&text, table))
	return text.String()
}

// The bands are the quantiles over the overlaps of all trajectories at each time, up to the width of a bin.
func TestBandsOfOverlaps(t *testing.T) {
	s := smallSimulation(saveOverlaps)
	s.Tokens, s.Trajectories = 2, 40
	table := experimenttest.Table(t, s, run.Options{Seed: 7})
	var x, median, low []float64
	for _, time := range []float64{0, 1, 2, 2.5} {
		var z []float64
		for _, row := range experimenttest.Must(data.RowsOf[PairRow](table)) {
			if row.Time == time {
				z = append(z, row.Overlap)
			}
		}
		slices.Sort(z)
		x, median, low = append(x, time), append(median, z[19]), append(low, z[9])
	}
	drawn := figuretest.Draw(t, s, table)
	const title = "Overlaps of 40 trajectories: median, 50 and 95 %, and trajectories 0 to 5"
	p := figuretest.Read(t, drawn, 0, title, "time", "overlap")
	figuretest.Key(t, drawn.Panels[0].Key, drawn.Panels, "trajectory 0", "trajectory 1", "trajectory 2",
		"trajectory 3", "trajectory 4", "trajectory 5", "median")
	line, band := p.Marks[len(p.Marks)-1].(figure.Line), p.Marks[1].(figure.Band)
	for k := range x {
		if at := line.Points[k]; at.X != x[k] || !(math.Abs(at.Y-median[k]) <= 0.501e-3) {
			t.Errorf("median %v, want %v at %v", at, median[k], x[k])
		}
		if band.X[k] != x[k] || !(math.Abs(band.Low[k]-low[k]) <= 0.501e-3) {
			t.Errorf("lower quartile %v, want %v at %v", band.Low[k], low[k], x[k])
		}
	}
}

// In files of older versions the two tokens are columns, and their overlap is called z.
func TestFormerTablesOfOverlaps(t *testing.T) {
	s := smallSimulation(saveOverlaps)
	s.Tokens, s.Trajectories = 2, 3
	now := experimenttest.Table(t, s, run.Options{Seed: 8})
	former := &data.Table{Schema: now.Schema}
	ones := make(data.Slice[int32], now.Rows())
	for k := range ones {
		ones[k] = 1
	}
	former.Schema.Columns = []data.Column{now.Schema.Columns[0], now.Schema.Columns[1],
		{Name: "i", Kind: data.Int32}, {Name: "j", Kind: data.Int32}, {Name: "z", Kind: data.Float64}}
	twos := slices.Clone(ones)
	for k := range twos {
		twos[k] = 2
	}
	former.Columns = []data.Values{now.Columns[0], now.Columns[1], ones, twos, now.Columns[2]}
	if text, want := describe(t, s, former), describe(t, s, now); text != want {
		t.Errorf("%s, want\n%s", text, want)
	}
	got := figuretest.Figure(figuretest.Draw(t, s, former))
	want := figuretest.Figure(figuretest.Draw(t, s, now))
	if len(got.Lines) == 0 || len(got.Lines) != len(want.Lines) {
		t.Errorf("%d lines, want %d", len(got.Lines), len(want.Lines))
	}
}

// An overlap of 1 is counted in the last bin, and a quantile is the middle of its bin.
func TestQuantilesOfAHistogram(t *testing.T) {
	s := New()
	s.Save = saveOverlaps
	c := s.newEnsembleCounter()
	for _, z := range []float64{-1, -0.4996, 0.0004, 0.5004, 1} {
		c.count(0, z)
	}
	got, ok := quantilesOf(c.counts[0])
	if want := [5]float64{-0.9995, -0.4995, 0.0005, 0.5005, 0.9995}; !ok || !near(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if _, ok := quantilesOf(make([]int64, overlapBins)); ok {
		t.Error("no overlaps have quantiles")
	}
}

func near(got, want [5]float64) bool {
	for k := range got {
		if !(math.Abs(got[k]-want[k]) <= 1e-12) {
			return false
		}
	}
	return true
}

// The digest of a digest is the digest itself.
func TestDigestOfAnEnsembleIsItsOwn(t *testing.T) {
	s := smallSimulation(saveOverlaps)
	first := experimenttest.Must(s.digestOf(experimenttest.Table(t, s, run.Options{Seed: 9})))
	if second := experimenttest.Must(s.digestOf(first)); second != first {
		t.Error("another table")
	}
	if e := ensembleOf(first); e.End.Trajectories != 30 || len(e.Time) != 4 {
		t.Errorf("%+v", e)
	}
}
