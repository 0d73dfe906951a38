package simulate

import (
	"image/color"

	"antipode/experiments/figure"
	"antipode/internal/lists"
)

// leastBands is the least number of trajectories for which a figure shows bands of overlaps.
const leastBands = 20

// The greys of the band of the central 95 % of the overlaps, and of the band of the central 50 %.
var (
	wideShade   = color.Gray{150}
	narrowShade = color.Gray{70}
)

// quantile returns the k-th quantile of the overlaps as a function of time.
func (e *ensembleSummary) quantile(k int) (q []float64) {
	return lists.Map(e.Quantiles, func(at [5]float64) float64 { return at[k] })
}

// drawBands plots the central 95 % and 50 % of the overlaps as bands against time. Other lines must be added
// to the plot later, so that they are drawn over the bands.
func (e *ensembleSummary) drawBands(p *figure.Plot) {
	for _, band := range []struct {
		low, high int
		shade     color.Color
	}{{0, 4, wideShade}, {1, 3, narrowShade}} {
		p.Add(figure.Band{X: e.Time, Low: e.quantile(band.low), High: e.quantile(band.high),
			Color: band.shade})
	}
}

// drawMedian plots the median of the overlaps against time. The median must be added to the plot last, so
// that it is drawn over all other lines.
func (e *ensembleSummary) drawMedian(p *figure.Plot, key *figure.Key) {
	stroke := figure.Stroke{Color: color.Black, Width: 2, Dashes: []float64{7, 3}}
	p.Line(e.Time, e.quantile(2), stroke)
	key.Add("median", stroke)
}
