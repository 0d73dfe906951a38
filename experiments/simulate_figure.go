package experiments

import (
	"fmt"
	"image/color"
	"slices"

	"antipode/data"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements Experiment. Of outcomes it draws the fractions against time; of
// the states of trajectory 0 the angles against time for d = 2, and the sphere for
// d = 3; else overlaps against time.
func (*Simulate) Draw(table *data.Table) (*Figure, error) {
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
	text := runCaption("simulate", s.captionText(), seed)
	return &Figure{width: 900, height: 430, paint: func(c draw.Canvas) {
		c = caption(c, text)
		paint(draw.Crop(c, 8, -14, 0, -8))
	}}, nil
}

// captionText names the parameters that matter; file names would be too long.
func (s *Simulate) captionText() string {
	text := fmt.Sprintf("%s, %s attention, %d %s, d = %d, β = %g", s.Model, s.Attention, s.Tokens, plural("token", "tokens", s.Tokens), s.Dim, s.Beta)
	switch s.Model {
	case "hybrid":
		text += fmt.Sprintf(", ε = %g, %s amplitudes", s.Epsilon, s.Law)
	case "transformer":
		text += fmt.Sprintf(", %s values", s.Law)
	}
	return text + interactionText(s.Interaction) + fmt.Sprintf(", depth %d", s.Depth)
}

// mostPoints is the number of points of a line that a figure can show.
const mostPoints = 1000

// shownRows are the rows that a line of so many shows, with both ends.
func shownRows(rows int) []int {
	if rows <= mostPoints {
		shown := make([]int, rows)
		for k := range shown {
			shown[k] = k
		}
		return shown
	}
	shown := make([]int, mostPoints)
	for k := range shown {
		shown[k] = k * (rows - 1) / (mostPoints - 1)
	}
	return shown
}

// addLine adds a line of y over x to a plot.
func addLine(p *plot.Plot, x, y []float64, style draw.LineStyle) (*plotter.Line, error) {
	var points plotter.XYs
	for _, k := range shownRows(len(x)) {
		points = append(points, plotter.XY{X: x[k], Y: y[k]})
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return nil, err
	}
	line.LineStyle = style
	p.Add(line)
	return line, nil
}

// paintFractions draws the fraction of the trajectories with each outcome, with
// their 95 % intervals.
func (s *Simulate) paintFractions(digest *data.Table) (func(draw.Canvas), error) {
	f, err := readFractions(digest)
	if err != nil {
		return nil, err
	}
	n := f.trajectories[0]
	p := newPlot(fmt.Sprintf("Outcomes of %d %s, with 95 %% intervals", n, plural("trajectory", "trajectories", n)), "time", "fraction")
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
		area.Color, area.LineStyle.Width = towardsWhite(seriesColors[i], 0.75), 0
		p.Add(area)
	}
	for i, event := range series {
		y := make([]float64, len(f.time))
		for k, count := range event.counts {
			y[k] = float64(count) / float64(f.trajectories[k])
		}
		line, err := addLine(p, f.time, y, draw.LineStyle{Color: seriesColors[i], Width: 1.5, Dashes: event.dashes})
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
	rows := shownRows(len(f.time))
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
	p := newPlot(title, "time", "overlap")
	for k, l := range shown {
		style := draw.LineStyle{Color: towardsWhite(seriesColors[k%len(seriesColors)], min(0.5, float64(len(shown))/100)), Width: 1}
		if _, err := addLine(p, o.time, l.z, style); err != nil {
			return nil, err
		}
	}
	p.Y.Min, p.Y.Max = -1.03, 1.03
	return p.Draw, nil
}
