package overlap

import (
	"fmt"

	"antipode/overlap/internal/line"
)

// newHybridKernel returns the overlap diffusion of two tokens in the hybrid model with any attention; see
// NewHybrid. The weight q must be positive; otherwise there are overlaps that the diffusion cannot cross.
// With the weights at the ends, +1 attracts if and only if ε²p(1) < 1, and -1 if and only if ε²p(-1) > 1.
// A difference due to rounding counts as equality. It is an error if the weights at an end are not finite
// or q is not positive there, if the kernel is nil, if dim < 2, or if epsilon is not in (0, MaxEpsilon].
func newHybridKernel(dim int, kernel Kernel, epsilon float64) (*Diffusion, error) {
	if err := checkTokens(dim, 0, Softmax); err != nil {
		return nil, err
	}
	if err := checkEpsilon(epsilon); err != nil {
		return nil, err
	}
	if kernel == nil {
		return nil, errNoKernel
	}
	for _, z := range []float64{-1, 1} {
		if p, q := kernel(z); !finite(p) || !(q > 0 && finite(q)) {
			return nil, fmt.Errorf("overlap: the kernel's weights %v and %v at overlap %v are not allowed: "+
				"they must be finite and the second positive", p, q, z)
		}
	}
	h := &hybridTokens{kernel, epsilon}
	return newDiffusion(dim, h, line.Converging(-1, h.limit(-1), line.Asymptote),
		line.Converging(1, h.limit(1), line.Asymptote), false), nil
}

// hybridTokens is the hybrid model with any attention.
type hybridTokens struct {
	kernel  Kernel
	epsilon float64
}

// limit returns the slope (1 - ε²p)/(ε²q) at an overlap.
func (h *hybridTokens) limit(z float64) float64 {
	p, q := h.kernel(z)
	return bounded(snap(1-float64(h.epsilon*h.epsilon*p)) / h.epsilon / h.epsilon / q)
}

func (h *hybridTokens) Slope(at line.Position) float64 { return h.limit(at.Z) }

func (h *hybridTokens) Variance(at line.Position) float64 {
	_, q := h.kernel(at.Z)
	root := 2 * h.epsilon * q
	return root * root
}

func (h *hybridTokens) drift(at line.Position) float64 {
	p, q := h.kernel(at.Z)
	return hybridDrift(at, h.epsilon, p, q)
}
