package evolve

import (
	"fmt"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// Draw implements run.Experiment. The figure of experiment evolve shows the fractions of outcomes against
// time, with a column of panels for each of up to three β. If there is one dimension, a panel has a line for
// each outcome and model. If there are several dimensions, the upper panels show the antipodal fraction and
// the lower panels the unclustered fraction, with a line for each of up to six dimensions. For two tokens,
// dots show the simulation and lines the theory.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	e := New()
	rows, later, err := readRows(e, table)
	if err != nil {
		return nil, err
	}
	const mostColumns = 3
	all := figure.DistinctOf(rows, func(r Row) float64 { return r.Beta })
	betas := figure.Spread(all, mostColumns)
	key := &figure.Key{}
	var panels [][]*figure.Plot
	for _, series := range e.panels(drawnCells(rows, later)) {
		var row []*figure.Plot
		for _, beta := range betas {
			p, err := e.panel(beta, series, key)
			if err != nil {
				return nil, err
			}
			row = append(row, p)
		}
		panels = append(panels, row)
		shareRange(row)
		if len(panels) > 1 && !e.LogTime && e.Forecast == 0 {
			endWhereDecided(row)
		}
	}
	text := run.Caption(table, e.captionText())
	text += figure.NotDrawn("β", all, betas) +
		figure.NotDrawn("d", e.dims(), figure.Spread(e.dims(), len(figure.SeriesColors)))
	width, rowHeight := float64(figure.Width), 390.0
	if len(betas) == 1 {
		width = 680
	}
	if len(panels) > 1 {
		rowHeight = 300
	}
	return figure.Aligned(width, rowHeight*float64(len(panels))+50, panels, key, text)
}

// shareRange gives all plots of fractions the same vertical range, from 0 to the least multiple of 0.1 at
// which the plots show all fractions.
func shareRange(row []*figure.Plot) {
	top := lists.Max(0.0, row, func(p *figure.Plot) float64 { return p.Y.High })
	top = math.Ceil(10*top) / 10
	for _, p := range row {
		p.Y.Range(-0.02*top, 1.02*top)
	}
}

// endWhereDecided ends the time axis of the plots where all lines have fallen below 0.01 for good, if that is
// in the first half of the axis.
func endWhereDecided(row []*figure.Plot) {
	const least = 0.01
	last, end := 0.0, 0.0
	for _, p := range row {
		end = max(end, p.X.High)
		for _, mark := range p.Marks {
			if line, is := mark.(figure.Line); is {
				for _, at := range line.Points {
					if at.Y >= least {
						last = max(last, at.X)
					}
				}
			}
		}
	}
	if last <= 0 || last >= end/2 {
		return
	}
	for _, p := range row {
		p.X.Range(0, math.Ceil(last))
		for k, mark := range p.Marks {
			if dots, is := mark.(figure.Dots); is {
				p.Marks[k] = until(p.X.High, dots)
			}
		}
	}
}

// until returns the dots of a plot whose times are at most end.
func until(end float64, dots figure.Dots) figure.Dots {
	left := dots
	left.Points, left.Low, left.High = nil, nil, nil
	for k, at := range dots.Points {
		if at.X <= end {
			left.Points = append(left.Points, at)
			left.Low, left.High = append(left.Low, dots.Low[k]), append(left.High, dots.High[k])
		}
	}
	return left
}

// captionText states the parameters that have an effect for a caption.
func (e *Experiment) captionText() string {
	text := fmt.Sprintf("%s attention", e.Attention)
	if slices.Contains(e.Model, setting.Hybrid) {
		text += fmt.Sprintf(", ε = %g", e.Epsilon)
	}
	if !slices.Equal(e.Model, []setting.Model{setting.Flow}) {
		text += fmt.Sprintf(", %s noise", e.Law)
	}
	if slices.Contains(e.Model, setting.Transformer) {
		text += setting.SigmaText(e.Sigma)
	}
	text += e.Interaction.Caption() + e.beside().Caption() + fmt.Sprintf(
		", %s, depth %d, tolerance %g, 95 %% intervals", wording.Count(e.Trajectories, "trajectory"), e.Depth,
		e.Tolerance)
	if e.hasTheory() || e.threeTokens() {
		text += "; dots simulated, lines theory"
	}
	if e.Forecast > 0 {
		text += "; beyond the horizon a forecast of the antipodal fraction (dashed; its interval dotted)"
	}
	return text
}
