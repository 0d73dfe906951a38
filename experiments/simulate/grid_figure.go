package simulate

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// Drawable implements run.Drawer. A sweep over parameters has a figure if its table has outcomes and if one
// or two parameters vary besides the seed.
func (s *Experiment) Drawable() error {
	switch axes := len(s.drawnAxes()); {
	case s.splits():
		return fmt.Errorf("%w: it has the probability of one outcome", figure.ErrNone)
	case len(s.axes()) == 0:
		return nil
	case !s.savesOutcomes():
		return fmt.Errorf("%w: it has the %s of several ensembles", figure.ErrNone, s.Save)
	case axes > 2:
		return fmt.Errorf("%w: %d parameters vary, and at most two can be drawn", figure.ErrNone, axes)
	}
	return nil
}

// savesOutcomes reports whether the table has the outcomes of the trajectories at the horizon.
func (s *Experiment) savesOutcomes() bool {
	return s.splits() || s.Save == saveOutcomes || s.Save == saveSummary
}

// drawnAxes returns the indices of the varying parameters that are axes of the figure of a sweep. The seed is
// an axis only if no other parameter varies.
func (s *Experiment) drawnAxes() (places []int) {
	axes := s.axes()
	for k, a := range axes {
		if a.column.Name != "seed" || len(axes) == 1 {
			places = append(places, k)
		}
	}
	return places
}

// drawGrid plots how the trajectories of each point of a sweep end: as curves over one parameter, or as a
// heat map over two parameters.
func (s *Experiment) drawGrid(table *data.Table) (*figure.Figure, error) {
	digest, err := s.digestOf(table)
	if err != nil {
		return nil, err
	}
	rows, err := someRows[sweptRow](digest)
	if err != nil {
		return nil, err
	}
	ends := s.ends(rows)
	caption := run.Caption(table, s.gridText())
	if len(s.drawnAxes()) == 1 {
		return s.drawCurves(ends, caption)
	}
	return s.drawMap(ends, caption)
}

// gridEnd counts the outcomes of the trajectories at a point of the plotted parameters, over all seeds.
type gridEnd struct {
	at figure.Point
	fractionRow
}

func (s *Experiment) ends(rows []sweptRow) (ends []gridEnd) {
	axes, places, points := s.axes(), s.drawnAxes(), s.points(0)
	known := map[[2]int]int{} // places in ends, by the indices of the plotted values
	for _, r := range rows {
		var indices [2]int
		var at [2]float64
		for k, place := range places {
			indices[k] = points[r.Point].at[place]
			at[k] = axes[place].number(indices[k])
		}
		k, seen := known[indices]
		if !seen {
			k = len(ends)
			known[indices] = k
			end := gridEnd{at: figure.Point{X: at[0]}}
			if len(places) > 1 {
				end.at = figure.Point{X: at[1], Y: at[0]}
			}
			ends = append(ends, end)
		}
		ends[k].add(r.fractionRow)
	}
	return ends
}

// add adds the counts and the sum of imbalances of another row to the row.
func (r *fractionRow) add(other fractionRow) {
	r.Trajectories += other.Trajectories
	r.Single += other.Single
	r.Antipodal += other.Antipodal
	r.Unclustered += other.Unclustered
	r.Pair += other.Pair
	r.Imbalance += other.Imbalance
}

// gridText returns the caption of the figure of a sweep: the parameters that do not vary.
func (s *Experiment) gridText() string {
	text := fmt.Sprintf("%s, %s attention, %s a point", s.Model, s.Attention,
		wording.Count(s.Trajectories, "trajectory"))
	for _, p := range []struct {
		name   string
		value  any
		varies bool
	}{{"N", s.Tokens, s.varied.Tokens != nil}, {"d", s.Dim, s.varied.Dim != nil},
		{"depth", s.Depth, s.varied.Depth != nil}, {"β", s.Beta, s.varied.Beta != nil},
		{"ε", s.Epsilon, s.varied.Epsilon != nil || !s.Model.HasAmplitude()}} {
		if !p.varies {
			text += fmt.Sprintf(", %s = %v", p.name, p.value)
		}
	}
	if n := len(s.varied.Seeds); n > 0 && len(s.axes()) > 1 {
		text += fmt.Sprintf(", %d seeds together", n)
	}
	return text + fmt.Sprintf(", time %g, tolerance %g", s.Horizon, s.Tolerance)
}

func (s *Experiment) drawCurves(ends []gridEnd, caption string) (*figure.Figure, error) {
	axis := s.axes()[s.drawnAxes()[0]].column
	byX := func(a, b gridEnd) int { return cmp.Compare(a.at.X, b.at.X) }
	ends = slices.SortedFunc(slices.Values(ends), byX)
	p := figure.NewPlot(fmt.Sprintf("Outcomes at time %g, with 95 %% intervals", s.Horizon), axis.Meaning,
		"fraction")
	key := &figure.Key{}
	for k, event := range s.fractions() {
		var dots figure.Intervals
		for _, end := range ends {
			n, all := event.count(end.fractionRow), end.Trajectories
			low, high := outcomes.Wilson(n, all)
			dots.Add(end.at.X, float64(n)/float64(all), low, high)
		}
		x, y := dots.XY()
		key.Add(event.name, p.Curve(k, x, y, figure.Stroke{Color: figure.SeriesColors[k], Width: 1,
			Dashes: event.dashes}))
		p.Dots(k, dots)
	}
	theoretical, err := s.addChancesOfGrid(p, ends)
	if err != nil {
		return nil, err
	}
	if theoretical {
		caption += theoryText
	}
	p.Y.Range(-0.02, 1.02)
	return figure.Single(figure.Width, height, figure.Panel{Plot: p, Key: key}, caption)
}

func (s *Experiment) drawMap(ends []gridEnd, caption string) (*figure.Figure, error) {
	axes, places := s.axes(), s.drawnAxes()
	p := figure.NewPlot(fmt.Sprintf("Antipodal fraction at time %g", s.Horizon),
		axes[places[1]].column.Meaning, axes[places[0]].column.Meaning)
	at := lists.Map(ends, func(end gridEnd) figure.Point { return end.at })
	grid := func(value func(figure.Point) float64) figure.Cells {
		return figure.Cells{Grid: figure.DistinctOf(at, value), Low: 0, High: math.Inf(1)}
	}
	p.Tiles(grid(func(at figure.Point) float64 { return at.X }),
		grid(func(at figure.Point) float64 { return at.Y }), at, func(k int) color.Color {
			return figure.ProbabilityColor(float64(ends[k].Antipodal) / float64(ends[k].Trajectories))
		})
	bar := figure.ProbabilityBar(1)
	return figure.Single(figure.Width, height, figure.Panel{Plot: p, Bar: &bar}, caption)
}
