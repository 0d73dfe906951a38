package theory

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// Horizon holds the probabilities of the antipodal outcome and of a single cluster at a horizon, at infinite
// depth. An unknown probability is NaN. Error is the greater of the estimated errors of the two
// probabilities.
type Horizon struct {
	Antipodal, Single, Error float64
	AntipodalError           float64 // the error of Antipodal alone
}

// Unknown is a Horizon whose probabilities are all unknown.
var Unknown = Horizon{math.NaN(), math.NaN(), math.NaN(), math.NaN()}

// HorizonOf returns the probabilities of the outcomes if the overlap of two tokens has the given law at the
// horizon. An overlap within the tolerance of -1 is antipodal, and an overlap within the tolerance of 1 is a
// single cluster.
func HorizonOf(law fokkerplanck.Distribution, tolerance float64) Horizon {
	antipodal, single := Known(law.Antipodal(tolerance)), Known(law.Single(tolerance))
	return Horizon{antipodal.Value, single.Value, greater(antipodal.Error, single.Error), antipodal.Error}
}

// UniformLaws returns the laws of the overlap of a cell's two tokens at infinite depth, at ascending times
// above 0, from independent uniform starts. UniformLaws returns no laws if the time of the diffusion is out
// of the range of the theory. The error is that of Diffusion.
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

// LawAt returns the law of the overlap of two tokens at a time above 0 under a diffusion. The overlap starts
// at z0 or, if z0 is nil, has the law of independent uniform tokens. LawAt asks for the given accuracy; the
// law says which error it has. It is an error if the time is out of the range of the theory.
func LawAt(
	d *overlap.Diffusion, z0 *float64, time, accuracy float64,
) (law fokkerplanck.Distribution, err error) {
	var laws []fokkerplanck.Distribution
	if z0 == nil {
		laws, err = fokkerplanck.Uniform(d, []float64{time}, accuracy)
	} else {
		laws, err = fokkerplanck.From(d, *z0, []float64{time}, accuracy)
	}
	if err != nil {
		return law, err
	}
	return laws[0], nil
}

// greater returns the greater of two numbers. A NaN is ignored if the other number is not NaN.
func greater(a, b float64) float64 {
	if a >= b || math.IsNaN(b) {
		return a
	}
	return b
}

// LargestHorizonError is the estimated error above which a probability at a horizon and infinite depth counts
// as unknown.
const LargestHorizonError = 1e-3

// Known returns the probability p, or NaN if the estimated error of p is above LargestHorizonError.
func Known(p overlap.Probability) overlap.Probability {
	if !(p.Error <= LargestHorizonError) {
		return overlap.Probability{Value: math.NaN(), Error: math.NaN()}
	}
	return p
}
