package sde

import (
	"fmt"

	"antipode/sde/internal/kernels"
)

// Kernel is any attention: it replaces the N scores ⟨x_i, B x_j⟩ of a token with all tokens by the weights
// with which these enter its attention, A_i = Σ_j weights[j] x_j. Tokens are counted from 0, and token i is
// among them, with the score 1 if B is the identity. The weights must be finite and depend on the
// arguments alone: trajectories run at once, and a kernel must not write to what it shares. Functions of
// package math give other last bits on other machines; Exponentials does not.
//
// Most of the time of a layer is the kernel's own. Weights that depend on the score alone are better a
// PairKernel: for N = 50, d = 8 softmax takes 1.4 times as long as built in, as a Kernel by Exponentials and
// two loops 5 times. If B is the identity scores are from -1 to 1, and no largest one has to be subtracted
// before an exponential, which would take as long again.
type Kernel func(weights []float64, i int)

// Exponentials replaces each of some numbers by e^{factor·number}, the same bits on every machine; those
// below 2^-511 are 0. It is much faster than a loop.
func Exponentials(numbers []float64, factor float64) { kernels.Exponentials(numbers, factor) }

// Pair is the kernel of two tokens with overlap z: the weights of a token itself and of the other. With
// overlap.NewKernel it makes the theory of what Cell.Kernel simulates.
func (k Kernel) Pair(z float64) (own, other float64) {
	weights := [2]float64{1, z}
	k(weights[:], 0)
	return weights[0], weights[1]
}

// PairKernel is attention whose weights are a function of the score alone: A_i = Σ_j w(⟨x_i, B x_j⟩) x_j,
// divided by Σ_j w(⟨x_i, B x_j⟩) if it is Normalized. Scores of many pairs come in one call, and where B is
// the identity each pair of tokens comes once, of several trajectories together; so it takes a fraction of
// the time of a Kernel. Softmax is
//
//	PairKernel{Weigh: func(scores []float64) { Exponentials(scores, beta) }, Normalized: true}
type PairKernel struct {
	// Weigh replaces each score by its weight, which must be finite and depend on this score alone. It is
	// called on several goroutines. Functions of package math give other last bits on other machines;
	// Exponentials does not.
	Weigh func(scores []float64)
	// Normalized says that weights are divided by their sum over the tokens, which must not be 0 then.
	Normalized bool
}

// Kernel is the same attention as a Kernel, that gets the scores of one token at a time; nil without a
// function.
func (k PairKernel) Kernel() Kernel {
	if k.Weigh == nil {
		return nil
	}
	return func(weights []float64, _ int) {
		k.Weigh(weights)
		if !k.Normalized {
			return
		}
		total := 0.0
		for _, w := range weights {
			total += w
		}
		for j, w := range weights {
			weights[j] = w / total
		}
	}
}

// Pair is the kernel of two tokens with overlap z, as Kernel.Pair.
func (k PairKernel) Pair(z float64) (own, other float64) { return k.Kernel().Pair(z) }

// ownKernel is the kernel that takes the place of the attention, in either form; nil for none.
func (c Cell) ownKernel() Kernel {
	if c.PairKernel.Weigh != nil {
		return c.PairKernel.Kernel()
	}
	return c.Kernel
}

// hasKernel reports whether a kernel takes the place of the attention.
func (c Cell) hasKernel() bool { return c.Kernel != nil || c.PairKernel.Weigh != nil }

// validateKernel refuses a kernel where the attention is known to be one of AttentionNames.
func (c Cell) validateKernel() error {
	switch {
	case !c.hasKernel() && !c.PairKernel.Normalized:
		return nil
	case c.Kernel != nil && c.PairKernel.Weigh != nil:
		return fmt.Errorf("kernel: must be a Kernel or a PairKernel, not both")
	case c.PairKernel.Weigh == nil && c.PairKernel.Normalized:
		return fmt.Errorf("kernel: a PairKernel must have a function Weigh")
	case c.Method != Tokens:
		return fmt.Errorf("kernel: is for the method tokens, not for %v", c.Method)
	case c.Tangent:
		return fmt.Errorf("kernel: has no derivative for tangent vectors")
	case c.derives():
		return fmt.Errorf("kernel: has no derivative for the scheme heun; must be euler or geodesic")
	case c.AttentionSum == HarmonicsSum:
		return fmt.Errorf("kernel: has no expansion in spherical harmonics")
	case !c.Resampling.none() || !c.Plain():
		return fmt.Errorf("kernel: is for one head alone, without random scores, an MLP or drift")
	}
	return nil
}
