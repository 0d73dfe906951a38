package weak

import (
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// Statistic is a function of the overlap whose mean over trajectories the experiment measures.
type Statistic int8

// statisticNames are the names of the statistics, in the order of their values.
var statisticNames = []string{"z", "z2", "bump"}

// statisticFormulas are the formulas of the statistics in figures.
var statisticFormulas = []string{"z", "z²", "exp(-z²/(1-z²))"}

// Labels returns the names of the statistics of the overlap.
func (Statistic) Labels() []string { return statisticNames }

// statisticsAt returns the three statistics of the overlap z: z, z², and exp(-z²/(1-z²)). The third
// statistic, together with all its derivatives, is 0 at z = ±1.
func statisticsAt(z float64) [3]float64 {
	square, rest := float64(z*z), (1-z)*(1+z)
	bump := 0.0
	if rest > 0 {
		bump = elementary.Exp(-square / rest)
	}
	return [3]float64{z, square, bump}
}

// meanStatistics sets values to the means of the statistics of the overlap over all pairs of the tokens x
// (N×d).
func meanStatistics(values *[3]float64, x []float64, d int) {
	*values = [3]float64{}
	pairs := 0.0
	for i := d; i < len(x); i += d {
		for j := 0; j < i; j += d {
			pairs++
			for k, v := range statisticsAt(sphere.Dot(x[i:i+d], x[j:j+d])) {
				values[k] += v
			}
		}
	}
	for k := range values {
		values[k] /= pairs
	}
}
