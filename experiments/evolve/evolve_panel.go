package evolve

import (
	"fmt"

	"antipode/experiments/figure"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/internal/theory"
	"antipode/experiments/wording"
	"antipode/overlap/fokkerplanck"
	"antipode/sphere"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// evolveSeries is one line of every panel of a row, and its name in the legend.
type evolveSeries struct {
	name, label string // of the y axis
	color, dash int
	line        func(beta float64) *evolveLine // nil if there is none
	counts      func(l *evolveLine) []int64
	theory      func(law fokkerplanck.Distribution) float64 // of two tokens
}

// panels are the series of each row of panels.
func (e *Evolve) panels(lines []*evolveLine) [][]evolveSeries {
	outcome := func(o sphere.Outcome) func(*evolveLine) []int64 {
		return func(l *evolveLine) []int64 { return l.outcomes[o] }
	}
	find := func(model string, dim int) func(float64) *evolveLine {
		return func(beta float64) *evolveLine {
			for _, l := range lines {
				if l.model == model && l.dim == dim && l.beta == beta {
					return l
				}
			}
			return nil
		}
	}
	antipodal := func(law fokkerplanck.Distribution) float64 {
		return theory.Known(law.Antipodal(e.Tolerance)).Value
	}
	single := func(law fokkerplanck.Distribution) float64 {
		return theory.Known(law.Single(e.Tolerance)).Value
	}
	unclustered := func(law fokkerplanck.Distribution) float64 { return 1 - antipodal(law) - single(law) }
	var above, below []evolveSeries
	for m, model := range e.Model {
		suffix := ""
		if len(e.Model) > 1 {
			suffix = ", " + model
		}
		if len(e.Dim) == 1 {
			line := find(model, e.Dim[0])
			above = append(above,
				evolveSeries{"single" + suffix, "fraction of trajectories", 0, m, line, outcome(sphere.Single), single},
				evolveSeries{"antipodal" + suffix, "fraction of trajectories", 1, m, line, outcome(sphere.Antipodal), antipodal},
				evolveSeries{"unclustered" + suffix, "fraction of trajectories", 2, m, line, outcome(sphere.Unclustered), unclustered})
			if e.Tokens > 2 && len(e.Model) == 1 { // for two it is the same as antipodal
				above = append(above, evolveSeries{"antipodal pair", "fraction of trajectories", 3, 1, line, func(l *evolveLine) []int64 { return l.pair }, nil})
			}
			continue
		}
		dims := make([]float64, len(e.Dim))
		for k, d := range e.Dim {
			dims[k] = float64(d)
		}
		for k, d := range figure.Spread(figure.Distinct(dims), len(figure.SeriesColors)) {
			name, line, dash := fmt.Sprintf("d = %g%s", d, suffix), find(model, int(d)), m
			if len(e.Model) == 1 {
				dash = k
			}
			above = append(above, evolveSeries{name, "P(antipodal)", k, dash, line, outcome(sphere.Antipodal), antipodal})
			below = append(below, evolveSeries{name, "P(unclustered)", k, dash, line, outcome(sphere.Unclustered), unclustered})
		}
	}
	if below == nil {
		return [][]evolveSeries{above}
	}
	return [][]evolveSeries{above, below}
}

// panel is the plot of the series at one β.
func (e *Evolve) panel(beta float64, series []evolveSeries, key *figure.Key) (*plot.Plot, error) {
	title := fmt.Sprintf("β = %g, %d %s", beta, e.Tokens, wording.Plural("token", "tokens", e.Tokens))
	if len(e.Dim) == 1 {
		title += fmt.Sprintf(", d = %d", e.Dim[0])
	}
	p := figure.NewPlot(title, "time", series[0].label)
	dotsOfLine := 10
	if len(series) > 4 {
		dotsOfLine = 6
	}
	for i, s := range series {
		l := s.line(beta)
		if l == nil {
			continue
		}
		style := draw.LineStyle{Color: figure.SeriesColors[s.color], Width: 1.3, Dashes: figure.SeriesDashes[s.dash]}
		drawLine := func() error { return l.addSimulated(p, s, style) }
		if e.hasTheory() {
			drawLine = func() error { return e.addTheory(p, l, s, style) }
		}
		if err := drawLine(); err != nil {
			return nil, err
		}
		dots, err := figure.AddDots(p, s.color, l.dots(s, float64(i+1)/float64(len(series)+1), dotsOfLine))
		if err != nil {
			return nil, err
		}
		key.Add(s.name, &plotter.Line{LineStyle: style}, dots)
	}
	if e.LogTime && p.X.Min < p.X.Max {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, figure.LogTicks{}
	} else {
		p.X.Min = 0
	}
	return p, nil
}

// addSimulated adds the simulated fractions at all times.
func (l *evolveLine) addSimulated(p *plot.Plot, s evolveSeries, style draw.LineStyle) error {
	y := make([]float64, len(l.time))
	for k := range y {
		y[k] = l.fraction(s.counts(l), k)
	}
	_, err := figure.AddLine(p, l.time, y, style)
	return err
}

// addTheory adds the theory's probabilities at the times above 0.
func (e *Evolve) addTheory(p *plot.Plot, l *evolveLine, s evolveSeries, style draw.LineStyle) error {
	if l.laws == nil {
		times := l.time
		if times[0] == 0 {
			times = times[1:]
		}
		var err error
		if l.laws, err = e.theory(l, times, 1e-3); err != nil {
			return err
		}
	}
	x, y := make([]float64, len(l.laws)), make([]float64, len(l.laws))
	for k, law := range l.laws {
		x[k], y[k] = law.Time, s.theory(law)
	}
	return figure.AddBroken(p, x, y, style)
}

// dots are the simulated fractions at some of the times, with their intervals; the
// offset, from 0 to 1, keeps those of several lines apart.
func (l *evolveLine) dots(s evolveSeries, offset float64, most int) *figure.Intervals {
	points := &figure.Intervals{}
	last := -1
	for i := range most {
		k := int((float64(i) + offset) / float64(most) * float64(len(l.time)))
		if k == last {
			continue
		}
		last = k
		count := s.counts(l)[k]
		low, high := outcomes.Wilson(count, l.trajectories)
		points.Add(l.time[k], l.fraction(s.counts(l), k), low, high)
	}
	return points
}
