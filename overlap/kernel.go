package overlap

import (
	"errors"
	"fmt"
	"math"

	"antipode/overlap/internal/line"
)

// A Kernel is any attention between two tokens, given by its weights p and q as functions of the overlap z in
// [-1, 1]: attention takes the tokens to A¹ = pX¹ + qX² and A² = qX¹ + pX². The weights of a Kernel must be
// finite and continuous. Kinks of the weights make integrals slower but not less accurate.
type Kernel func(z float64) (p, q float64)

// NewKernel returns the overlap diffusion of two tokens on the unit sphere of R^dim under a custom attention
// or any other custom noise of a layer. A Kernel specifies an attention, under value matrices of independent
// entries of standard deviation sigma. Drift and variance of the overlap z are then
//
//	drift σ² (1-z²) (2(dim-2)pq - (p²+q²)z), variance 2σ² (1-z²)² (p²+q²).
//
// With ψ = 2(dim-2)pq/(p²+q²), the end +1 attracts if and only if ψ(1) > -1, and the end -1 attracts if and
// only if ψ(-1) < 1. An end whose ψ differs from its threshold only by rounding does not attract. Moments
// specify the noise of a layer by the second moments κ₁₁ and κ₁₂, divided by σ². Drift and variance of the
// overlap z are then
//
//	drift σ² (-(dim-1)κ₁₁z + (dim-2+z²)κ₁₂), variance 2σ² (1-z²)(κ₁₁-zκ₁₂).
//
// Under Moments the end -1 is invariant if and only if κ₁₂(-1) = -κ₁₁(-1), and otherwise an Entrance, or
// Reflecting for dim = 2. A difference of moments up to 1e-12 κ₁₁ is treated as 0. Near the ends NewKernel
// interpolates Moments. So probabilities under Moments are accurate only to about 1e-9, even if their Error
// is smaller.
//
// NewKernel returns an error if the kernel is nil, if dim < 2, or if sigma is not a positive finite number.
// NewKernel returns an error if, at an end, the weights of a Kernel are both 0 or are not finite. NewKernel
// returns an error if no noise has the moments, or if the moments are not smooth. The weights p and q of a
// Kernel must not vanish together inside (-1, 1) either.
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

// newTokens returns the overlap diffusion of two tokens under the attention of a Kernel.
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

// snap returns difference, or 0 if the difference, of numbers near 1, is below line.LimitError and so may be
// a rounding error.
func snap(difference float64) float64 {
	if math.Abs(difference) < line.LimitError {
		return 0
	}
	return difference
}

// tokens is the model of two tokens under value matrices of independent entries and the attention of a
// Kernel.
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
