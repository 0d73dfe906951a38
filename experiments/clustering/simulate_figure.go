package clustering

import (
	"fmt"
	"image/color"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/wording"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements Experiment. Of outcomes it draws the fractions against time; of
// the states of trajectory 0 the angles against time for d = 2, and the sphere for
// d = 3; else overlaps against time.
func (*Simulate) Draw(table *data.Table) (*figure.Figure, error) {
	s, err := simulationOf(table.Schema)
	if err != nil {
		return nil, err
	}
	digest, err := s.digestOf(table)
	if err != nil {
		return nil, err
	}
	var paint func(c draw.Canvas)
	switch {
	case s.Save == saveOutcomes:
		paint, err = s.paintFractions(digest)
	case s.Save == saveStates && s.Dim == 2:
		paint, err = paintAngles(digest)
	case s.Save == saveStates && s.Dim == 3:
		paint, err = paintSphere(digest)
	default:
		paint, err = paintOverlaps(digest)
	}
	if err != nil {
		return nil, err
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	text := figure.RunCaption("simulate", s.captionText(), seed)
	return &figure.Figure{Width: 900, Height: 430, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, text)
		paint(draw.Crop(c, 8, -14, 0, -8))
	}}, nil
}

// captionText names the parameters that matter; file names would be too long.
func (s *Simulate) captionText() string {
	text := fmt.Sprintf("%s, %s attention, %d %s, d = %d, β = %g", s.Model, s.Attention, s.Tokens, wording.Plural("token", "tokens", s.Tokens), s.Dim, s.Beta)
	switch s.Model {
	case "hybrid":
		text += fmt.Sprintf(", ε = %g, %s amplitudes", s.Epsilon, s.Law)
	case "transformer":
		text += fmt.Sprintf(", %s values", s.Law)
	}
	text += interactionText(s.Interaction) + fmt.Sprintf(", depth %d", s.Depth)
	if s.Save == saveStates && s.Dim == 3 {
		text += "; tails: where tokens came from, pale: behind, colours: time"
	}
	return text
}

// paintFractions draws the fraction of the trajectories with each outcome, with
// their 95 % intervals.
func (s *Simulate) paintFractions(digest *data.Table) (func(draw.Canvas), error) {
	f, err := readFractions(digest)
	if err != nil {
		return nil, err
	}
	n := f.trajectories[0]
	p := figure.NewPlot(fmt.Sprintf("Outcomes of %d %s, with 95 %% intervals", n, wording.Plural("trajectory", "trajectories", n)), "time", "fraction")
	p.Y.Min, p.Y.Max = 0, 1
	series := []fractionSeries{{"single", f.single, nil}, {"antipodal", f.antipodal, nil}, {"unclustered", f.unclustered, nil}}
	if s.Tokens > 2 { // for two it is the same as antipodal
		series = append(series, fractionSeries{"antipodal pair", f.pair, []vg.Length{5, 3}})
	}
	for i, event := range series { // below all lines
		area, err := plotter.NewPolygon(f.band(event.counts))
		if err != nil {
			return nil, err
		}
		area.Color, area.LineStyle.Width = towardsWhite(figure.SeriesColors[i], 0.75), 0
		p.Add(area)
	}
	for i, event := range series {
		y := make([]float64, len(f.time))
		for k, count := range event.counts {
			y[k] = float64(count) / float64(f.trajectories[k])
		}
		line, err := figure.AddLine(p, f.time, y, draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.5, Dashes: event.dashes})
		if err != nil {
			return nil, err
		}
		p.Legend.Add(event.name, line)
	}
	p.Legend.Top, p.Legend.Left = true, true
	p.Legend.ThumbnailWidth = 24
	return func(c draw.Canvas) { drawWithLegend(p, c, 110) }, nil
}

type fractionSeries struct {
	name   string
	counts []int64
	dashes []vg.Length
}

// band is the outline of the 95 % intervals of a fraction.
func (f *fractions) band(counts []int64) (outline plotter.XYs) {
	rows := figure.ShownRows(len(f.time))
	for _, k := range rows {
		low, _ := wilson(counts[k], f.trajectories[k])
		outline = append(outline, plotter.XY{X: f.time[k], Y: low})
	}
	for _, k := range slices.Backward(rows) {
		_, high := wilson(counts[k], f.trajectories[k])
		outline = append(outline, plotter.XY{X: f.time[k], Y: high})
	}
	return outline
}

// drawWithLegend draws a plot with its legend to the right, where no line is.
func drawWithLegend(p *plot.Plot, c draw.Canvas, width vg.Length) {
	legend := p.Legend
	p.Legend = plot.NewLegend()
	p.Draw(draw.Crop(c, 0, -width, 0, 0))
	p.Legend = legend
	legend.Draw(draw.Crop(c, c.Size().X-width+8, 0, 0, -26))
}

// towardsWhite mixes a colour with white, a share of 0 to 1.
func towardsWhite(c color.Color, share float64) color.Color {
	r, g, b, _ := c.RGBA()
	mix := func(v uint32) uint8 { return uint8(float64(v>>8) + share*(255-float64(v>>8)) + 0.5) }
	return color.RGBA{mix(r), mix(g), mix(b), 255}
}

// paintOverlaps draws overlaps against time.
func paintOverlaps(digest *data.Table) (func(draw.Canvas), error) {
	o, err := readOverlaps(digest)
	if err != nil {
		return nil, err
	}
	shown := o.lines
	const most = 300 // more lines hide each other
	if len(shown) > most {
		shown = make([]overlapLine, most)
		for k := range shown {
			shown[k] = o.lines[k*(len(o.lines)-1)/(most-1)]
		}
	}
	last := shown[len(shown)-1].trajectory
	title := "Overlaps in trajectory 0"
	if last > 0 {
		title = fmt.Sprintf("Overlaps in trajectories 0 to %d", last)
	}
	if len(shown) < len(o.lines) {
		title += fmt.Sprintf(": %d of %d pairs", most, len(o.lines))
	}
	p := figure.NewPlot(title, "time", "overlap")
	for k, l := range shown {
		style := draw.LineStyle{Color: towardsWhite(figure.SeriesColors[k%len(figure.SeriesColors)], min(0.5, float64(len(shown))/100)), Width: 1}
		if _, err := figure.AddLine(p, o.time, l.z, style); err != nil {
			return nil, err
		}
	}
	p.Y.Min, p.Y.Max = -1.03, 1.03
	return p.Draw, nil
}
