package simulate

import (
	"image/color"
	"math"
	"reflect"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sphere"
	"antipode/sphere/must"
)

// The overlaps of several trajectories have the colours of the legend.
func TestOverlapsHaveTheColoursOfTheirTrajectories(t *testing.T) {
	s := New()
	s.Save, s.Tokens, s.Trajectories, s.Depth, s.Horizon = saveOverlaps, 3, 30, 10, 5
	drawn := must.Get(s.Draw(experimenttest.Table(t, s, run.Options{Seed: 1})))(t)
	r := figuretest.Figure(drawn)
	for k, c := range figure.SeriesColors {
		lines := 0
		for _, line := range r.Lines {
			if line.Color == c && len(line.Points) == 6 { // at times 0 to 5
				lines++
			}
		}
		if lines != 3 {
			t.Errorf("trajectory %d has %d lines in its colour, not those of 3 pairs", k, lines)
		}
	}
}

// The figure of outcomes has a line for the fraction of each outcome, drawn above the bands of Wilson's
// intervals; with more than two tokens also a line for antipodal pairs.
func TestFigureOfOutcomes(t *testing.T) {
	s := New()
	s.Save, s.Tokens, s.Trajectories = saveOutcomes, 3, 4
	outcomes := map[float64][]sphere.Outcome{
		0: {sphere.Unclustered, sphere.Unclustered, sphere.Unclustered, sphere.Antipodal},
		1: {sphere.Single, sphere.Antipodal, sphere.Single, sphere.Single},
	}
	var rows []OutcomeRow
	for trajectory := range int64(4) {
		for _, time := range []float64{0, 1} {
			row := OutcomeRow{Moment: Moment{Trajectory: trajectory, Time: time},
				Outcome: outcomes[time][trajectory],
				Pair:    int32(trajectory) % 2, Clusters: 1, Largest: 3, Imbalance: math.NaN()}
			if row.Outcome == sphere.Antipodal {
				row.Clusters, row.Largest, row.Imbalance = 2, 2, 1./3
			}
			rows = append(rows, row)
		}
	}
	drawn := figuretest.Draw(t, s, experimenttest.TableOf(t, s, rows...))
	p := figuretest.Read(t, drawn, 0, "Outcomes of 4 trajectories, with 95 % intervals", "time", "fraction")
	for k, fractions := range [][2]float64{{0, 0.75}, {0.25, 0.25}, {0.75, 0}, {0.5, 0.5}} {
		stroke := figure.Stroke{Color: figure.SeriesColors[k], Width: 1.5}
		if k == 3 {
			stroke.Dashes = []float64{5, 3}
		}
		p.Has(figuretest.LineOf(stroke, 0, fractions[0], 1, fractions[1]))
		band := figure.Band{X: []float64{0, 1}, Color: figure.SeriesColors[k]}
		for _, share := range fractions {
			low, high := wilson(4*share, 4)
			band.Low, band.High = append(band.Low, max(0, low)), append(band.High, min(1, high))
		}
		p.Has(band)
		if _, is := p.Marks[k].(figure.Band); !is {
			t.Errorf("mark %d is no band", k)
		}
	}
	p.Has(figuretest.LineOf(figure.Stroke{Color: figure.SeriesColors[4], Width: 1.5, Dashes: figure.Dotted},
		0, 1./3, 1, 1./3))
	p.Count(9)
	p.Range(p.Y, 0, 1)
	figuretest.Key(t, drawn.Panels[0].Key, drawn.Panels, "single", "antipodal", "unclustered",
		"antipodal pair", "mean imbalance of antipodal trajectories")
}

// wilson returns Wilson's 95 % interval of the fraction count/n.
func wilson(count, n float64) (low, high float64) {
	const z = 1.959963984540054
	p, scale := count/n, 1+z*z/n
	middle := (p + z*z/(2*n)) / scale
	half := z / scale * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return middle - half, middle + half
}

// If there is one trajectory, each pair of tokens has its own line and name. The axis goes from -1 to 1, or
// from 0 if no overlap is negative.
func TestFigureOfOverlaps(t *testing.T) {
	s := New()
	s.Save, s.Tokens = saveOverlaps, 3
	var rows []OverlapRow
	for _, time := range []float64{0, 1} {
		for k, pair := range [][2]int32{{1, 2}, {1, 3}, {2, 3}} {
			rows = append(rows, OverlapRow{Moment: Moment{Time: time}, First: pair[0], Second: pair[1],
				Overlap: float64(k)/10 + time/2})
		}
	}
	drawn := figuretest.Draw(t, s, experimenttest.TableOf(t, s, rows...))
	p := figuretest.Read(t, drawn, 0, "Overlaps in trajectory 0", "time", "overlap")
	for k := range 3 {
		p.Has(figuretest.LineOf(figure.Stroke{Color: figure.SeriesColors[k], Width: 1}, 0, float64(k)/10, 1,
			float64(k)/10+0.5))
	}
	p.Count(3)
	p.Range(p.Y, 0, 1.03)
	figuretest.Key(t, drawn.Panels[0].Key, drawn.Panels, "tokens 1 and 2", "tokens 1 and 3", "tokens 2 and 3")

	rows[0].Overlap = -0.01
	drawn = figuretest.Draw(t, s, experimenttest.TableOf(t, s, rows...))
	p = figuretest.Read(t, drawn, 0, "Overlaps in trajectory 0", "time", "overlap")
	p.Range(p.Y, -1.03, 1.03)
}

// On the circle the figure shows the angles of tokens in units of π. On the sphere it shows the overlaps with
// the first token, coloured by time, and a globe for each of some times.
func TestFigureOfStates(t *testing.T) {
	s := New()
	s.Save, s.Dim, s.Tokens = saveStates, 2, 2
	drawn := figuretest.Draw(t, s, experimenttest.TableOf(t, s,
		StateRow{Moment: Moment{}, Tokens: [][]float64{{1, 0}, {0, 1}}},
		StateRow{Moment: Moment{Time: 2}, Tokens: [][]float64{{0.6, 0.8}, {-0.6, 0.8}}}))
	p := figuretest.Read(t, drawn, 0, "Angles of the tokens of trajectory 0", "time", "angle / π")
	p.Has(figuretest.LineOf(figure.Stroke{Color: figure.SeriesColors[0], Width: 1}, 0, 0, 2,
		math.Acos(0.6)/math.Pi))
	p.Has(figuretest.LineOf(figure.Stroke{Color: figure.SeriesColors[1], Width: 1}, 0, 0.5, 2,
		math.Acos(-0.6)/math.Pi))
	p.Range(p.Y, -1, 1)
	figuretest.Key(t, drawn.Panels[0].Key, drawn.Panels, "token 1", "token 2")

	s.Dim = 3
	drawn = figuretest.Draw(t, s, experimenttest.TableOf(t, s,
		StateRow{Moment: Moment{}, Tokens: [][]float64{{1, 0, 0}, {0, 1, 0}}},
		StateRow{Moment: Moment{Time: 2}, Tokens: [][]float64{{0, 0, 1}, {0.6, 0, 0.8}}}))
	figuretest.Read(t, drawn, 0, "time 0", "", "")
	figuretest.Read(t, drawn, 1, "time 2", "", "")
	p = figuretest.Read(t, drawn, 2, "", "time", "overlap with token 1")
	line := figuretest.LineOf(figure.Stroke{Width: 0.8}, 0, 0, 2, 0.8)
	line.Shades = []color.Color{color.RGBA{68, 1, 84, 255}}
	p.Has(line)
	for _, time := range []float64{0, 2} {
		p.Has(figuretest.LineOf(figure.Stroke{Color: color.Gray{170}, Width: 0.8, Dashes: []float64{3, 3}},
			time, -1.04, time, 1.04))
	}
	p.Count(3)
	p.Range(p.X, 0, 2)
}

// Lines of many pairs of tokens are thinner, the paler the more there are, and without names. Of more than
// 300 pairs as many are drawn, which the title says.
func TestOverlapsOfManyPairs(t *testing.T) {
	for _, c := range []struct {
		tokens      int32
		title       string
		lines       int
		pale, width float64
	}{
		{4, "Overlaps in trajectory 0", 6, 0, 1}, {5, "Overlaps in trajectory 0", 10, 0.1, 0.7},
		{11, "Overlaps in trajectory 0", 55, 0.5, 0.7}, {25, "Overlaps in trajectory 0", 300, 0.5, 0.7},
		{26, "Overlaps in trajectory 0: 300 of 325 pairs", 300, 0.5, 0.7},
	} {
		s := New()
		s.Save, s.Tokens = saveOverlaps, int64(c.tokens)
		var rows []OverlapRow
		for _, time := range []float64{0, 1} {
			for first := int32(1); first <= c.tokens; first++ {
				for second := first + 1; second <= c.tokens; second++ {
					rows = append(rows, OverlapRow{Moment: Moment{Time: time}, First: first, Second: second,
						Overlap: time / 2})
				}
			}
		}
		drawn := figuretest.Draw(t, s, experimenttest.TableOf(t, s, rows...))
		plot, lines := drawn.Panels[0].Plot, 0
		for k, mark := range plot.Marks {
			color := figure.TowardsWhite(figure.SeriesColors[0], c.pale)
			stroke := figure.Stroke{Color: color, Width: c.width}
			if c.pale == 0 {
				stroke.Color = figure.SeriesColors[k]
			}
			if reflect.DeepEqual(mark, figuretest.LineOf(stroke, 0, 0, 1, 0.5)) {
				lines++
			}
		}
		if plot.Title != c.title || lines != c.lines || len(plot.Marks) != c.lines {
			t.Errorf("%d tokens: %q, %d lines of %d", c.tokens, plot.Title, lines, len(plot.Marks))
		}
	}
}

// The end of the only trajectory is told from its last overlaps, of which each may be at the tolerance.
func TestEndOfOneTrajectory(t *testing.T) {
	for _, c := range []struct {
		overlaps [3]float64
		want     string
	}{
		{[3]float64{0.75, 0.75, 0.75}, "single"}, {[3]float64{0.75, 0.74, 0.75}, "unclustered"},
		{[3]float64{0.75, -0.75, -0.75}, "antipodal"}, {[3]float64{-0.75, 0.75, -0.75}, "antipodal"},
		{[3]float64{0.75, -0.74, -0.75}, "unclustered"}, {[3]float64{0.5, -0.75, -0.75}, "unclustered"},
		{[3]float64{-0.75, 0.5, -0.75}, "unclustered"}, {[3]float64{-0.75, -0.75, 0.5}, "unclustered"},
	} {
		s := New()
		s.Save, s.Tokens, s.Tolerance = saveOverlaps, 3, 0.25
		var rows []OverlapRow
		for _, time := range []float64{0, 1} {
			for k, pair := range [][2]int32{{1, 2}, {1, 3}, {2, 3}} {
				rows = append(rows, OverlapRow{Moment: Moment{Time: time}, First: pair[0], Second: pair[1],
					Overlap: time * c.overlaps[k]})
			}
		}
		text := describe(t, s, experimenttest.TableOf(t, s, rows...))
		if want := "At time 1 trajectory 0 is " + c.want + ".\n"; !strings.Contains(text, want) {
			t.Errorf("%v: %q is not in %q", c.overlaps, want, text)
		}
	}
}
