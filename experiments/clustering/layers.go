package clustering

import (
	"fmt"
	"math"

	"antipode/experiments/parameter"
)

// layers is the number of layers in a horizon, or an error that belongs to the horizon.
func layers(depth int64, horizon float64) (int64, error) {
	return layersIn("horizon", depth, horizon)
}

// layersIn is the number of layers in a time, or an error of the parameter of that name.
func layersIn(name string, depth int64, time float64) (int64, error) {
	product := float64(depth) * time
	n := math.Round(product)
	if math.Abs(product-n) > 1e-9*max(1, product) || n < 1 {
		return 0, &parameter.Error{Parameter: name, Value: parameter.FormatReal(time),
			Problem: fmt.Sprintf("depth × %s must be a whole number of layers, at least 1; here it is %d × %s = %.6g", name, depth, parameter.FormatReal(time), product)}
	}
	return int64(n), nil
}

// observationTimes are the layers 0, every, 2·every, … and the horizon.
func observationTimes(horizon, every int64) []int64 {
	var times []int64
	for layer := int64(0); layer < horizon; layer += every {
		times = append(times, layer)
	}
	return append(times, horizon)
}
