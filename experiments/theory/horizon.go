package theory

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// Horizon holds the probabilities of the outcomes at a horizon. They are NaN if they are not known. Error is
// the greater of their estimated errors.
type Horizon struct {
	Antipodal, Single, Error float64
	AntipodalError           float64 // of Antipodal alone
}

// Unknown is a Horizon in which nothing is known.
var Unknown = Horizon{math.NaN(), math.NaN(), math.NaN(), math.NaN()}

// HorizonOf returns the probabilities of the outcomes under a law. The tolerance defines the outcomes.
func HorizonOf(law fokkerplanck.Distribution, tolerance float64) Horizon {
	antipodal, single := Known(law.Antipodal(tolerance)), Known(law.Single(tolerance))
	return Horizon{antipodal.Value, single.Value, greater(antipodal.Error, single.Error), antipodal.Error}
}

// UniformLaws returns the laws of the overlap of a cell's two tokens at infinite depth, from independent
// uniform starts, for ascending times above 0. It returns no laws if the time of the diffusion is out of the
// range of the theory. The error is that of Diffusion.
func UniformLaws(c sde.Cell, times []float64, accuracy float64) ([]fokkerplanck.Distribution, error) {
	d, err := Diffusion(c)
	if err != nil {
		return nil, err
	}
	laws, err := fokkerplanck.Uniform(d, times, accuracy)
	if err != nil {
		return nil, nil
	}
	return laws, nil
}

// greater returns the greater of two numbers. A NaN is ignored if the other number is not NaN.
func greater(a, b float64) float64 {
	if a >= b || math.IsNaN(b) {
		return a
	}
	return b
}

// LargestHorizonError is the estimated error above which a probability at a horizon counts as unknown.
const LargestHorizonError = 1e-3

// Known returns a probability, or NaN if its error is large.
func Known(p overlap.Probability) overlap.Probability {
	if !(p.Error <= LargestHorizonError) {
		return overlap.Probability{Value: math.NaN(), Error: math.NaN()}
	}
	return p
}
