package overlap

import (
	"errors"
	"fmt"
	"math"

	"antipode/overlap/internal/line"
)

// A Kernel is any attention of two tokens, given by the weights with which it takes them to A¹ = pX¹
// + qX² and A² = qX¹ + pX², as functions of their overlap z in [-1, 1]. The weights must be finite
// and continuous; at kinks integrals take longer and are as accurate.
type Kernel func(z float64) (p, q float64)

// NewKernel returns the overlap diffusion of two tokens on the unit sphere of R^dim under attention, or
// any other noise of a layer, of one's own. A Kernel gives the attention, when the entries of the value
// matrices have standard deviation sigma:
//
//	drift σ² (1-z²) (2(dim-2)pq - (p²+q²)z), variance 2σ² (1-z²)² (p²+q²).
//
// With ψ = 2(dim-2)pq/(p²+q²), +1 attracts if and only if ψ(1) > -1, and -1 if and
// only if ψ(-1) < 1; a ψ that differs from the threshold by rounding alone is
// equal to it, and does not attract. Moments give κ₁₁ and κ₁₂ over σ²:
//
//	drift σ² (-(dim-1)κ₁₁z + (dim-2+z²)κ₁₂), variance 2σ² (1-z²)(κ₁₁-zκ₁₂).
//
// Then -1 is invariant if and only if κ₁₂(-1) = -κ₁₁(-1), and otherwise an Entrance, or Reflecting
// for dim = 2; a difference of 1e-12 κ₁₁ is none. Near the ends Moments are interpolated, so that
// probabilities are accurate to 1e-9 or so, whatever their Error.
//
// The weights of a Kernel must not vanish together; it is an error if they do at an end or are not finite
// there, if the moments are not those of a noise or not smooth, if the kernel is nil, dim < 2 or sigma is not
// a positive finite number.
func NewKernel[K Kernel | Moments | func(z float64) (p, q float64)](
	dim int, kernel K, sigma float64,
) (*Diffusion, error) {
	if err := checkTokens(dim, 0, Softmax); err != nil {
		return nil, err
	}
	if err := checkSigma(sigma); err != nil {
		return nil, err
	}
	switch k := any(kernel).(type) {
	case Moments:
		return newMoments(dim, k, sigma)
	case Kernel:
		return newTokens(dim, k, sigma)
	}
	return newTokens(dim, any(kernel).(func(z float64) (p, q float64)), sigma)
}

// newTokens returns the diffusion of two tokens under attention.
func newTokens(dim int, kernel Kernel, sigma float64) (*Diffusion, error) {
	if kernel == nil {
		return nil, errNoKernel
	}
	for _, z := range []float64{-1, 1} {
		if p, q := kernel(z); !(p != 0 || q != 0) || !finite(p) || !finite(q) {
			return nil, fmt.Errorf("overlap: the kernel's weights %v and %v at overlap %v are not allowed: "+
				"they must be finite and not both 0", p, q, z)
		}
	}
	k := &tokens{dim, kernel, sigma}
	minus, plus := k.psi(-1)-1, k.psi(1)+1
	return newDiffusion(dim, k, line.Converging(-1, snap(minus), line.Asymptote),
		line.Converging(1, snap(plus), line.Asymptote), false), nil
}

var errNoKernel = errors.New("overlap: the kernel is missing: it must be a function")

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// snap returns 0 for a difference of numbers around 1 that rounding explains.
func snap(difference float64) float64 {
	if math.Abs(difference) < line.LimitError {
		return 0
	}
	return difference
}

// tokens is the model of two tokens under random value matrices and any attention.
type tokens struct {
	dim    int
	kernel Kernel
	sigma  float64
}

func (k *tokens) psi(z float64) float64 {
	p, q := k.kernel(z)
	size := max(math.Abs(p), math.Abs(q))
	p, q = p/size, q/size
	return 2 * float64(k.dim-2) * p * q / (float64(p*p) + float64(q*q))
}

func (k *tokens) Slope(at line.Position) float64 { return k.psi(at.Z) + at.Z }

func (k *tokens) Variance(at line.Position) float64 {
	p, q := k.kernel(at.Z)
	p, q = k.sigma*p, k.sigma*q
	return 2 * (float64(p*p) + float64(q*q))
}

func (k *tokens) drift(at line.Position) float64 {
	return times(0.5*at.Above*at.Below*(k.psi(at.Z)-at.Z), k.Variance(at))
}
