package overlap

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// NewHybrid returns the overlap diffusion of two tokens, or of two clusters of equal mass, in the hybrid
// model (8). In the hybrid model the tokens are driven by attention itself, and by scalar noise of amplitude
// ε = epsilon along attention. Drift and variance of the overlap z are
//
//	drift (1-z²) (2q - ε²(2pq + 4q²z)), variance 4ε²q² (1-z²)²,
//
// which is (26) for unnormalized attention. The dimension affects only the law of the overlap of uniform
// tokens. For epsilon = 0 the overlap follows a deterministic flow, which takes every overlap but -1 to +1.
// NewHybrid returns an error if dim < 2, if beta is not in [0, MaxBeta], if attention is neither Softmax nor
// Unnormalized, or if epsilon is not in [0, MaxEpsilon]. The boundary classes of the ends -1 and +1 follow
// from HybridThresholds.
func NewHybrid(dim int, beta float64, attention Attention, epsilon float64) (*Diffusion, error) {
	if err := checkTokens(dim, beta, attention); err != nil {
		return nil, err
	}
	if err := checkEpsilon(epsilon); err != nil {
		return nil, err
	}
	single, antipodal := HybridThresholds(beta, attention)
	h := &hybrid{beta, attention, epsilon, single}
	// The slopes h' at the ends, written as multiples of the difference between epsilon and its threshold,
	// suffer no cancellation.
	minus := bounded(times(-excess(epsilon, antipodal), elementary.Exp(2*beta)))
	plus, convex := bounded(-excess(epsilon, single)), epsilon > single
	if attention == Softmax {
		plus = bounded((single - epsilon) * (single + epsilon) / epsilon / epsilon)
		minus = bounded(times((antipodal-epsilon)*(antipodal+epsilon)/epsilon/epsilon,
			elementary.Exp(2*beta)))
		convex = epsilon > 1
	}
	d := newDiffusion(dim, h, line.Converging(-1, minus, line.Asymptote),
		line.Converging(1, plus, line.Asymptote), convex)
	if epsilon == 0 {
		d.line.Velocity = h.velocity
	}
	return d, nil
}

// MaxEpsilon is the largest noise amplitude ε of the hybrid model that package overlap accepts.
const MaxEpsilon = 1000

func checkEpsilon(epsilon float64) error {
	if !(epsilon >= 0 && epsilon <= MaxEpsilon) {
		return fmt.Errorf("overlap: epsilon %v is not allowed: it must be from 0 to %d", epsilon, MaxEpsilon)
	}
	return nil
}

// HybridThresholds returns the critical noise amplitudes of the hybrid model: the end +1 attracts if and only
// if ε < single, and the end -1 attracts if and only if ε > antipodal. For unnormalized attention both
// thresholds are sqrt(2 exp(-β)) (Proposition 1), and if ε equals this threshold, neither end attracts. For
// softmax, single is √2 and antipodal is sqrt(1 + exp(-2β)); if ε lies between the two thresholds, both ends
// attract. The inverse temperature beta must be in [0, MaxBeta].
func HybridThresholds(beta float64, attention Attention) (single, antipodal float64) {
	if attention == Unnormalized {
		threshold := float64(math.Sqrt2 * elementary.Exp(-0.5*beta))
		return threshold, threshold
	}
	return math.Sqrt2, math.Sqrt(1 + elementary.Exp(-2*beta))
}

// hybrid is the model of two tokens under attention and scalar noise along attention.
type hybrid struct {
	beta      float64
	attention Attention
	epsilon   float64
	single    float64 // the threshold of epsilon for the end +1
}

// Slope returns the slope h' = (1/ε² - p)/q of equation [4].
func (h *hybrid) Slope(at line.Position) float64 {
	ratio := elementary.Exp(float64(h.beta * at.Below)) // the ratio p/q
	if h.attention == Unnormalized {
		return bounded(times(-excess(h.epsilon, h.single), ratio))
	}
	return bounded((1 + times((1-h.epsilon)*(1+h.epsilon), ratio)) / h.epsilon / h.epsilon)
}

// excess returns 1 - (threshold/ε)², which is -Inf for ε = 0.
func excess(epsilon, threshold float64) float64 {
	return (epsilon - threshold) / epsilon * (1 + threshold/epsilon)
}

func (h *hybrid) Variance(at line.Position) float64 {
	_, q := h.weights(at)
	root := 2 * h.epsilon * q
	return root * root
}

// Pull returns γ²h' = 4q² (1 - ε²p)/q: e^(β(1+z)) (threshold² - ε²) for unnormalized attention, for which 4pq
// is e^(β(1+z)), and 4q (q + (1-ε²)p) for softmax.
func (h *hybrid) Pull(at line.Position) float64 {
	if h.attention == Unnormalized {
		return float64((h.single - h.epsilon) * (h.single + h.epsilon) *
			elementary.Exp(float64(h.beta*at.Above)))
	}
	p, q := h.weights(at)
	return 4 * q * (q + float64((1-h.epsilon)*(1+h.epsilon)*p))
}

func (h *hybrid) drift(at line.Position) float64 {
	p, q := h.weights(at)
	return hybridDrift(at, h.epsilon, p, q)
}

// velocity returns du/dt, u = atanh z, of the hybrid model without noise.
func (h *hybrid) velocity(at line.Position) float64 {
	_, q := h.weights(at)
	return 2 * q
}

// weights returns the attention weights p and q of the hybrid model.
func (h *hybrid) weights(at line.Position) (p, q float64) {
	ratio := elementary.Exp(-float64(h.beta * at.Below)) // the ratio q/p
	if h.attention == Unnormalized {
		return 0.5 * elementary.Exp(h.beta), 0.5 * elementary.Exp(float64(h.beta*at.Z))
	}
	return 1 / (1 + ratio), ratio / (1 + ratio)
}

// hybridDrift returns the drift (1-z²) 2q (1 - ε²(p + 2qz)) of the overlap z in the hybrid model. The drift
// is never NaN: for z ≥ 0 the sum p + 2qz has no cancellation, and for z < 0 the weight q is finite.
func hybridDrift(at line.Position, epsilon, p, q float64) float64 {
	noise := float64(epsilon * epsilon * (p + float64(2*q*at.Z)))
	return times(2*at.Above*at.Below*(1-noise), q)
}

// steepestSlope bounds the size of every slope h', so that a rise of h does not overflow.
const steepestSlope = 1e300

func bounded(slope float64) float64 {
	return max(-steepestSlope, min(slope, steepestSlope))
}
