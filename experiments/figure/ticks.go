package figure

import (
	"fmt"

	"gonum.org/v1/plot"
)

// WholeTicks puts a tick at each of up to a dozen values.
func WholeTicks(values []float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, v := range Spread(values, 12) {
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%g", v)})
	}
	return ticks
}
