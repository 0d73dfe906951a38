package hybrid

import (
	"fmt"
	"image/color"
	"math"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/interaction"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/internal/theory"
	"antipode/experiments/wording"
	"antipode/overlap"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements run.Experiment: on the left the more frequent outcome over (β, ε) with
// the theoretical thresholds, on the right the antipodal fraction against ε with the
// theory's lines, for up to six β.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	h := New()
	rows, err := h.readRows(table)
	if err != nil {
		return nil, err
	}
	plane, err := h.plane(rows)
	if err != nil {
		return nil, err
	}
	betas := temperatures(rows)
	drawn := figure.Spread(betas, mostHybridLines)
	key := &figure.Key{}
	curves, err := h.Curves(rows, drawn, key)
	if err != nil {
		return nil, err
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	parameters := fmt.Sprintf("%s attention, d = %d, %s noise, %s a cell, depth %d, "+
		"horizon %g, tolerance %g, 95 %% intervals",
		h.Attention, h.Dim, h.Law, wording.Count(h.Trajectories, "trajectory"), h.Depth, h.Horizon,
		h.Tolerance) +
		interaction.Text(h.Interaction)
	text := figure.RunCaption("hybrid", parameters, seed) + figure.NotDrawn("β (on the right)", betas, drawn)
	return &figure.Figure{Width: 870, Height: 430, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, text)
		c = draw.Crop(c, 8, -8, 0, -8)
		middle := c.Size().X * 0.51
		left := draw.Crop(c, 0, middle-c.Size().X, 0, 0)
		plane.Draw(draw.Crop(left, 0, -92, 0, 0))
		dominanceBar.Draw(draw.Crop(left, left.Size().X-82, 0, 50, -34))
		key.DrawBeside(curves, draw.Crop(c, middle+10, 0, 0, 0))
	}}, nil
}

// mostHybridLines is the number of β whose steep lines can be told apart.
const mostHybridLines = 3

// dominanceColor is light for single clusters and dark for antipodal ones, the more so
// the greater the fraction of the more frequent of them, and grey in the middle.
func dominanceColor(single, antipodal float64) color.Color {
	fraction := antipodal
	if single > antipodal {
		fraction = -single
	}
	return figure.MixStops((1+fraction)/2, [][3]float64{{255, 225, 130}, {200, 188, 190}, {52, 16, 96}})
}

// dominanceBar is the scale of dominanceColor.
var dominanceBar = figure.ColorBar{
	Color: func(share float64) color.Color { return dominanceColor(max(0, 1-2*share), max(0, 2*share-1)) },
	Ticks: []figure.BarTick{{Share: 0, Label: "1 single"}, {Share: 0.25, Label: "0.5 single"},
		{Share: 0.5, Label: "0"}, {Share: 0.75, Label: "0.5 antipodal"}, {Share: 1, Label: "1 antipodal"}},
}

// temperatures are the β of the rows, each once.
func temperatures(rows []Row) []float64 {
	return figure.DistinctOf(rows, func(r Row) float64 { return r.Beta })
}

// amplitudes are the ε of the rows, each once.
func amplitudes(rows []Row) []float64 {
	return figure.DistinctOf(rows, func(r Row) float64 { return r.Epsilon })
}

// plane is the map of the more frequent outcome over (β, ε).
func (h *Experiment) plane(rows []Row) (*plot.Plot, error) {
	title := "More frequent outcome; dashed: ε² = 2e^-β"
	attention := theory.Attention(h.Attention)
	if attention == overlap.Softmax {
		title = "More frequent outcome; dashed: ε² = 2, dotted: ε² = 1+e^-2β"
	}
	if !h.hasTheory() {
		title = "More frequent outcome"
	}
	p := figure.NewPlot(title, "inverse temperature β", "noise amplitude ε")
	columns := figure.Cells{Grid: temperatures(rows), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: amplitudes(rows), Low: 0, High: math.Inf(1)}
	var x, y []float64
	for _, r := range rows {
		x, y = append(x, r.Beta), append(y, r.Epsilon)
	}
	fill := func(k int) color.Color { return dominanceColor(rows[k].PSingle, rows[k].PAntipodal) }
	err := figure.AddTiles(p, columns, lines, x, y, fill)
	if err != nil {
		return nil, err
	}
	if !h.hasTheory() {
		return p, nil
	}
	var single, antipodal plotter.XYs
	const points = 200
	for k := range points + 1 {
		beta := p.X.Min + (p.X.Max-p.X.Min)*float64(k)/points
		s, a := overlap.HybridThresholds(beta, attention)
		if s >= p.Y.Min && s <= p.Y.Max {
			single = append(single, plotter.XY{X: beta, Y: s})
		}
		if a >= p.Y.Min && a <= p.Y.Max {
			antipodal = append(antipodal, plotter.XY{X: beta, Y: a})
		}
	}
	if attention == overlap.Unnormalized {
		antipodal = nil // the same
	}
	for i, line := range []plotter.XYs{single, antipodal} {
		if len(line) < 2 {
			continue
		}
		style := draw.LineStyle{Color: color.Black, Width: 1.5, Dashes: [][]vg.Length{{6, 4}, {1.5, 2.5}}[i]}
		if err := figure.AddOutlined(p, line, style); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Curves is the antipodal fraction against ε for some β, dots of the rows and lines of the theory
// over the range of their ε.
func (h *Experiment) Curves(rows []Row, betas []float64, key *figure.Key) (*plot.Plot, error) {
	title := fmt.Sprintf("Dots simulated; theory at depth %d, time %g solid, limit dotted", h.Depth,
		h.Horizon)
	if !h.hasTheory() {
		title = fmt.Sprintf("Simulated until time %g", h.Horizon)
	}
	p := figure.NewPlot(title,
		"noise amplitude ε", "P(antipodal)")
	low, high := theory.LineRange(amplitudes(rows))
	lines := make([]theory.Curves, len(betas))
	if h.hasTheory() {
		var err error
		if lines, err = h.curves(betas, low, high); err != nil {
			return nil, err
		}
	}
	for i, beta := range betas {
		points := &figure.Intervals{}
		for _, r := range rows {
			if r.Beta == beta {
				low, high := outcomes.Wilson(r.Antipodal, r.Trajectories)
				points.Add(r.Epsilon, r.PAntipodal, low, high)
			}
		}
		if err := lines[i].Add(p, i); err != nil {
			return nil, err
		}
		dots, err := figure.AddDots(p, i, points)
		if err != nil {
			return nil, err
		}
		line := &plotter.Line{LineStyle: draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.2}}
		key.Add(fmt.Sprintf("β = %g", beta), line, dots)
	}
	p.X.Min, p.X.Max = low, high
	p.Y.Min, p.Y.Max = -0.01, 1.03
	return p, nil
}
