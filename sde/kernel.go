package sde

import (
	"fmt"

	"antipode/sde/internal/kernels"
)

// Kernel is an arbitrary attention: a Kernel replaces the N scores ⟨x_i, B x_j⟩ of token i with all tokens j
// by their weights in the attention A_i = Σ_j weights[j] x_j. Tokens are counted from 0; the scores include
// that of token i with itself, which is 1 if B is the identity. The weights must be finite and depend only on
// the arguments of the kernel. Trajectories run concurrently, so a kernel must not write to shared data. The
// last bits of functions of package math differ between machines; the last bits of Exponentials do not.
//
// A Kernel takes most of the time of a layer. For weights that depend only on the score, a PairKernel is
// faster. Take softmax with N = 50 and d = 8 as an example: softmax as a PairKernel takes 1.4 times as long
// as the built-in softmax; softmax as a Kernel with Exponentials and two loops takes 5 times as long. If the
// interaction matrix B is the identity, scores are from -1 to 1. The largest score then need not be
// subtracted before an exponential is computed; this subtraction would double the time.
type Kernel func(weights []float64, i int)

// Exponentials replaces every number x by e^{factor·x}, with the same bits on every machine. Exponentials
// below 2^-511 are replaced by 0. Exponentials is much faster than a loop over the numbers.
func Exponentials(numbers []float64, factor float64) { kernels.Exponentials(numbers, factor) }

// Pair evaluates the kernel for two tokens with overlap z, and returns the weight of the token itself and the
// weight of the other token. With these weights as a function of z, overlap.NewKernel gives the theory of the
// model that a Cell with this Kernel simulates.
func (k Kernel) Pair(z float64) (own, other float64) {
	weights := [2]float64{1, z}
	k(weights[:], 0)
	return weights[0], weights[1]
}

// PairKernel is attention whose weights are a function only of the score: A_i = Σ_j w(⟨x_i, B x_j⟩) x_j,
// divided by Σ_j w(⟨x_i, B x_j⟩) if it is Normalized. One call of Weigh receives the scores of many pairs of
// tokens, of several trajectories together; if B is the identity, Weigh receives each pair of tokens only
// once. So a PairKernel takes a fraction of the time of a Kernel. For example, softmax attention is
//
//	PairKernel{Weigh: func(scores []float64) { Exponentials(scores, beta) }, Normalized: true}
type PairKernel struct {
	// Weigh replaces each score by its weight, which must be finite and depend only on this score. Weigh is
	// called from several goroutines. The last bits of functions of package math differ between machines; the
	// last bits of Exponentials do not.
	Weigh func(scores []float64)
	// Normalized says that the weights of a token are divided by their sum over the tokens; this sum must
	// then not be 0.
	Normalized bool
}

// Kernel returns a Kernel that computes the same attention as k, from the scores of one token at a time.
// Kernel returns nil if k has no function Weigh.
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

// Pair evaluates the PairKernel for two tokens with overlap z, and returns the weights own and other as
// Kernel.Pair does.
func (k PairKernel) Pair(z float64) (own, other float64) { return k.Kernel().Pair(z) }

// ownKernel returns the kernel that replaces the attention of the cell, be it given as a Kernel or as a
// PairKernel; it returns nil for a cell without a kernel.
func (c Cell) ownKernel() Kernel {
	if c.PairKernel.Weigh != nil {
		return c.PairKernel.Kernel()
	}
	return c.Kernel
}

// hasKernel reports whether a kernel replaces the attention of the cell.
func (c Cell) hasKernel() bool { return c.Kernel != nil || c.PairKernel.Weigh != nil }

// validateKernel returns an error if a kernel is combined with a setting of the cell that requires one of the
// built-in kinds of attention, AttentionNames.
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
