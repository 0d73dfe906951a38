package weights

import (
	"fmt"
	"math"

	"antipode/overlap"
)

// Ends says whether the overlaps -1 and 1 of two tokens are attracting, if value matrices, scores and MLP
// have the given parameters and are sampled independently in each layer.
type Ends struct {
	// Critical is the β above which an antipodal pair of tokens of dimension d is stable without the MLP. For
	// independent entries of value matrices and scores without a random part, Critical solves cosh 2β = d-2.
	// Critical is NaN if no such β exists.
	Critical float64
	// Plus is 1 if overlap 1 is attracting, with the MLP, and otherwise 0. Minus is 1 if overlap -1 is
	// attracting, with the MLP, and otherwise 0.
	Plus, Minus float64
}

var unknownEnds = Ends{math.NaN(), math.NaN(), math.NaN()}

// largestCritical is the greatest β up to which Critical is searched.
const largestCritical = 30

// mostValues bounds the variance a of the value matrices for which ends are computed.
const mostValues = 1e6

// Beyond says which parameter in the row of a layer lies beyond the range of the theory of two tokens, as in
// "S is 92 in layer 1, and the theory has S up to 20". The result is "" if none does. Beyond this range,
// PlusOne and MinusOne are null.
func (r Row) Beyond() string {
	for _, p := range []struct {
		name, size  string
		value, most float64
	}{
		{"S", "S", r.Spread.Value, overlap.MaxSpread},
		{"β", "|β|", r.Beta.Value, overlap.MaxBeta},
		{"c of the MLP", "c", r.MLPStrength, overlap.MaxStrength},
		{"a", "a", r.A.Value, mostValues},
	} {
		if math.Abs(p.value) > p.most {
			return fmt.Sprintf("%s is %.3g in layer %.0f, and the theory has %s up to %g", p.name, p.value,
				r.Layer, p.size, p.most)
		}
	}
	return ""
}

// ends computes Ends for the invariants a, b and c of the value matrices, the parameters β and S (spread) of
// the scores, and an MLP with the given activation, which is "" if the MLP is gated.
func ends(dim int, a, b, c, beta, spread float64, m MLP, activation string) Ends {
	if !(a > 0) || spread > overlap.MaxSpread || math.Abs(beta) > overlap.MaxBeta || !(a < mostValues) {
		return unknownEnds
	}
	// Rounding may move the invariants that are estimated from a single matrix out of the domain of the
	// theory.
	covariance := overlap.Covariance{A: 1, B: max(-1, min(1, b/a)), C: c / a}
	covariance.C = max(covariance.C, -(1+covariance.B)/float64(dim))
	at := func(beta float64) (*overlap.Diffusion, error) {
		return overlap.NewResampled(dim, beta, overlap.Softmax, math.Sqrt(a), spread, covariance)
	}
	e := unknownEnds
	if roots, err := overlap.Thresholds(-1, 0, largestCritical, at); err == nil && len(roots) > 0 {
		e.Critical = roots[len(roots)-1]
	}
	diffusion, err := at(math.Abs(beta)) // the law of two tokens is even in β
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
