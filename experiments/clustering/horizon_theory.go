package clustering

import (
	"math"

	"antipode/experiments/columns"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
)

var horizonErrorColumn = columns.Nullable("p_horizon_error", "",
	"estimated absolute error of the theory at the horizon, the greater of those that are there; null where none is")

// A horizonTheory is the probabilities of the outcomes at a horizon, NaN where they are not
// known, and the greater of their estimated errors.
type horizonTheory struct{ antipodal, single, error float64 }

var unknownHorizon = horizonTheory{math.NaN(), math.NaN(), math.NaN()}

func horizonOf(law fokkerplanck.Distribution, tolerance float64) horizonTheory {
	antipodal, single := known(law.Antipodal(tolerance)), known(law.Single(tolerance))
	return horizonTheory{antipodal.Value, single.Value, greater(antipodal.Error, single.Error)}
}

// greater is the greater of two numbers, each of which may be NaN for none.
func greater(a, b float64) float64 {
	if a >= b || math.IsNaN(b) {
		return a
	}
	return b
}

// known is a probability, or NaN where its error is large.
func known(p overlap.Probability) overlap.Probability {
	const largest = 1e-3
	if !(p.Error <= largest) {
		return overlap.Probability{Value: math.NaN(), Error: math.NaN()}
	}
	return p
}
