package weights

import (
	"math"

	"antipode/overlap"
)

// Ends says which overlaps attract two tokens, if noise, scores and MLP have the given parameters and are
// sampled independently in each layer.
type Ends struct {
	// Critical is the β above which an antipodal pair is stable without the MLP. For independent values and
	// scores without a random part it solves cosh 2β = d-2. It is NaN if no such β exists.
	Critical float64
	// Plus is 1 if overlap 1 is attracting, with the MLP, and otherwise 0. Minus is the same for overlap -1.
	Plus, Minus float64
}

var unknownEnds = Ends{math.NaN(), math.NaN(), math.NaN()}

// largestCritical bounds the search for β.
const largestCritical = 30

// ends computes Ends for the invariants a, b and c of the values, the parameters β and S of the scores, and
// an MLP.
func ends(dim int, a, b, c, beta, spread float64, m MLP, activation string) Ends {
	if !(a > 0) || spread > overlap.MaxSpread || math.Abs(beta) > overlap.MaxBeta || !(a < 1e6) {
		return unknownEnds
	}
	// Rounding may move an estimate from a single matrix out of the domain.
	covariance := overlap.Covariance{A: 1, B: max(-1, min(1, b/a)), C: c / a}
	covariance.C = max(covariance.C, -(1+covariance.B)/float64(dim))
	at := func(beta float64) (*overlap.Diffusion, error) {
		return overlap.NewResampled(dim, beta, overlap.Softmax, math.Sqrt(a), spread, covariance)
	}
	e := unknownEnds
	if roots, err := overlap.Thresholds(-1, 0, largestCritical, at); err == nil && len(roots) > 0 {
		e.Critical = roots[len(roots)-1]
	}
	diffusion, err := at(math.Abs(beta)) // the law of two tokens does not depend on the sign of β
	if err != nil {
		return e
	}
	if m.Strength > 0 {
		mlp, known := m.overlapMLP(activation)
		if !known {
			return e
		}
		if diffusion, err = diffusion.WithMLP(mlp); err != nil {
			return e
		}
	}
	attracts := func(end overlap.Boundary) float64 {
		if end == overlap.Attracting {
			return 1
		}
		return 0
	}
	e.Plus, e.Minus = attracts(diffusion.PlusOne()), attracts(diffusion.MinusOne())
	return e
}
