package rankcollapse

import (
	"fmt"
	"image/color"
	"math"

	"antipode/experiments/figure"
	"antipode/experiments/parameter"
)

// ratioPlane plots the tiles for one correlation and one standard deviation of the input tokens.
func ratioPlane(rows []Row, rho, sigma float64, share func(Row) float64) *figure.Plot {
	p := figure.NewPlot(fmt.Sprintf("ρ = %s, σ_x = %s", parameter.FormatReal(rho),
		parameter.FormatReal(sigma)), "tokens n", "dimension d")
	var at []figure.Point
	var x, y, shares []float64
	for _, r := range rows {
		if r.Rho == rho && r.Sigma == sigma {
			x, y = append(x, math.Log2(float64(r.Tokens))), append(y, math.Log2(float64(r.Dim)))
			at = append(at, figure.Point{X: x[len(x)-1], Y: y[len(y)-1]})
			shares = append(shares, share(r))
		}
	}
	columns := figure.Cells{Grid: figure.Distinct(x), Low: math.Inf(-1), High: math.Inf(1)}
	lines := figure.Cells{Grid: figure.Distinct(y), Low: math.Inf(-1), High: math.Inf(1)}
	if len(at) > 0 {
		p.Tiles(columns, lines, at, func(k int) color.Color { return figure.ProbabilityColor(shares[k]) })
	}
	p.X.Ticks, p.Y.Ticks = powerTicks(columns.Grid), powerTicks(lines.Grid)
	return p
}

// powerTicks returns the ticks of an axis at the given logarithms to base 2, labelled with the numbers
// themselves.
func powerTicks(logarithms []float64) (ticks []figure.Tick) {
	for _, x := range logarithms {
		ticks = append(ticks, figure.Tick{Value: x, Label: fmt.Sprintf("%.0f", math.Exp2(x))})
	}
	return ticks
}
