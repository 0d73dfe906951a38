package measure

import (
	"math"
	"slices"

	"antipode/data"
	"antipode/experiments/figure"
	"antipode/experiments/internal/namedfile"
	"antipode/experiments/measure/weights"
)

// drawWeights returns the figure of a table of weights. The figure shows what the branches of each layer add
// to the tokens, the scores of its heads, singular values compared with those of random matrices, and the
// predicted and the measured overlap of tokens.
func (m *Experiment) drawWeights(table *data.Table) (*figure.Figure, error) {
	rows, err := m.weightRows(table)
	if err != nil {
		return nil, err
	}
	all, key := modelOf(rows), &figure.Key{}
	branches := figure.NewPlot("Squared length that a branch adds to tokens of length 1", "layer", "")
	scores := figure.NewPlot("β of the scores of heads, with 95 %", "layer", "β")
	singular := figure.NewPlot("Largest singular value over the largest random one", "layer", "")
	overlap := figure.NewPlot("Mean cosine of two tokens", "layer", "mean cosine")
	branches.Y.Low = 0
	singular.Y.Range(0.5, 1.1) // at least this range
	overlap.Y.Range(0, 1.02)
	line := func(p *figure.Plot, series int, name string, rows []weights.Row,
		of func(r weights.Row) float64) {
		var x, y []float64
		for _, r := range rows {
			if v := of(r); !math.IsNaN(v) {
				x, y = append(x, r.Layer), append(y, v)
			}
		}
		if len(x) > 0 {
			key.Add(name, p.Curve(series, x, y, figure.SeriesStroke(series, 1.6)))
		}
	}
	line(branches, 0, "attention, ad", all.layers, func(r weights.Row) float64 {
		return r.A.Value * float64(r.Dim)
	})
	line(branches, 1, "MLP, cd", all.layers, func(r weights.Row) float64 {
		return r.MLPStrength * float64(r.Dim)
	})
	var dots figure.Intervals
	for _, r := range all.heads {
		if !math.IsNaN(r.Beta.Low) {
			at := r.Layer + 0.6*(r.Head/float64(len(all.heads)/max(1, len(all.layers))+1)-0.5)
			dots.Add(at, r.Beta.Value, r.Beta.Low, r.Beta.High)
		}
	}
	scores.Dots(0, dots)
	scores.Y.Low, scores.Y.High = mostOfIntervals(dots)
	if showsLess(dots, scores.Y) {
		scores.Title += "; longer ones are cut"
	}
	line(singular, 2, "W_O W_V", all.layers, func(r weights.Row) float64 { return r.ValueLargest })
	line(singular, 3, "W_QᵀW_K", all.layers, func(r weights.Row) float64 { return r.ScoreLargest })
	line(singular, 4, "W₁", all.layers, func(r weights.Row) float64 { return r.UpLargest })
	line(singular, 1, "W₂", all.layers, func(r weights.Row) float64 { return r.DownLargest })
	whole := append([]weights.Row{all.input}, all.layers...)
	line(overlap, 4, "theory", whole, func(r weights.Row) float64 { return r.Theory })
	line(overlap, 0, "hidden states", whole, func(r weights.Row) float64 { return r.Overlap })
	for _, p := range []*figure.Plot{branches, scores, singular, overlap} {
		p.X.Ticks = figure.LayerTicks(int64(len(all.layers)))
		p.X.Low, p.X.High = 0, float64(len(all.layers))+0.5
	}
	return figure.Pairs([]figure.Panel{{Plot: branches}, {Plot: scores}, {Plot: singular}, {Plot: overlap}},
		key, "antipode measure --weights "+namedfile.Name(m.Weights))
}

// mostOfIntervals returns the ends of an axis that shows all points. An interval may extend beyond the axis
// if it is more than four times as long as the median interval.
func mostOfIntervals(d figure.Intervals) (low, high float64) {
	var lengths []float64
	for k := range d.Points {
		lengths = append(lengths, d.High[k]-d.Low[k])
	}
	if len(lengths) == 0 {
		return -1, 1
	}
	slices.Sort(lengths)
	most := 2 * lengths[len(lengths)/2]
	low, high = math.Inf(1), math.Inf(-1)
	for k, p := range d.Points {
		low, high = min(low, max(d.Low[k], p.Y-most)), max(high, min(d.High[k], p.Y+most))
	}
	return low, high
}

// showsLess reports whether an interval extends beyond the axis.
func showsLess(d figure.Intervals, axis figure.Axis) bool {
	return slices.ContainsFunc(d.Low, func(x float64) bool { return x < axis.Low }) ||
		slices.ContainsFunc(d.High, func(x float64) bool { return x > axis.High })
}
