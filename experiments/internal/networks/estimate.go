package networks

import (
	"math"

	"antipode/experiments/internal/statistics"
	"antipode/sde/network"
)

// BarsText returns the end of the description of dots in a caption, which says what the error bars are. The
// text is "" for a single network, whose mean has no standard error.
func BarsText(networks int64) string {
	if networks < 2 {
		return ""
	}
	return ", ± 2 standard errors"
}

// EstimateOf estimates the mean, over simulated networks, of a number at the layer with the given index. The
// argument runs has the layers of each network. The standard error is NaN for a single network.
func EstimateOf(runs [][]network.Layer, layer int, number func(network.Layer) float64) statistics.Estimate {
	mean, squares := statistics.Deviations(runs,
		func(layers []network.Layer) float64 { return number(layers[layer]) })
	count := float64(len(runs))
	if count < 2 {
		return statistics.Estimate{Value: mean, Stderr: math.NaN()}
	}
	return statistics.Estimate{Value: mean, Stderr: math.Sqrt(squares / float64(count*(count-1)))}
}

// RatioOf returns the mean of x over networks divided by the mean of y, at the layer with the given index.
// The standard error of the ratio is correct to first order.
func RatioOf(runs [][]network.Layer, layer int, pair func(network.Layer) (x, y float64)) statistics.Estimate {
	x := EstimateOf(runs, layer, func(l network.Layer) float64 { x, _ := pair(l); return x })
	y := EstimateOf(runs, layer, func(l network.Layer) float64 { _, y := pair(l); return y })
	ratio := x.Value / y.Value
	rest := EstimateOf(runs, layer, func(l network.Layer) float64 {
		x, y := pair(l)
		return x - float64(ratio*y)
	})
	return statistics.Estimate{Value: ratio, Stderr: rest.Stderr / math.Abs(y.Value)}
}
