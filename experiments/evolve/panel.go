package evolve

import (
	"fmt"
	"math"
	"slices"

	"antipode/experiments/figure"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap/fokkerplanck"
)

// drawnCell is a cell of the grid in a figure: its rows, its theory once that is computed, and its forecast.
type drawnCell struct {
	evolution
	laws  []fokkerplanck.Distribution
	later []ForecastRow
}

func drawnCells(rows []Row, later []ForecastRow) []*drawnCell {
	var cells []*drawnCell
	for _, c := range evolutions(rows) {
		cells = append(cells, &drawnCell{evolution: c, later: c.first().of(later)})
	}
	return cells
}

// series is a line that every panel in a row of panels has, for example that of an outcome, together with its
// name in the legend.
type series struct {
	name, label string // label is that of the vertical axis
	color, dash int
	cell        func(beta float64) *drawnCell // nil if there is none
	count       func(r Row) int64
	theory      func(law fokkerplanck.Distribution) float64 // theory of two tokens
	three       func(of theory.ThreeTokens) float64         // theory of three tokens, if the table has it
	forecast    bool                                        // whether there may be a forecast
}

// panels returns the lines of each row of panels. The argument cells has the cells of the table.
func (e *Experiment) panels(cells []*drawnCell) [][]series {
	find := func(model setting.Model, dim int) func(float64) *drawnCell {
		return func(beta float64) *drawnCell {
			for _, c := range cells {
				if r := c.first(); r.Model == Model(model) && int(r.Dim) == dim && r.Beta == beta {
					return c
				}
			}
			return nil
		}
	}
	events := e.events()
	var above, below []series
	for m, model := range e.Model {
		suffix := ""
		if len(e.Model) > 1 {
			suffix = ", " + model.String()
		}
		if len(e.Dim) == 1 {
			for k, s := range events[:3] {
				s.name, s.color, s.dash, s.cell = s.name+suffix, k, m, find(model, e.Dim[0])
				above = append(above, s)
			}
			// For two tokens the line of antipodal pairs would coincide with the line of the antipodal
			// outcome.
			if e.Tokens > 2 && len(e.Model) == 1 {
				pair := events[3]
				pair.color, pair.dash, pair.cell = 3, 1, find(model, e.Dim[0])
				above = append(above, pair)
			}
			continue
		}
		for k, d := range figure.Spread(e.dims(), len(figure.SeriesColors)) {
			dash := m
			if len(e.Model) == 1 {
				dash = k
			}
			name, a, u := fmt.Sprintf("d = %g%s", d, suffix), events[1], events[2]
			a.label, u.label = "P(antipodal)", "P(unclustered)"
			for _, s := range []*series{&a, &u} {
				s.name, s.color, s.dash, s.cell = name, k, dash, find(model, int(d))
			}
			above, below = append(above, a), append(below, u)
		}
	}
	if below == nil {
		return [][]series{above}
	}
	return [][]series{above, below}
}

// events returns the lines of the three outcomes and of the event of an antipodal pair, without a colour or a
// cell.
func (e *Experiment) events() []series {
	single := series{name: "single", label: "fraction of trajectories",
		count: func(r Row) int64 { return r.Single },
		theory: func(law fokkerplanck.Distribution) float64 {
			return theory.Known(law.Single(e.Tolerance)).Value
		},
		three: func(of theory.ThreeTokens) float64 { return of.Single }}
	antipodal := series{name: "antipodal", label: "fraction of trajectories", forecast: true,
		count: func(r Row) int64 { return r.Antipodal },
		theory: func(law fokkerplanck.Distribution) float64 {
			return theory.Known(law.Antipodal(e.Tolerance)).Value
		},
		three: func(of theory.ThreeTokens) float64 { return of.Antipodal }}
	unclustered := series{name: "unclustered", label: "fraction of trajectories",
		count: func(r Row) int64 { return r.Unclustered },
		theory: func(law fokkerplanck.Distribution) float64 {
			return 1 - antipodal.theory(law) - single.theory(law)
		},
		three: func(of theory.ThreeTokens) float64 { return 1 - of.Antipodal - of.Single }}
	pair := series{name: "antipodal pair", label: "fraction of trajectories",
		count: func(r Row) int64 { return r.AntipodalPair }}
	return []series{single, antipodal, unclustered, pair}
}

// dims returns the dimensions d of the grid in ascending order.
func (e *Experiment) dims() []float64 {
	return figure.DistinctOf(e.Dim, func(d int) float64 { return float64(d) })
}

// panel returns the plot of the given lines against time at one β.
func (e *Experiment) panel(beta float64, series []series, key *figure.Key) (*figure.Plot, error) {
	title := fmt.Sprintf("β = %g, %s", beta, wording.Count(e.Tokens, "token"))
	if len(e.Dim) == 1 {
		title += fmt.Sprintf(", d = %d", e.Dim[0])
	}
	p := figure.NewPlot(title, "time", series[0].label)
	dotsOfLine := 10
	if len(series) > 4 {
		dotsOfLine = 6
	}
	for i, s := range series {
		c := s.cell(beta)
		if c == nil {
			continue
		}
		stroke := figure.Stroke{
			Color: figure.SeriesColors[s.color], Width: 1.3, Dashes: figure.SeriesDashes[s.dash]}
		if e.showsThree(c.evolution) && s.three != nil {
			s.addThree(p, c.evolution, stroke)
		} else if !e.hasTheory() {
			s.addSimulated(p, c.evolution, stroke)
		} else if err := e.addTheory(p, c, s, stroke); err != nil {
			return nil, err
		}
		if s.forecast {
			addForecast(p, c, s.color)
		}
		offset := float64(i+1) / float64(len(series)+1)
		p.Dots(s.color, s.dots(c.evolution, offset, dotsOfLine))
		key.Add(s.name, stroke, figure.SeriesGlyph(s.color))
	}
	if (e.LogTime || e.Forecast > 0) && p.X.Low < p.X.High {
		p.X.Logarithmic = true
	} else {
		p.X.Low = 0
	}
	return p, nil
}

// addSimulated adds to a plot the line of the simulated fractions of a cell at all times.
func (s series) addSimulated(p *figure.Plot, c evolution, style figure.Stroke) {
	x := lists.Map(c, func(r Row) float64 { return r.Time })
	y := lists.Map(c, func(r Row) float64 { return r.fraction(s.count(r)) })
	p.Line(x, y, style)
}

// showsThree reports whether the table has the theory of three tokens for a cell.
func (e *Experiment) showsThree(c evolution) bool {
	known := func(r Row) bool { return !math.IsNaN(r.ThreeTokens.Error) }
	return e.threeTokens() && slices.ContainsFunc(c, known)
}

// addThree adds to a plot the theory of three tokens of a cell, at the times at which the theory is known.
func (s series) addThree(p *figure.Plot, c evolution, style figure.Stroke) {
	var x, y []float64
	for _, r := range c {
		if r.Time > 0 {
			x, y = append(x, r.Time), append(y, s.three(r.ThreeTokens))
		}
	}
	p.BrokenLine(x, y, style)
}

// addTheory adds to a plot the theoretical probabilities of two tokens of a cell, at the times above 0.
func (e *Experiment) addTheory(p *figure.Plot, c *drawnCell, s series, style figure.Stroke) error {
	if c.laws == nil {
		var times []float64
		for _, r := range c.evolution {
			if r.Time > 0 {
				times = append(times, r.Time)
			}
		}
		var err error
		if c.laws, err = e.theory(c.first(), times, 1e-3); err != nil {
			return err
		}
	}
	x := lists.Map(c.laws, func(law fokkerplanck.Distribution) float64 { return law.Time })
	y := lists.Map(c.laws, s.theory)
	p.BrokenLine(x, y, style)
	return nil
}

// dots returns the simulated fractions of a cell at up to most of the times, with their 95 % intervals. The
// argument offset, from 0 to 1, shifts the selected times, so that the dots of several lines do not cover
// each other.
func (s series) dots(c evolution, offset float64, most int) (points figure.Intervals) {
	last := -1
	for i := range most {
		k := int((float64(i) + offset) / float64(most) * float64(len(c)))
		if k == last {
			continue
		}
		last = k
		count := s.count(c[k])
		low, high := outcomes.Wilson(count, c[k].Trajectories)
		points.Add(c[k].Time, c[k].fraction(count), low, high)
	}
	return points
}
