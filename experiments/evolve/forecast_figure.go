package evolve

import (
	"fmt"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
)

// readRows returns the rows of a table up to the horizon (rows), and the rows of the forecast (later).
func readRows(e *Experiment, table *data.Table) (rows []Row, later []ForecastRow, err error) {
	all, err := run.ReadRows[ForecastRow](e, table)
	if err != nil {
		return nil, nil, err
	}
	for _, r := range all {
		if r.Trajectories > 0 {
			rows = append(rows, r.Row)
		} else {
			later = append(later, r)
		}
	}
	return rows, later, nil
}

// of returns the rows of a forecast that belong to the same cell as the row r.
func (r Row) of(later []ForecastRow) (own []ForecastRow) {
	return lists.Filter(later, func(f ForecastRow) bool { return f.cell() == r.cell() })
}

// addForecast adds to a plot the forecast of the antipodal fraction of a cell beyond the horizon: a dashed
// line, between dotted lines for the 95 % interval.
func addForecast(p *figure.Plot, c *drawnCell, color int) {
	var x, y, low, high []float64
	for _, f := range c.later {
		x, y = append(x, f.Time), append(y, f.PForecast)
		low, high = append(low, f.ForecastLow), append(high, f.ForecastHigh)
	}
	stroke := figure.Stroke{Color: figure.SeriesColors[color], Width: 1.3, Dashes: figure.Dashed}
	p.BrokenLine(x, y, stroke)
	stroke.Width, stroke.Dashes = 0.8, figure.Dotted
	p.BrokenLine(x, low, stroke)
	p.BrokenLine(x, high, stroke)
}

// expectation states in words, for a few cells, the forecast of the antipodal fraction at its last time.
func (e *Experiment) expectation(later []ForecastRow) string {
	const most = 6
	text, cells := "", 0
	for _, f := range later {
		if f.Time != e.Forecast {
			continue
		}
		if cells++; cells <= most {
			text += fmt.Sprintf("; d = %d, β = %g: %s (95 %% interval %.4f to %.4f)", f.Dim, f.Beta,
				wording.OrNone(f.PForecast), f.ForecastLow, f.ForecastHigh)
		}
	}
	if cells == 0 {
		return ""
	}
	text = fmt.Sprintf(" Forecast of the antipodal fraction at time %g", e.Forecast) + text
	if cells > most {
		text += fmt.Sprintf("; and %s", wording.Count(cells-most, "more cell"))
	}
	return text + "."
}
