package theory

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/exactlaw"
	"antipode/sde"
)

// Depth is the probabilities of the outcomes of two tokens after the layers that were simulated, at
// the depth that was simulated, NaN where they are not known, and the greater of their estimated
// errors.
type Depth struct{ Antipodal, Single, Error float64 }

// UnknownDepth is a Depth of which nothing is known.
var UnknownDepth = Depth{math.NaN(), math.NaN(), math.NaN()}

const (
	// DepthAccuracy is what is asked of the exact law in a table.
	DepthAccuracy = 1e-6
	// LargestDepthError is the estimated error from which on a probability is not known.
	LargestDepthError = 1e-5
)

// Recursion is the recursion of two tokens of a cell, as far as its exact law can be computed: that of (4)
// with Gaussian value matrices and B = I, with several heads and a drift, and that of (7); both may have an
// MLP, taken as infinitely wide; nil for others.
func Recursion(c sde.Cell) (*exactlaw.Recursion, error) {
	if c.Tokens != 2 || c.Interaction != nil || c.Resampling != (sde.Resampling{}) {
		return nil, nil
	}
	attention := Attention(c.Attention)
	var r *exactlaw.Recursion
	var err error
	switch m := c.Model.(type) {
	case sde.Transformer:
		if m.Law != sde.Gaussian || m.Covariance.OrGinibre() != overlap.Ginibre {
			return nil, nil
		}
		r, err = exactlaw.Clusters(c.Dim, c.Beta, attention, m.Sigma, 1, 1, c.Depth)
		if err == nil {
			r, err = r.WithDrift(c.Drift)
		}
	case sde.Hybrid:
		r, err = exactlaw.Hybrid(c.Dim, c.Beta, attention, m.Epsilon, ScalarLaw(m.Law), c.Depth)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if c.Arrangement == sde.InSequence {
		return r.WithMLPAfter(MLP(c))
	}
	return r.WithMLP(MLP(c))
}

// AtDepth is the exact law of a cell from a uniform start.
func AtDepth(c sde.Cell, layers int64, tolerance float64) Depth {
	r, err := Recursion(c)
	if err != nil || r == nil {
		return UnknownDepth
	}
	o, err := r.Uniform(int(layers), tolerance, DepthAccuracy)
	if err != nil {
		return UnknownDepth
	}
	return DepthOf(o)
}

// DepthOf is what is known of outcomes.
func DepthOf(o exactlaw.Outcomes) Depth {
	known := func(p overlap.Probability) overlap.Probability {
		if !(p.Error <= LargestDepthError) {
			return overlap.Probability{Value: math.NaN(), Error: math.NaN()}
		}
		return p
	}
	antipodal, single := known(o.Antipodal), known(o.Single)
	return Depth{antipodal.Value, single.Value, greater(antipodal.Error, single.Error)}
}
