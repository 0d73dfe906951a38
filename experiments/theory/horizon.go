package theory

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
)

// Horizon is the probabilities of the outcomes at a horizon, NaN where they are not
// known, and the greater of their estimated errors.
type Horizon struct {
	Antipodal, Single, Error float64
	AntipodalError           float64 // of Antipodal alone
}

// Unknown is a Horizon of which nothing is known.
var Unknown = Horizon{math.NaN(), math.NaN(), math.NaN(), math.NaN()}

// HorizonOf is what a law says of the outcomes within a tolerance.
func HorizonOf(law fokkerplanck.Distribution, tolerance float64) Horizon {
	antipodal, single := Known(law.Antipodal(tolerance)), Known(law.Single(tolerance))
	return Horizon{antipodal.Value, single.Value, greater(antipodal.Error, single.Error), antipodal.Error}
}

// greater is the greater of two numbers, each of which may be NaN for none.
func greater(a, b float64) float64 {
	if a >= b || math.IsNaN(b) {
		return a
	}
	return b
}

// LargestHorizonError is the estimated error from which on a probability at a horizon is not known.
const LargestHorizonError = 1e-3

// Known is a probability, or NaN where its error is large.
func Known(p overlap.Probability) overlap.Probability {
	if !(p.Error <= LargestHorizonError) {
		return overlap.Probability{Value: math.NaN(), Error: math.NaN()}
	}
	return p
}
