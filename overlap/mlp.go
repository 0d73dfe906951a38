package overlap

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/activation"
	"antipode/sphere/elementary"
)

// MaxStrength is the largest strength of an MLP that package overlap accepts.
const MaxStrength = 1e6

// An MLP is the map x ↦ W₂φ(W₁x) with Gaussian weights that are drawn anew in each layer. The entries of W₁
// have variance Variance. The entries of W₂ are scaled such that every coordinate of the output of the MLP
// has variance Strength for inputs on the unit sphere. In the limit of infinite depth, the number of hidden
// units of an MLP does not matter, as layers are independent and only second moments of the output remain.
type MLP struct {
	Activation activation.Activation
	Strength   float64 // the strength c, from 0 to MaxStrength
	Variance   float64 // variance w of pre-activations, from activation.LeastVariance to LargestVariance
}

// Correlation returns the correlation φ̂ of the activation of the MLP. Correlation returns an error if a
// field of the MLP is out of its domain.
func (m MLP) Correlation() (*activation.Correlation, error) {
	if !(m.Strength >= 0 && m.Strength <= MaxStrength) {
		return nil, fmt.Errorf("overlap: strength %v of the MLP is not allowed: it must be from 0 to %v",
			m.Strength, MaxStrength)
	}
	c, err := activation.NewCorrelation(m.Activation, m.Variance)
	if err != nil {
		return nil, fmt.Errorf("overlap: MLP: %w", err)
	}
	return c, nil
}

// feedforward is the contribution of an MLP to the diffusion of u = atanh z: κ₁₁ = c, κ₁₂ = cφ̂(z) with the
// strength c. The variance γ² of u, and γ²h', which is twice the drift of u, are sums over the independent
// parts of a layer.
//
// If E F_a(x_i)F_b(x_j) = κ_ij δ_ab and κ₁₁ = κ₂₂, then with n = 2(κ₁₁-zκ₁₂)/(1-z²) and m =
// 2(κ₁₂-zκ₁₁)/(1-z²) the noise F of one part contributes n to γ² and (d-2)m + zn to γ²h'. For attention with
// equal masses, n = 2σ²(p²+q²) and m = 4σ²pq.
type feedforward struct {
	dim         int
	strength    float64
	correlation *activation.Correlation
}

// add returns the contributions n of the MLP to γ² and (d-2)m + zn to γ²h'.
//
// Beyond u = -deepest, 1+z is too small for float64. There n and m of an activation that is not odd are
// proportional to 1/(1+z), that is to e^(-2u), and those of an odd activation equal their limits.
func (f *feedforward) add(at line.Position) (variance, pull float64) {
	own, shared := f.correlation.Shares(max(-deepest, at.U()))
	n, m := 2*f.strength*own, 2*f.strength*shared
	if at.U() < -deepest && !f.correlation.Odd() {
		grown := elementary.Exp(-float64(2 * (at.U() + deepest)))
		n, m = float64(n*grown), float64(m*grown)
	}
	return n, float64(float64(f.dim-2)*m) + float64(at.Z*n)
}

// deepest is the |u|, u = atanh z, up to which 1+z has all digits of a float64.
const deepest = 350

// contraction returns the contribution of an MLP to the exponential rate at which the distance between two
// close tokens grows: -½γ²h' at overlap z = 1, which is -½c((d-1) - (d-3)r) with r = φ̂'(1).
func (f *feedforward) contraction() float64 {
	_, pull := f.add(line.At(1))
	return -0.5 * pull
}

// push is the contribution of a mean μI/L of the value matrices to the overlap z: the drift μ(q₁+q₂)(1-z²) of
// z.
type push struct {
	strength float64
	attending
}

// attending is a model that knows q₁+q₂, the sum of the weights with which the clusters attend to each
// other.
type attending interface {
	crossing(at line.Position) float64
}

// pull returns twice the contribution of the mean of the value matrices to the drift of u = atanh z.
func (p push) pull(at line.Position) float64 { return 2 * p.strength * p.attending.crossing(at) }

func (c *clusters) crossing(at line.Position) float64 {
	ratio := elementary.Exp(-float64(c.beta * at.Below))
	if c.attention == Unnormalized {
		return elementary.Exp(float64(c.beta * at.Z))
	}
	first, second := c.great+float64(c.small*ratio), c.small+float64(c.great*ratio)
	return ratio * (c.small/first + c.great/second)
}

func (h *hybrid) crossing(at line.Position) float64 {
	_, q := h.weights(at)
	return 2 * q
}

func (k *tokens) crossing(at line.Position) float64 {
	_, q := k.kernel(at.Z)
	return 2 * q
}

// crossing returns the mean of q₁+q₂ under random scores. For softmax the mean is 2E 1/(1+e^g), computed by
// the trapezoidal rule, where g is normal with mean β(1-z) and variance 2S²(1-z). For unnormalized attention
// the mean of q₁+q₂ is that of a lognormal random variable.
func (r *resampled) crossing(at line.Position) float64 {
	mean, square := float64(r.beta*at.Below), float64(r.spread*r.spread)
	if r.attention == Unnormalized {
		return elementary.Exp(float64(r.beta*at.Z) + float64(0.5*square))
	}
	deviation := math.Sqrt(2 * square * at.Below)
	step := min(0.5, 0.5/deviation)
	sum, total := 0.0, 0.0
	for k := -int(8.5 / step); k <= int(8.5/step); k++ {
		n := float64(step * float64(k))
		weight := elementary.Exp(-0.5 * n * n)
		sum += weight / (1 + elementary.Exp(mean+float64(deviation*n)))
		total += weight
	}
	return 2 * sum / total
}
