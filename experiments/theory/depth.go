package theory

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/exactlaw"
	"antipode/sde"
)

// Depth holds the probabilities of the antipodal outcome and of a single cluster for two tokens at the
// simulated finite depth, after the simulated layers. An unknown probability is NaN. Error is the greater of
// the estimated errors of the two probabilities.
type Depth struct{ Antipodal, Single, Error float64 }

// UnknownDepth is a Depth whose probabilities are all unknown.
var UnknownDepth = Depth{math.NaN(), math.NaN(), math.NaN()}

const (
	// DepthAccuracy is the requested accuracy of probabilities of the exact law at finite depth in a table.
	DepthAccuracy = 1e-6
	// LargestDepthError is the estimated error above which a probability at finite depth counts as unknown.
	LargestDepthError = 1e-5
)

// Recursion returns the recursion of two tokens of a cell if the exact law of this recursion can be computed.
// Two recursions have a computable exact law: recursion (4) with Gaussian value matrices and B = I, possibly
// with several heads and a drift, and recursion (7). Both recursions may have an MLP, which is treated as
// infinitely wide. Recursion returns nil for other cells.
func Recursion(c sde.Cell) (*exactlaw.Recursion, error) {
	return ClustersRecursion(c, [2]float64{1, 1})
}

// ClustersRecursion returns the recursion, as Recursion does, of two clusters with the given numbers of
// tokens in place of the two tokens of the cell. Unequal numbers need a transformer without a drift.
func ClustersRecursion(c sde.Cell, tokens [2]float64) (*exactlaw.Recursion, error) {
	if c.Tokens != 2 || c.Interaction != nil || c.Resampling != (sde.Resampling{}) {
		return nil, nil
	}
	attention := Attention(c.Attention)
	var r *exactlaw.Recursion
	var err error
	switch m := c.Model.(type) {
	case sde.Transformer:
		deviation, independent := m.Covariance.Independent()
		if m.Law != sde.Gaussian || !independent {
			return nil, nil
		}
		r, err = exactlaw.Clusters(c.Dim, c.Beta, attention, m.Sigma*deviation, tokens[0], tokens[1], c.Depth)
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

// AtDepth returns the probabilities of the outcomes of a cell of two tokens after the given number of layers,
// from the exact law at finite depth and from a uniform start. The result is UnknownDepth if the exact law
// cannot be computed.
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

// DepthOf converts the outcomes of an exact law to a Depth. A probability with an estimated error above
// LargestDepthError becomes NaN.
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
