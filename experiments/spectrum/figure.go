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
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap/spectrum"
	"antipode/sde/matrices"
)

// Draw implements run.Experiment. The figure has a row of panels for each kind of attention: eigenvalues in
// the complex plane, and singular values of the attention matrix and of the signal with their limits. For
// networks of several layers, the figure shows the eigenvalues of up to four layers. If the table has the
// entries of the attention matrices, the figure shows only these entries and their eigenvalues, for the first
// kind of attention and up to four layers. A table that lacks values has no figure.
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
	var rows []figure.Row
	for _, n := range lists.Filter(t.networks(), t.whole) {
		panels, err := t.panels(n)
		if err != nil {
			return nil, err
		}
		across := 3
		if len(panels) == 4 {
			across = 2
		}
		for row := range slices.Chunk(panels, across) {
			rows = append(rows, figure.Row{Panels: row, Columns: across})
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%w: %w", figure.ErrNone, errNoKind)
	}
	text := run.Caption(table, t.setting())
	const side = 290
	return figure.Stack(float64(side*max(2, len(rows[0].Panels))), float64(side*len(rows))+20, rows, nil,
		text)
}

// whole reports whether the table has the values for all tokens in every layer of a kind of attention.
func (t *layered) whole(n matrices.Network) bool {
	return t.every(n, func(v *layerValues) bool {
		return len(v.eigen) > 0 && len(v.eigen[0]) >= n.Tokens && len(v.singular) > 0 && len(v.covariance) > 0
	})
}

// setting states for a caption which parameters all panels share.
func (s *Experiment) setting() string {
	n := s.networks()[0]
	parts := []string{fmt.Sprintf("T = %d, D = %d, %s, %s",
		n.Tokens, n.Dim, wording.Count(s.Samples, "sample"),
		attention.GapText(s.Gap))}
	if s.Law != matrices.Exponential {
		parts = append(parts, s.Law.String()+" law")
	}
	if s.Values != matrices.GaussianValues {
		parts = append(parts, s.Values.String()+" values")
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

// panels returns the panels of one kind of attention.
func (t *layered) panels(n matrices.Network) (row []figure.Panel, err error) {
	for _, l := range figure.Spread(layersOf(n), 4) {
		row = append(row, figure.Panel{Plot: t.plane(n, l), ToScale: true})
	}
	signal, err := t.signal(n)
	return append(row, figure.Panel{Plot: t.singularValues(n)}, figure.Panel{Plot: signal}), err
}

// few is the absolute value above which an attention matrix has few eigenvalues. Eigenvalues above it are
// counted and have larger dots.
const few = 0.5

// radius returns the absolute value of an eigenvalue.
func radius(at figure.Point) float64 { return math.Hypot(at.X, at.Y) }

// beyond separates eigenvalues of absolute value up to few (within) from the other eigenvalues (outside).
func beyond(values []complex128) (within, outside []figure.Point) {
	for _, v := range values {
		at := figure.Point{X: real(v), Y: imag(v)}
		if radius(at) > few {
			outside = append(outside, at)
		} else {
			within = append(within, at)
		}
	}
	return within, outside
}

// plane plots the eigenvalues of the first sample's attention matrix in a layer in the complex plane.
func (t *layered) plane(n matrices.Network, layer int) *figure.Plot {
	within, outside := beyond(t.at(n, layer).eigen[0])
	title := fmt.Sprintf("Eigenvalues, %v, layer %d: %d beyond %g", n.Attention, layer, len(outside), few)
	p := figure.NewPlot(title, "real part", "imaginary part")
	small := figure.Glyph{Color: figure.SeriesColors[0], Shape: figure.Circle, Radius: 1.3}
	large := small
	large.Radius = 3
	p.Add(figure.Dots{Points: within, Glyph: small}, figure.Dots{Points: outside, Glyph: large})
	if n.Attention == matrices.Markov {
		radius := n.Law.Deviation() / math.Sqrt(float64(n.Tokens))
		p.Add(figure.Line{Points: figure.CirclePoints(radius, 200),
			Stroke: figure.Stroke{Color: color.Black, Width: 0.8}})
	}
	far := lists.Max(0.0, slices.Concat(within, outside), radius)
	if far == 0 {
		far = 1
	}
	enlarge(p, within, far)
	p.X.Range(-1.1*far, 1.1*far)
	p.Y.Range(-1.1*far, 1.1*far)
	return p
}

// enlarge adds an enlarged picture of the bulk of the eigenvalues to the complex plane, if the bulk would
// otherwise be too small to see. The picture is in the upper left of the plot, which extends to the absolute
// value far.
func enlarge(p *figure.Plot, within []figure.Point, far float64) {
	bulk := lists.Max(0.0, within, radius)
	const side, blob = 0.42, 0.15 // fractions of far
	if bulk == 0 || bulk > blob*far {
		return
	}
	factor := math.Floor(side * far / bulk)
	middle := figure.Point{X: -0.6 * far, Y: 0.6 * far}
	dots := lists.Map(within, func(at figure.Point) figure.Point {
		return figure.Point{X: middle.X + factor*at.X, Y: middle.Y + factor*at.Y}
	})
	p.Add(figure.Dots{Points: dots, Glyph: figure.Glyph{Color: figure.SeriesColors[0], Shape: figure.Circle,
		Radius: 0.8}})
	var x, y []float64
	for _, corner := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}} {
		x, y = append(x, middle.X+1.1*side*far*corner[0]), append(y, middle.Y+1.1*side*far*corner[1])
	}
	p.Line(x, y, figure.Stroke{Color: color.Gray{150}, Width: 0.6})
	below := figure.Point{X: middle.X, Y: y[0] - 0.08*far}
	p.Add(figure.Note{At: below, Text: fmt.Sprintf("bulk × %g", factor)})
}

// singularValues plots the density of √T times the singular values of the attention matrix of the first
// layer, for T tokens. The axis ends slightly beyond the edge of the bulk.
func (t *layered) singularValues(n matrices.Network) *figure.Plot {
	edge, scale := bulkEdge(n), math.Sqrt(float64(n.Tokens))
	var values []float64
	total, second := 0, 0.0
	for _, sample := range t.at(n, 1).singular {
		second = max(second, scale*sample[min(1, len(sample)-1)])
	}
	end := min(1.25*edge, max(0.5*edge, 2*second)) // the bulk of large scores differs from its limit
	for _, v := range slices.Concat(t.at(n, 1).singular...) {
		total++
		if x := scale * v; x < end {
			values = append(values, x)
		}
	}
	p := figure.NewPlot(fmt.Sprintf("Singular values × √T, %v, layer 1: %d beyond", n.Attention,
		total-len(values)), "singular value × √T", "density")
	p.X.Range(0, end)
	addHistogram(p, values, total)
	if n.Attention == matrices.Markov {
		law := spectrum.QuarterCircle{Sigma: n.Law.Deviation()}
		addDensity(p, edge, law.Density)
		return p
	}
	p.Line([]float64{edge, edge}, []float64{0, 0.5 / edge}, figure.Stroke{Color: color.Black, Width: 1.2})
	return p
}

// signal plots the density of the singular values of the signal after the last layer, divided by their root
// mean square. If the spectral gap is removed, the limit is plotted too. If the spectral gap is kept, the
// largest singular value is left out.
func (t *layered) signal(n matrices.Network) (*figure.Plot, error) {
	var values []float64
	skip := 0
	title := fmt.Sprintf("Singular values of X in layer %d", n.Layers)
	if t.Gap == matrices.KeepGap {
		skip, title = 1, title+" but the largest"
	}
	for _, sample := range t.at(n, n.Layers).covariance {
		scale := mean(sample[skip:])
		for _, v := range sample[skip:] {
			if scale > 0 { // without a bulk there is no scale
				values = append(values, math.Sqrt(v/scale))
			}
		}
	}
	p := figure.NewPlot(title, "singular value / root of the mean square", "density")
	top := slices.Max(slices.Concat([]float64{1}, values))
	p.X.Range(0, 1.05*top)
	addHistogram(p, values, len(values))
	if !attention.HasTheory(n) {
		return p, nil
	}
	gamma := float64(n.Tokens) / float64(n.Dim)
	law, err := spectrum.Covariance(n.Layers, gamma, math.Sqrt(gamma))
	if err != nil {
		return nil, err
	}
	addDensity(p, 1.05*top, func(x float64) float64 { return 2 * x * law.Density(x*x) })
	return p, nil
}

// addHistogram adds the density of values to a plot, from 0 to the end of the horizontal axis. The argument
// total is the number of all values, also of those beyond the axis.
func addHistogram(p *figure.Plot, values []float64, total int) {
	const bins = 50
	width := p.X.High / bins
	heights := make([]float64, bins)
	for _, v := range values {
		heights[max(0, min(int(v/width), bins-1))] += 1 / (width * float64(total))
	}
	p.Add(figure.Histogram{Width: width, Heights: heights, Color: color.RGBA{190, 214, 230, 255}})
	second := slices.Max(heights[1:]) // many values near 0 do not determine the range
	if second == 0 {
		second = 1
	}
	p.Y.Range(0, 1.3*second)
}

// addDensity adds the line of a density from 0 to end to a plot. The part above the plot is left out.
func addDensity(p *figure.Plot, end float64, density func(x float64) float64) {
	var x, y []float64
	const steps = 300
	for k := range steps {
		at := end * (float64(k) + 0.5) / steps
		if d := density(at); d <= p.Y.High {
			x, y = append(x, at), append(y, d)
		}
	}
	p.Line(x, y, figure.Stroke{Color: figure.SeriesColors[1], Width: 1.5})
}
