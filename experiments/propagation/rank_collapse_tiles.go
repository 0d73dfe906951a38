package propagation

import (
	"image/color"
	"math"

	"antipode/experiments/figure"

	"gonum.org/v1/plot"
)

// addRatios adds the tiles of one correlation and deviation.
func addRatios(p *plot.Plot, rows []collapseRow, rho, sigma float64, share func(collapseRow) float64) error {
	var x, y, shares []float64
	for _, r := range rows {
		if r.rho == rho && r.sigma == sigma {
			x, y = append(x, math.Log2(float64(r.tokens))), append(y, math.Log2(float64(r.dim)))
			shares = append(shares, share(r))
		}
	}
	return figure.AddTiles(p, x, y, func(k int) color.Color { return figure.ProbabilityColor(shares[k]) })
}
