package rankcollapse

import (
	"fmt"
	"image/color"
	"math"

	"antipode/experiments/figure"

	"gonum.org/v1/plot"
)

// addRatios adds the tiles of one correlation and deviation.
func addRatios(p *plot.Plot, rows []Row, rho, sigma float64, share func(Row) float64) error {
	var x, y, shares []float64
	for _, r := range rows {
		if r.Rho == rho && r.Sigma == sigma {
			x, y = append(x, math.Log2(float64(r.Tokens))), append(y, math.Log2(float64(r.Dim)))
			shares = append(shares, share(r))
		}
	}
	columns := figure.Cells{Grid: figure.Distinct(x), Low: math.Inf(-1), High: math.Inf(1)}
	lines := figure.Cells{Grid: figure.Distinct(y), Low: math.Inf(-1), High: math.Inf(1)}
	p.X.Tick.Marker, p.Y.Tick.Marker = powerTicks(columns.Grid), powerTicks(lines.Grid)
	return figure.AddTiles(p, columns, lines, x, y,
		func(k int) color.Color { return figure.ProbabilityColor(shares[k]) })
}

// powerTicks are ticks at logarithms of base 2, with the numbers themselves.
func powerTicks(logarithms []float64) (ticks plot.ConstantTicks) {
	for _, x := range logarithms {
		ticks = append(ticks, plot.Tick{Value: x, Label: fmt.Sprintf("%.0f", math.Exp2(x))})
	}
	return ticks
}
