package setting

import (
	"math"

	"antipode/experiments/parameter"
)

// Layers returns the number of layers up to a horizon, which is depth × horizon. The error is a
// *parameter.Error of the parameter horizon.
func Layers(depth int64, horizon float64) (int64, error) {
	return LayersIn("horizon", depth, horizon)
}

// CheckHorizon returns the error of Layers: depth × horizon must be a whole number of layers.
func CheckHorizon(depth int64, horizon float64) error {
	_, err := Layers(depth, horizon)
	return err
}

// LayersIn returns the number of layers in a time, which is depth × time. The error is a *parameter.Error of
// the parameter with the given name.
func LayersIn(name string, depth int64, time float64) (int64, error) {
	product := float64(depth) * time
	n := math.Round(product)
	if math.Abs(product-n) > 1e-9*max(1, product) || n < 1 {
		return 0, parameter.Errorf(name, time, "depth × %s must be a whole number of layers, at least 1; "+
			"here it is %d × %s = %.6g", name, depth, parameter.FormatReal(time), product)
	}
	return int64(n), nil
}

// CheckedLayers returns the number of layers in a time, for a depth and a time that Validate of an experiment
// has checked. CheckedLayers panics if the number is not whole.
func CheckedLayers(depth int64, time float64) int64 {
	layers, err := Layers(depth, time)
	if err != nil {
		panic("setting: " + err.Error())
	}
	return layers
}

// ObservationTimes returns the layers after which tokens are observed: the multiples of every below the
// horizon, from 0, and the horizon. The horizon is a number of layers.
func ObservationTimes(horizon, every int64) []int64 {
	var times []int64
	for layer := int64(0); layer < horizon; layer += every {
		times = append(times, layer)
	}
	return append(times, horizon)
}
