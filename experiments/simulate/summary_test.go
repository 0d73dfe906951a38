package simulate

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/internal/lists"
	"antipode/sde"
	"antipode/sphere/must"
)

// smallGrid returns a simulation of six points: three values of β with two seeds each.
func smallGrid(save string) *Experiment {
	s := smallSimulation(save)
	s.Start, s.Tolerance = experimenttest.Must(setting.ParseStart("opposite:2,1")), 0.05
	s.varied.Beta, s.Beta = []float64{0.5, 2, 4}, 0.5
	s.varied.Seeds = []uint64{3, 5}
	return s
}

// The summary of an ensemble, or of a grid, has the counts of the outcomes of its trajectories with Wilson's
// intervals, and the sum of their imbalances. Its digest is that of the outcomes.
func TestSummaryCountsOutcomes(t *testing.T) {
	for _, of := range []func(save string) *Experiment{smallSimulation, smallGrid} {
		whole := experimenttest.Table(t, of(saveOutcomes), run.Options{Seed: 3})
		type moment struct {
			beta, time float64
			seed       int64
		}
		want, order := map[moment]*fractionRow{}, []moment{}
		outcome, pair, imbalance, err := outcomesOf(whole)
		if err != nil {
			t.Fatal(err)
		}
		for row := range whole.Rows() {
			at := moment{time: experimenttest.Must(data.ValuesOf[float64](whole, "time"))[row]}
			if len(of(saveOutcomes).axes()) > 0 {
				at.beta = experimenttest.Must(data.ValuesOf[float64](whole, "beta"))[row]
				at.seed = experimenttest.Must(data.ValuesOf[int64](whole, "seed"))[row]
			}
			if want[at] == nil {
				want[at] = &fractionRow{Time: at.time}
				order = append(order, at)
			}
			want[at].count(outcome[row], pair[row] == 1)
			want[at].Imbalance += imbalance[row]
		}
		summary := experimenttest.Table(t, of(saveSummary), run.Options{Seed: 3})
		rows := experimenttest.Must(data.RowsOf[SummaryRow](summary))
		if len(rows) != len(order) {
			t.Fatalf("%d rows, want %d", len(rows), len(order))
		}
		for k, r := range rows {
			want := *want[order[k]]
			want.Imbalance = nearestThird(want.Imbalance)
			if r.fractionRow != want {
				t.Errorf("row %d: %+v, want %+v", k, r.fractionRow, want)
			}
			low, high := outcomes.Wilson(r.Antipodal, 30)
			if p := r.PAntipodal; p.P != float64(r.Antipodal)/30 || p.Low != low || p.High != high {
				t.Errorf("row %d: p_antipodal %v", k, p)
			}
		}
		digests := make([]string, 2)
		for k, table := range []*data.Table{whole, summary} {
			digest := experimenttest.Must(New().digestOf(table))
			digest.Schema.Metadata = nil
			sums := experimenttest.Must(data.ValuesOf[float64](digest, "imbalance"))
			digest = experimenttest.WithColumn(digest, "imbalance",
				data.Slice[float64](lists.Map(sums, nearestThird)))
			digests[k] = experimenttest.Text(digest)
		}
		if digests[0] != digests[1] {
			t.Errorf("digest of the summary:\n%s\nof the outcomes:\n%s", digests[1], digests[0])
		}
	}
}

// nearestThird rounds a sum of imbalances of three tokens, which are multiples of 1/3.
func nearestThird(sum float64) float64 { return math.Round(3*sum) / 3 }

// The progress of a grid counts the layers of all its points, and the points.
func TestProgressOfGrid(t *testing.T) {
	var seen []run.State
	s := smallGrid(saveSummary)
	err := s.Run(t.Context(), run.Options{Seed: 3, Progress: func(s run.State) { seen = append(seen, s) }},
		data.NewTable(run.Schema(s, 3)))
	const layers = 6 * 30 * 25
	last := seen[len(seen)-1]
	if got := run.Cells(s); got != 6 {
		t.Errorf("%d cells, want 6", got)
	}
	if err != nil || last.Done != layers || len(seen) < 6 {
		t.Fatalf("%d states, the last %+v, error %v", len(seen), last, err)
	}
	for k, state := range seen {
		if state.Total != layers || state.AllCells != 6 || state.Cells < int(state.Done*6/layers)-1 ||
			k > 0 && (state.Done < seen[k-1].Done || state.Cells < seen[k-1].Cells) {
			t.Errorf("state %d: %+v", k, state)
		}
	}
}

// The lines of a figure go from left to right, whatever the order of the list of values.
func TestLinesOfUnsortedLists(t *testing.T) {
	s := New()
	s.Model, s.Law, s.Epsilon, s.Depth, s.Horizon, s.Trajectories = "hybrid", sde.Rademacher, 0.8, 10, 2, 20
	s.varied.Beta, s.Beta = []float64{4, 0.5, 2}, 4
	drawn := must.Get(New().Draw(experimenttest.Table(t, s, run.Options{Seed: 3})))(t)
	lines := 0
	for _, mark := range drawn.Panels[0].Plot.Marks {
		line, is := mark.(figure.Line)
		if !is {
			continue
		}
		lines++
		x := lists.Map(line.Points, func(p figure.Point) float64 { return p.X })
		if !slices.Equal(x, []float64{0.5, 2, 4}) {
			t.Errorf("line %d is at %v", lines, x)
		}
	}
	if lines != 6 {
		t.Errorf("%d lines, want 6: simulated and theoretical ones of three outcomes", lines)
	}
}

// A grid is drawn along one or two parameters; the trajectories of all seeds are counted together.
func TestGridsAreDrawn(t *testing.T) {
	for _, save := range []string{saveOutcomes, saveSummary} {
		s := smallGrid(save)
		table := experimenttest.Table(t, s, run.Options{Seed: 3})
		ends := s.ends(experimenttest.Must(run.RowsOf[sweptRow](experimenttest.Must(s.digestOf(table)))))
		if len(ends) != 3 || ends[0].Trajectories != 60 || ends[2].at.X != 4 {
			t.Errorf("ends %+v", ends)
		}
		for _, epsilon := range [][]float64{nil, {1, 1.3}} {
			s.Model, s.varied.Epsilon = "hybrid", epsilon
			table := experimenttest.Table(t, s, run.Options{Seed: 3})
			var picture bytes.Buffer
			drawn, err := New().Draw(table)
			if err == nil {
				err = drawn.WriteSVG(&picture)
			}
			if err != nil || !slices.Contains([]int{1, 2}, len(s.drawnAxes())) {
				t.Errorf("%s over %v: %v", save, epsilon, err)
			}
		}
		s.varied.Dim = []int{3, 4}
		if !errors.Is(s.Drawable(), figure.ErrNone) {
			t.Error("a figure of three parameters")
		}
	}
	if !errors.Is(smallGrid(saveOverlaps).Drawable(), figure.ErrNone) {
		t.Error("a figure of the overlaps of six ensembles")
	}
	if smallSimulation(saveOverlaps).Drawable() != nil {
		t.Error("no figure of one ensemble")
	}
}
