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
	"antipode/overlap/propagation"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw implements run.Experiment: the cosine after the layer over (β, ρ), unless there is one ρ alone,
// the moments of a row
// at the least ρ, and the entropy of a row at up to six ρ, both with their limit.
func (*Experiment) Draw(table *data.Table) (*figure.Figure, error) {
	a := New()
	points, err := run.ReadRows[Row](a, table)
	if err != nil {
		return nil, err
	}
	plane, err := a.plane(points, "Cosine behind attention", func(r Row) float64 { return r.Cosine })
	if err != nil {
		return nil, err
	}
	simulated, err := a.plane(points, "Simulated", func(r Row) float64 { return r.CosineSimulated })
	if err != nil {
		return nil, err
	}
	moments, cosines := &figure.Key{}, &figure.Key{}
	curves, err := a.curves(points, moments)
	if err != nil {
		return nil, err
	}
	entropies, err := a.entropies(points, cosines)
	if err != nil {
		return nil, err
	}
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
		parameters += "; white: the tokens become 0"
	}
	parameters += figure.NotDrawn("ρ (entropy)", rhos, figure.Spread(rhos, len(figure.SeriesColors)))
	if len(rhos) == 1 { // no plane
		return figure.Panels([]figure.Panel{{Plot: curves, Key: moments}, {Plot: entropies, Key: cosines}},
			&figure.Key{},
			"antipode attention-phase: "+parameters), nil
	}
	return &figure.Figure{Width: 870, Height: 760, Paint: func(c draw.Canvas) {
		c = figure.Caption(c, "antipode attention-phase: "+parameters)
		c = draw.Crop(c, 8, -8, 0, -8)
		half := c.Size()
		half.X, half.Y = half.X/2, half.Y/2
		left := half.X / 2
		if a.Simulate != nil {
			left = 0
			simulated.Draw(draw.Crop(c, half.X+6, -50, half.Y+6, 0))
		}
		top := draw.Crop(c, left, left-half.X, half.Y+6, 0)
		plane.Draw(draw.Crop(top, 0, -50, 0, 0))
		figure.ProbabilityBar(1).Draw(draw.Crop(top, top.Size().X-40, 0, 50, -34))
		moments.DrawBeside(curves, draw.Crop(c, 0, -half.X-6, 0, -half.Y-6))
		cosines.DrawBeside(entropies, draw.Crop(c, half.X+6, 0, 0, -half.Y-6))
	}}, nil
}

func (a *Experiment) setting() string {
	if a.Tokens == nil {
		return "T → ∞"
	}
	return fmt.Sprintf("T = %d", *a.Tokens)
}

// plane is the map of a cosine after the layer, with the critical line.
func (a *Experiment) plane(points []Row, title string, cosine func(r Row) float64) (*plot.Plot, error) {
	p := figure.NewPlot(title+", "+a.setting()+"; dashed: β_c",
		"scale of query and key weights, β", "cosine ρ before the layer")
	columns := figure.Cells{Grid: slices.Sorted(slices.Values(a.Beta)), Low: 0, High: math.Inf(1)}
	lines := figure.Cells{Grid: slices.Sorted(slices.Values(a.Rho)), Low: 0, High: 1}
	var x, y []float64
	for _, v := range points {
		x, y = append(x, v.Beta), append(y, v.Rho)
	}
	err := figure.AddTiles(p, columns, lines, x, y, func(k int) color.Color {
		if math.IsNaN(cosine(points[k])) {
			return nil // white
		}
		return figure.ProbabilityColor(cosine(points[k]))
	})
	if err != nil {
		return nil, err
	}
	x, y = nil, nil
	const steps = 200
	for k := range steps + 1 {
		rho := p.Y.Min + (p.Y.Max-p.Y.Min)*float64(k)/steps
		if beta := propagation.CriticalBeta(1, rho); beta >= p.X.Min && beta <= p.X.Max {
			x, y = append(x, beta), append(y, rho)
		}
	}
	if len(x) > 1 {
		if _, err := figure.AddOutlinedLine(p, x, y, []vg.Length{6, 4}); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// curves are the moments of a row against β at the least ρ.
func (a *Experiment) curves(points []Row, key *figure.Key) (*plot.Plot, error) {
	rho := rhosOf(points)[0]
	title := fmt.Sprintf("Moments of a row, ρ = %s, %s", parameter.FormatReal(rho), a.setting())
	if a.Tokens != nil {
		title += " and T → ∞ (dotted)"
	}
	p := figure.NewPlot(title, "scale of query and key weights, β", "moment")
	row := alongBeta(points, rho)
	for i, moment := range []struct {
		name string
		of   func(r propagation.Row) float64
	}{
		{"Y2", func(r propagation.Row) float64 { return r.Y2 }},
		{"Y3", func(r propagation.Row) float64 { return r.Y3 }},
		{"E(Y2)²", func(r propagation.Row) float64 { return r.Y2Squared }},
		{"Y2 - 2Y3 + E(Y2)²", func(r propagation.Row) float64 { return r.Y2 - 2*r.Y3 + r.Y2Squared }},
	} {
		var x, y, limit []float64
		for _, v := range row {
			x, y = append(x, v.Beta), append(y, moment.of(v.moments()))
			limit = append(limit, moment.of(propagation.LimitRow(propagation.CriticalBeta(1, rho)/v.Beta)))
		}
		line, err := figure.AddCurve(p, i, x, y, draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.6,
			Dashes: figure.SeriesDashes[[]int{0, 1, 3, 4}[i]]})
		if err != nil {
			return nil, err
		}
		if a.Tokens != nil && len(x) > 1 {
			if _, err := figure.AddLine(p, x, limit, draw.LineStyle{Color: figure.SeriesColors[i], Width: 1,
				Dashes: []vg.Length{1.5, 2.5}}); err != nil {
				return nil, err
			}
		}
		key.Add(moment.name, line)
	}
	if err := addSimulated(p, row, key); err != nil {
		return nil, err
	}
	p.Y.Min = 0
	if !(p.Y.Max > 0) { // every moment is 0
		p.Y.Max = 1
	}
	if beta := propagation.CriticalBeta(1, rho); beta <= row[len(row)-1].Beta {
		if _, err := figure.AddLine(p, []float64{beta, beta}, []float64{0, p.Y.Max},
			draw.LineStyle{Color: color.Gray{140}, Width: 0.8}); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// addSimulated adds Y2 of simulated layers with two standard errors.
func addSimulated(p *plot.Plot, row []Row, key *figure.Key) error {
	points := &figure.Intervals{}
	for _, r := range row {
		if half := 2 * r.Y2Stderr; !math.IsNaN(r.Y2Simulated) {
			if math.IsNaN(half) {
				half = 0
			}
			points.Add(r.Beta, r.Y2Simulated, r.Y2Simulated-half, r.Y2Simulated+half)
		}
	}
	if len(points.XYs) == 0 {
		return nil
	}
	dots, err := figure.AddDots(p, 0, points)
	if err == nil {
		key.Add("Y2, simulated", dots)
	}
	return err
}

// rhosOf are the ρ of points, ascending, each once.
func rhosOf(points []Row) []float64 {
	return figure.DistinctOf(points, func(r Row) float64 { return r.Rho })
}

// betasOf are the β of points, ascending, each once.
func betasOf(points []Row) []float64 {
	return figure.DistinctOf(points, func(r Row) float64 { return r.Beta })
}

// alongBeta are the points of one ρ, by increasing β.
func alongBeta(points []Row, rho float64) (row []Row) {
	for _, v := range points {
		if v.Rho == rho {
			row = append(row, v)
		}
	}
	slices.SortFunc(row, func(v, w Row) int { return cmp.Compare(v.Beta, w.Beta) })
	return row
}

// entropies are those of a row over the greatest possible, log T, against β.
func (a *Experiment) entropies(points []Row, key *figure.Key) (*plot.Plot, error) {
	title := "Entropy of a row, " + a.setting()
	if a.Tokens != nil {
		title += " and T → ∞ (dotted)"
	}
	p := figure.NewPlot(title, "scale of query and key weights, β", "entropy / log T")
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
		line, err := figure.AddCurve(p, i, x, y, draw.LineStyle{Color: figure.SeriesColors[i], Width: 1.6,
			Dashes: figure.SeriesDashes[i]})
		if err != nil {
			return nil, err
		}
		if a.Tokens != nil && len(x) > 1 {
			if _, err := figure.AddLine(p, x, limit, draw.LineStyle{Color: figure.SeriesColors[i], Width: 1,
				Dashes: []vg.Length{1.5, 2.5}}); err != nil {
				return nil, err
			}
		}
		key.Add(fmt.Sprintf("ρ = %s", parameter.FormatReal(rho)), line)
	}
	p.Y.Min, p.Y.Max = 0, 1.03
	return p, nil
}
