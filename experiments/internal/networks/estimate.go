package networks

import (
	"math"

	"antipode/experiments/internal/statistics"
	"antipode/sde/network"
)

// Estimate is a mean over networks with its standard error.
type Estimate struct{ Mean, Stderr float64 }

// BarsText ends what a caption says of the dots of some networks: of one there is no standard error.
func BarsText(networks int64) string {
	if networks < 2 {
		return ""
	}
	return ", ± 2 standard errors"
}

// Unknown stands for null in a table.
var Unknown = Estimate{math.NaN(), math.NaN()}

// EstimateOf is the estimate of a number that each network has at a layer; with a single network
// its standard error is unknown.
func EstimateOf(runs [][]network.Layer, layer int, number func(network.Layer) float64) Estimate {
	mean, squares := statistics.Deviations(runs,
		func(layers []network.Layer) float64 { return number(layers[layer]) })
	count := float64(len(runs))
	if count < 2 {
		return Estimate{mean, math.NaN()}
	}
	return Estimate{mean, math.Sqrt(squares / float64(count*(count-1)))}
}

// RatioOf is the ratio of the means of x and y at a layer, with its standard error to first order.
func RatioOf(runs [][]network.Layer, layer int, pair func(network.Layer) (x, y float64)) Estimate {
	x := EstimateOf(runs, layer, func(l network.Layer) float64 { x, _ := pair(l); return x })
	y := EstimateOf(runs, layer, func(l network.Layer) float64 { _, y := pair(l); return y })
	ratio := x.Mean / y.Mean
	rest := EstimateOf(runs, layer, func(l network.Layer) float64 {
		x, y := pair(l)
		return x - float64(ratio*y)
	})
	return Estimate{ratio, rest.Stderr / math.Abs(y.Mean)}
}
