package attentionphase

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/experiments/wording"
	"antipode/internal/lists"
	"antipode/overlap/propagation"
)

// Draw implements run.Experiment. The figure of experiment attention-phase shows the cosine after the layer
// over the plane of β and ρ, unless there is only one ρ. The figure also shows against β the moments of a row
// of attention at the least ρ, and the entropy of a row at up to six ρ, both with their limits for many
// tokens.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	a := New()
	points, err := run.ReadRows[Row](a, table)
	if err != nil {
		return nil, err
	}
	moments, cosines := &figure.Key{}, &figure.Key{}
	below := []figure.Panel{{Plot: a.curves(points, moments), Key: moments},
		{Plot: a.entropies(points, cosines), Key: cosines}}
	text := "antipode attention-phase: " + a.parametersText(table, points)
	if len(rhosOf(points)) == 1 { // a plane needs at least two ρ
		return figure.Pairs(below, &figure.Key{}, text)
	}
	bar := figure.ProbabilityBar(1)
	above := []figure.Panel{{Bar: &bar,
		Plot: a.plane(points, "Cosine after attention", func(r Row) float64 { return r.Cosine })}}
	if a.Simulate != nil {
		above = append(above, figure.Panel{Bar: &bar,
			Plot: a.plane(points, "Simulated", func(r Row) float64 { return r.CosineSimulated })})
	}
	rows := []figure.Row{{Panels: above, Columns: len(below)}, {Panels: below}}
	return figure.Stack(figure.Width, 760, rows, nil, text)
}

// parametersText states the parameters for a caption.
func (a *Experiment) parametersText(table *data.Table, points []Row) string {
	betas, rhos := betasOf(points), rhosOf(points)
	parameters := fmt.Sprintf("q = 1, %s, %s of β, %d of ρ", a.setting(),
		wording.Count(len(betas), "value"), len(rhos))
	if a.Simulate != nil {
		parameters += fmt.Sprintf(", %d simulated of each ρ, d = %d", *a.Simulate, a.Dim)
		if seed, _ := table.Schema.Value(data.KeySeed); seed != "" {
			parameters += ", seed " + seed
		}
	}
	if slices.ContainsFunc(points, func(v Row) bool { return math.IsNaN(v.Cosine) }) {
		parameters += "; white: all tokens become 0"
	}
	return parameters + figure.NotDrawn("ρ (entropy)", rhos, figure.Spread(rhos, len(figure.SeriesColors)))
}

func (a *Experiment) setting() string {
	if a.Tokens == nil {
		return "T → ∞"
	}
	return fmt.Sprintf("T = %d", *a.Tokens)
}

// plane returns the heat map of the cosine after the layer over β and ρ, with the critical line.
func (a *Experiment) plane(points []Row, title string, cosine func(r Row) float64) *figure.Plot {
	p := figure.NewPlot(title+", "+a.setting()+"; dashed: β_c",
		"scale of query and key weights, β", "cosine ρ before the layer")
	columns := figure.Cells{Grid: slices.Sorted(slices.Values(a.Beta)), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: slices.Sorted(slices.Values(a.Rho)), Low: 0, High: 1}
	at := lists.Map(points, func(v Row) figure.Point { return figure.Point{X: v.Beta, Y: v.Rho} })
	p.Tiles(columns, lines, at, func(k int) color.Color {
		if math.IsNaN(cosine(points[k])) {
			return nil // left white
		}
		return figure.ProbabilityColor(cosine(points[k]))
	})
	var critical []figure.Point
	const steps = 200
	for k := range steps + 1 {
		rho := p.Y.Low + (p.Y.High-p.Y.Low)*float64(k)/steps
		if beta := propagation.CriticalBeta(1, rho); beta >= p.X.Low && beta <= p.X.High {
			critical = append(critical, figure.Point{X: beta, Y: rho})
		}
	}
	p.RimmedLine(critical, figure.Stroke{Color: color.Black, Width: 1.6, Dashes: figure.Dashed})
	return p
}

// rowMoments are the moments of a row of attention that are plotted, and the combination of moments that
// determines the cosine, each with its own dashes.
var rowMoments = []struct {
	name   string
	dashes int
	of     func(r propagation.Row) float64
}{
	{"Y₂", 0, func(r propagation.Row) float64 { return r.Y2 }},
	{"Y₃", 1, func(r propagation.Row) float64 { return r.Y3 }},
	{"E(Y₂)²", 3, func(r propagation.Row) float64 { return r.Y2Squared }},
	{"Y₂ - 2Y₃ + E(Y₂)²", 4, func(r propagation.Row) float64 { return r.Y2 - 2*r.Y3 + r.Y2Squared }},
}

// curves plots the moments of a row of attention against β at the least ρ.
func (a *Experiment) curves(points []Row, key *figure.Key) *figure.Plot {
	rho := rhosOf(points)[0]
	title := fmt.Sprintf("Moments of a row, ρ = %s, %s", parameter.FormatReal(rho), a.setting())
	p := a.againstBeta(title, "moment")
	row := alongBeta(points, rho)
	critical := propagation.CriticalBeta(1, rho)
	for i, moment := range rowMoments {
		var x, y, limit []float64
		for _, v := range row {
			x, y = append(x, v.Beta), append(y, moment.of(v.moments()))
			limit = append(limit, moment.of(propagation.LimitRow(critical/v.Beta)))
		}
		a.addCurve(p, key, curve{moment.name, i, moment.dashes, x, y, limit})
	}
	addSimulated(p, row, key)
	p.Y.Low = 0
	if !(p.Y.High > 0) { // all moments are 0
		p.Y.High = 1
	}
	if critical <= row[len(row)-1].Beta {
		p.Line([]float64{critical, critical}, []float64{0, p.Y.High},
			figure.Stroke{Color: color.Gray{140}, Width: 0.8})
	}
	return p
}

// againstBeta returns an empty plot against β, whose title states the number of tokens.
func (a *Experiment) againstBeta(title, y string) *figure.Plot {
	if a.Tokens != nil {
		title += " and T → ∞ (dotted)"
	}
	return figure.NewPlot(title, "scale of query and key weights, β", y)
}

// curve is a number as a function of β for T tokens, and its limit for T → ∞.
type curve struct {
	name          string
	color, dashes int
	x, y, limit   []float64
}

// addCurve adds a curve over β to a plot and, if the number of tokens is finite, its limit for infinitely
// many tokens.
func (a *Experiment) addCurve(p *figure.Plot, key *figure.Key, c curve) {
	stroke := figure.Stroke{Color: figure.SeriesColors[c.color], Width: 1.6,
		Dashes: figure.SeriesDashes[c.dashes]}
	sample := p.Curve(c.color, c.x, c.y, stroke)
	if a.Tokens != nil && len(c.x) > 1 {
		p.Line(c.x, c.limit, figure.Stroke{Color: stroke.Color, Width: 1, Dashes: figure.Dotted})
	}
	key.Add(c.name, sample)
}

// addSimulated adds the participation ratio Y₂ of simulated layers to a plot, with two standard errors on
// both sides.
func addSimulated(p *figure.Plot, row []Row, key *figure.Key) {
	var points figure.Intervals
	for _, r := range row {
		if !math.IsNaN(r.Y2Simulated) {
			points.AddAround(r.Beta, r.Y2Simulated, 2*r.Y2Stderr)
		}
	}
	if len(points.Points) > 0 {
		p.Dots(0, points)
		key.Add("Y₂, simulated", figure.SeriesGlyph(0))
	}
}

// rhosOf returns the different ρ of the rows in ascending order.
func rhosOf(points []Row) []float64 {
	return figure.DistinctOf(points, func(r Row) float64 { return r.Rho })
}

// betasOf returns the different β of the rows in ascending order.
func betasOf(points []Row) []float64 {
	return figure.DistinctOf(points, func(r Row) float64 { return r.Beta })
}

// alongBeta returns the rows of one ρ, in the order of increasing β.
func alongBeta(points []Row, rho float64) (row []Row) {
	row = lists.Filter(points, func(v Row) bool { return v.Rho == rho })
	slices.SortFunc(row, func(v, w Row) int { return cmp.Compare(v.Beta, w.Beta) })
	return row
}

// entropies plots the entropy of a row of attention, divided by its greatest possible value log T, against β.
func (a *Experiment) entropies(points []Row, key *figure.Key) *figure.Plot {
	p := a.againstBeta("Entropy of a row, "+a.setting(), "entropy / log T")
	for i, rho := range figure.Spread(rhosOf(points), len(figure.SeriesColors)) {
		var x, y, limit []float64
		for _, v := range alongBeta(points, rho) {
			share := propagation.EntropyShare(propagation.CriticalBeta(1, rho) / v.Beta)
			x, limit = append(x, v.Beta), append(limit, share)
			if a.Tokens != nil {
				share = v.Entropy / math.Log(float64(*a.Tokens))
			}
			y = append(y, share)
		}
		a.addCurve(p, key, curve{"ρ = " + parameter.FormatReal(rho), i, i, x, y, limit})
	}
	p.Y.Range(0, 1.03)
	return p
}
