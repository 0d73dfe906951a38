package hybrid

import (
	"fmt"
	"image/color"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/run"
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap"
)

// Draw implements run.Experiment. The left panel of the figure shows the more frequent outcome over the plane
// of β and ε, with the theoretical thresholds. The right panel shows the antipodal fraction against ε, with
// theoretical lines, for up to mostHybridLines values of β.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	h := New()
	rows, err := run.ReadRows[Row](h, table)
	if err != nil {
		return nil, err
	}
	betas := temperatures(rows)
	drawn := figure.Spread(betas, mostHybridLines)
	key := &figure.Key{}
	curves := h.Curves(rows, drawn, key)
	parameters := fmt.Sprintf("%s attention, d = %d, %s noise, %s a cell, depth %d, "+
		"horizon %g, tolerance %g, 95 %% intervals",
		h.Attention, h.Dim, h.Law, wording.Count(h.Trajectories, "trajectory"), h.Depth, h.Horizon,
		h.Tolerance) +
		h.Interaction.Caption() + h.beside().Caption()
	text := run.Caption(table, parameters) + figure.NotDrawn("β (on the right)", betas, drawn)
	return figure.Stack(figure.Width, 430, []figure.Row{{Panels: []figure.Panel{
		{Plot: h.plane(rows), Bar: &dominanceBar, BarWide: 92}, {Plot: curves, Key: key}}}}, nil, text)
}

// mostHybridLines is the greatest number of β whose steep lines in the plot against ε can be distinguished.
const mostHybridLines = 3

// dominanceColor returns the colour of a cell with the given fractions of outcomes. The colour is light if
// single clusters are more frequent, dark if antipodal clusters are more frequent, and grey if they are
// equally frequent. The greater the fraction of the more frequent outcome, the further the colour is from
// grey.
func dominanceColor(single, antipodal float64) color.Color {
	fraction := antipodal
	if single > antipodal {
		fraction = -single
	}
	return figure.MixStops((1+fraction)/2, [][3]float64{{255, 225, 130}, {200, 188, 190}, {52, 16, 96}})
}

// dominanceBar is the colour scale that explains the colours of dominanceColor.
var dominanceBar = figure.ColorBar{
	Color: func(share float64) color.Color { return dominanceColor(max(0, 1-2*share), max(0, 2*share-1)) },
	Ticks: []figure.BarTick{{Share: 0, Label: "1 single"}, {Share: 0.25, Label: "0.5 single"},
		{Share: 0.5, Label: "0"}, {Share: 0.75, Label: "0.5 antipodal"}, {Share: 1, Label: "1 antipodal"}},
}

// temperatures returns the different inverse temperatures β in the rows, in ascending order.
func temperatures(rows []Row) []float64 {
	return figure.DistinctOf(rows, func(r Row) float64 { return r.Beta })
}

// amplitudes returns the different noise amplitudes ε in the rows, in ascending order.
func amplitudes(rows []Row) []float64 {
	return figure.DistinctOf(rows, func(r Row) float64 { return r.Epsilon })
}

// plane returns the plot of the more frequent outcome over the plane of β and ε.
func (h *Experiment) plane(rows []Row) *figure.Plot {
	title := "More frequent outcome; dashed: ε² = 2e^-β"
	if theory.Attention(h.Attention) == overlap.Softmax {
		title = "More frequent outcome; dashed: ε² = 2, dotted: ε² = 1+e^-2β"
	}
	if !h.hasTheory() || !h.beside().None() {
		title = "More frequent outcome"
	}
	p := figure.NewPlot(title, "inverse temperature β", "noise amplitude ε")
	columns := figure.Cells{Grid: temperatures(rows), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: amplitudes(rows), Low: 0, High: math.Inf(1)}
	at := lists.Map(rows, func(r Row) figure.Point { return figure.Point{X: r.Beta, Y: r.Epsilon} })
	p.Tiles(columns, lines, at,
		func(k int) color.Color { return dominanceColor(rows[k].PSingle, rows[k].PAntipodal) })
	if h.hasTheory() && h.beside().None() {
		h.addThresholds(p)
	}
	return p
}

// addThresholds adds to a plot over β and ε the line of thresholds of each outcome. With unnormalised
// attention both lines coincide.
func (h *Experiment) addThresholds(p *figure.Plot) {
	attention := theory.Attention(h.Attention)
	var single, antipodal []figure.Point
	const points = 200
	low := max(0, p.X.Low) // the tiles of β = 0 extend below 0
	for k := range points + 1 {
		beta := low + (p.X.High-low)*float64(k)/points
		s, a := overlap.HybridThresholds(beta, attention)
		if s >= p.Y.Low && s <= p.Y.High {
			single = append(single, figure.Point{X: beta, Y: s})
		}
		if a >= p.Y.Low && a <= p.Y.High {
			antipodal = append(antipodal, figure.Point{X: beta, Y: a})
		}
	}
	p.RimmedLine(single, figure.Stroke{Color: color.Black, Width: 1.5, Dashes: figure.Dashed})
	if attention == overlap.Softmax {
		p.RimmedLine(antipodal, figure.Stroke{Color: color.Black, Width: 1.5, Dashes: figure.Dotted})
	}
}

// Curves plots the antipodal fraction against the noise amplitude ε for some values of β. Dots show the
// simulated rows, and lines show the theory over the range of ε of the rows.
func (h *Experiment) Curves(rows []Row, betas []float64, key *figure.Key) *figure.Plot {
	title := fmt.Sprintf("Dots simulated; theory at depth %d, time %g solid, limit dotted", h.Depth,
		h.Horizon)
	if !h.beside().None() {
		title = fmt.Sprintf("Dots simulated; theory in the limit, at time %g solid, in the end dotted",
			h.Horizon)
	}
	if !h.hasTheory() {
		title = fmt.Sprintf("Simulated until time %g", h.Horizon)
	}
	p := figure.NewPlot(title,
		"noise amplitude ε", "P(antipodal)")
	low, high := theory.LineRange(amplitudes(rows))
	lines := make([]theory.Curves, len(betas))
	if h.hasTheory() {
		layers := setting.CheckedLayers(h.Depth, h.Horizon)
		lines = theory.Trace(betas, h.cell, low, high, layers, h.Horizon, h.Tolerance)
	}
	for i, beta := range betas {
		var points figure.Intervals
		for _, r := range rows {
			if r.Beta == beta {
				low, high := outcomes.Wilson(r.Antipodal, r.Trajectories)
				points.Add(r.Epsilon, r.PAntipodal, low, high)
			}
		}
		lines[i].Add(p, i)
		p.Dots(i, points)
		key.Add(fmt.Sprintf("β = %g", beta), figure.Stroke{Color: figure.SeriesColors[i], Width: 1.2},
			figure.SeriesGlyph(i))
	}
	p.X.Range(low, high)
	p.Y.Range(-0.01, 1.03)
	return p
}
