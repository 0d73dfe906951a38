package weights

import (
	"math"

	"antipode/overlap"
)

// Ends are what becomes of two tokens under noise of these invariants, scores and MLP, drawn anew in each
// layer.
type Ends struct {
	// Critical is the β above which an antipodal pair is stable without the MLP: cosh 2β = d-2 for
	// independent values and scores without a random part. It is NaN where there is none.
	Critical float64
	// Plus and Minus are 1 if overlap 1 or -1 attracts, with the MLP, and 0 if it does not.
	Plus, Minus float64
}

var unknownEnds = Ends{math.NaN(), math.NaN(), math.NaN()}

// largestCritical bounds the β that are searched.
const largestCritical = 30

// ends finds them for values of a, b and c, scores of β and S, and an MLP.
func ends(dim int, a, b, c, beta, spread float64, m MLP, activation string) Ends {
	if !(a > 0) || spread > overlap.MaxSpread || math.Abs(beta) > overlap.MaxBeta || !(a < 1e6) {
		return unknownEnds
	}
	// An estimate from a single matrix may be out of the domain by its own rounding.
	covariance := overlap.Covariance{A: 1, B: max(-1, min(1, b/a)), C: c / a}
	covariance.C = max(covariance.C, -(1+covariance.B)/float64(dim))
	at := func(beta float64) (*overlap.Diffusion, error) {
		return overlap.NewResampled(dim, beta, overlap.Softmax, math.Sqrt(a), spread, covariance)
	}
	e := unknownEnds
	if roots, err := overlap.Thresholds(-1, 0, largestCritical, at); err == nil && len(roots) > 0 {
		e.Critical = roots[len(roots)-1]
	}
	diffusion, err := at(math.Abs(beta)) // whose sign the law of two tokens does not depend on
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
