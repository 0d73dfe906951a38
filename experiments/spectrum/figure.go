package spectrum

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/attention"
	"antipode/experiments/wording"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements run.Experiment: for each kind of attention a row of eigenvalues in the
// complex plane, singular values of the attention matrix and of the signal, with their
// limits; for several layers the eigenvalues of up to four of them. Where entries are saved, they and
// eigenvalues of up to four layers of the first kind. There is no figure of a
// table without all values.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	t, err := readLayers(table)
	if err != nil {
		return nil, err
	}
	if t.large() || len(t.at(t.networks()[0], 1).eigen) == 0 {
		return nil, figure.ErrNone
	}
	if t.Save == saveAttention {
		if !t.hasEntries(t.networks()[0]) {
			return nil, fmt.Errorf("%w: %w", figure.ErrNone, errNoKind)
		}
		return t.maps(table)
	}
	var rows [][]figure.Panel
	for _, n := range t.networks() {
		if !t.whole(n) { // its rows are still to come
			continue
		}
		panels, err := t.panels(n)
		if err != nil {
			return nil, err
		}
		across := 3
		if len(panels) == 4 {
			across = 2
		}
		rows = slices.AppendSeq(rows, slices.Chunk(panels, across))
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%w: %w", figure.ErrNone, errNoKind)
	}
	seed, _ := table.Schema.Value(data.KeySeed)
	text := figure.RunCaption("spectrum", t.setting(), seed)
	const side = 290
	width := vg.Length(side * max(2, len(rows[0])))
	return &figure.Figure{Width: width, Height: vg.Length(side*len(rows)) + 20, Paint: func(c draw.Canvas) {
		c = draw.Crop(figure.Caption(c, text), 8, -8, 0, -8)
		across, down := c.Size().X/vg.Length(len(rows[0])), c.Size().Y/vg.Length(len(rows))
		for i, row := range rows {
			for k, p := range row {
				p.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
					Min: vg.Point{X: c.Min.X + vg.Length(k)*across + 4, Y: c.Max.Y - vg.Length(i+1)*down + 4},
					Max: vg.Point{X: c.Min.X + vg.Length(k+1)*across - 4, Y: c.Max.Y - vg.Length(i)*down - 4},
				}})
			}
		}
	}}, nil
}

// whole reports whether a kind of attention has values of every layer, each of as many tokens.
func (t *layered) whole(n matrices.Network) bool {
	for l := range n.Layers {
		v := t.at(n, l+1)
		if len(v.eigen) == 0 || len(v.eigen[0]) < n.Tokens || len(v.singular) == 0 || len(v.covariance) == 0 {
			return false
		}
	}
	return true
}

// setting is what the panels have in common.
func (s *Experiment) setting() string {
	n := s.networks()[0]
	parts := []string{fmt.Sprintf("T = %d, D = %d, %s, %s",
		n.Tokens, n.Dim, wording.Count(s.Samples, "sample"),
		attention.GapText(attention.GapOf(s.Gap)))}
	if s.Law != matrices.Exponential.String() {
		parts = append(parts, s.Law+" law")
	}
	if s.Values != matrices.GaussianValues.String() {
		parts = append(parts, s.Values+" values")
	}
	if s.KeyScale != standardKeys {
		parts = append(parts, "query and key entries of deviation "+s.KeyScale)
	}
	if s.Skip {
		parts = append(parts, "skip")
	}
	if s.LayerNorm {
		parts = append(parts, "LayerNorm")
	}
	if s.Heads > 1 {
		parts = append(parts, fmt.Sprintf("%d heads", s.Heads))
	}
	return strings.Join(parts, ", ")
}

// panels are those of one kind of attention.
func (t *layered) panels(n matrices.Network) (row []figure.Panel, err error) {
	layers := []float64{1}
	if n.Layers > 1 {
		layers = nil
		for l := range n.Layers {
			layers = append(layers, float64(l+1))
		}
		layers = figure.Spread(layers, 4)
	}
	for _, l := range layers {
		p, err := t.plane(n, int(l))
		if err != nil {
			return nil, err
		}
		row = append(row, figure.Panel{Plot: p, ToScale: true})
	}
	singular, err := t.singularValues(n)
	if err != nil {
		return nil, err
	}
	signal, err := t.signal(n)
	return append(row, figure.Panel{Plot: singular}, figure.Panel{Plot: signal}), err
}

// plane has the eigenvalues of the first sample's attention matrix in a layer.
func (t *layered) plane(n matrices.Network, layer int) (*plot.Plot, error) {
	values := t.at(n, layer).eigen[0]
	far, beyond := 0.0, 0
	var points plotter.XYs
	for _, v := range values {
		points = append(points, plotter.XY{X: real(v), Y: imag(v)})
		size := math.Hypot(real(v), imag(v))
		far = max(far, size)
		if size > 0.5 {
			beyond++
		}
	}
	p := figure.NewPlot(fmt.Sprintf("Eigenvalues, %v, layer %d: %d beyond 0.5", n.Attention, layer, beyond),
		"real part", "imaginary part")
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	dots.GlyphStyleFunc = func(k int) draw.GlyphStyle {
		style := draw.GlyphStyle{Color: figure.SeriesColors[0], Radius: 1.3, Shape: draw.CircleGlyph{}}
		if math.Hypot(points[k].X, points[k].Y) > 0.5 { // one of a few
			style.Radius = 3
		}
		return style
	}
	p.Add(dots)
	figure.Mark(p, points)
	if n.Attention == matrices.Markov {
		radius := n.Law.Deviation() / math.Sqrt(float64(n.Tokens))
		var x, y []float64
		const steps = 200
		for k := range steps + 1 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / steps)
			x, y = append(x, radius*cos), append(y, radius*sin)
		}
		if _, err := figure.AddLine(p, x, y, draw.LineStyle{Color: color.Black, Width: 0.8}); err != nil {
			return nil, err
		}
	}
	if far == 0 {
		far = 1
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1.1*far, 1.1*far, -1.1*far, 1.1*far
	return p, nil
}

// singularValues are those of the attention matrix of the first layer, times √T, up to a
// little beyond the edge of the bulk.
func (t *layered) singularValues(n matrices.Network) (*plot.Plot, error) {
	edge, scale := bulkEdge(n), math.Sqrt(float64(n.Tokens))
	var values []float64
	total, second := 0, 0.0
	for _, sample := range t.at(n, 1).singular {
		second = max(second, scale*sample[min(1, len(sample)-1)])
	}
	end := min(1.25*edge, max(0.5*edge, 2*second)) // where scores are large the bulk is far from its limit
	for _, sample := range t.at(n, 1).singular {
		for _, v := range sample {
			total++
			if x := scale * v; x < end {
				values = append(values, x)
			}
		}
	}
	p := figure.NewPlot(fmt.Sprintf("Singular values × √T, %v, layer 1: %d beyond", n.Attention,
		total-len(values)), "singular value × √T", "density")
	p.X.Min, p.X.Max = 0, end
	if err := addHistogram(p, values, total); err != nil {
		return nil, err
	}
	if n.Attention == matrices.Markov {
		law := spectrum.QuarterCircle{Sigma: n.Law.Deviation()}
		return p, addDensity(p, edge, law.Density)
	}
	_, err := figure.AddLine(p, []float64{edge, edge}, []float64{0, 0.5 / edge},
		draw.LineStyle{Color: color.Black, Width: 1.2})
	return p, err
}

// signal are the singular values of the signal after the last layer over the root of their
// mean square, without the gap beside the limit, with it without the largest.
func (t *layered) signal(n matrices.Network) (*plot.Plot, error) {
	var values []float64
	skip := 0
	title := fmt.Sprintf("Singular values of X in layer %d", n.Layers)
	if t.Gap == matrices.KeepGap.String() {
		skip, title = 1, title+" but the largest"
	}
	for _, sample := range t.at(n, n.Layers).covariance {
		scale := mean(sample[skip:])
		for _, v := range sample[skip:] {
			if scale > 0 { // no bulk has no scale
				values = append(values, math.Sqrt(v/scale))
			}
		}
	}
	p := figure.NewPlot(title, "singular value / root of the mean square", "density")
	top := 1.0
	for _, v := range values {
		top = max(top, v)
	}
	p.X.Min, p.X.Max = 0, 1.05*top
	if err := addHistogram(p, values, len(values)); err != nil || !attention.HasTheory(n) {
		return p, err
	}
	gamma := float64(n.Tokens) / float64(n.Dim)
	law, err := spectrum.Covariance(n.Layers, gamma, math.Sqrt(gamma))
	if err != nil {
		return nil, err
	}
	return p, addDensity(p, 1.05*top, func(x float64) float64 { return 2 * x * law.Density(x*x) })
}

// addHistogram adds the density of values among a total from 0 to the end of the axis.
func addHistogram(p *plot.Plot, values []float64, total int) error {
	const bins = 50
	width := p.X.Max / bins
	h := &plotter.Histogram{Width: width, FillColor: color.RGBA{190, 214, 230, 255}}
	for k := range bins {
		h.Bins = append(h.Bins, plotter.HistogramBin{Min: float64(k) * width, Max: float64(k+1) * width})
	}
	for _, v := range values {
		h.Bins[max(0, min(int(v/width), bins-1))].Weight += 1 / (width * float64(total))
	}
	p.Add(h)
	p.Y.Min, p.Y.Max = 0, 0
	second := 0.0 // many values are near 0, but what is seen should not depend on it
	for k, b := range h.Bins {
		if k > 0 {
			second = max(second, b.Weight)
		}
	}
	if second == 0 {
		second = 1
	}
	p.Y.Max = 1.3 * second
	return nil
}

// addDensity adds the line of a density from 0 to an end, as far as it is seen.
func addDensity(p *plot.Plot, end float64, density func(x float64) float64) error {
	var x, y []float64
	const steps = 300
	for k := range steps {
		at := end * (float64(k) + 0.5) / steps
		if d := density(at); d <= p.Y.Max {
			x, y = append(x, at), append(y, d)
		}
	}
	_, err := figure.AddLine(p, x, y, draw.LineStyle{Color: figure.SeriesColors[1], Width: 1.5})
	return err
}
