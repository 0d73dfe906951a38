package network

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Kind says where LayerNorm, x ← x√d/|x|, stands in a block, and whether the mean of the
// values is removed from attention.
type Kind int

// The kinds of blocks. NoNorm has no LayerNorm.
const (
	PostNorm Kind = iota
	PreNorm
	GainPostNorm
	GainPreNorm
	NoNorm
)

// KindNames are the names, in the order of the constants.
var KindNames = []string{"post-norm", "pre-norm", "gain-post-norm", "gain-pre-norm", "no-norm"}

// String is the name.
func (k Kind) String() string { return KindNames[k] }

func (k Kind) postNorm() bool       { return k == PostNorm || k == GainPostNorm }
func (k Kind) preNorm() bool        { return k == PreNorm || k == GainPreNorm }
func (k Kind) gainControlled() bool { return k == GainPostNorm || k == GainPreNorm }

// Input is the law of the tokens before the first layer.
type Input int

// The laws of the input. Simplex tokens have squared norm Q·Dim and inner products P·Dim
// exactly; there may be at most Dim-1 of them. Gaussian tokens have normal coordinates
// of variance Q, and of covariance P between tokens.
const (
	Simplex Input = iota
	Gaussian
)

// Network is the law of a Transformer with random weights. Weights are normal with mean 0.
type Network struct {
	Kind       Kind
	Activation Activation
	Tokens     int // T of a sequence, from 2
	Dim        int // d, from 1
	Heads      int // from 1; must divide Dim
	KeyDim     int // of the queries and keys of a head, from 1; 0 for Dim/Heads
	Layers     int // from 0
	// Causal attention of a token is to itself and those before it.
	Causal bool
	// Uniform attention does not depend on scores; its derivative is that of softmax at
	// equal scores.
	Uniform bool

	QueryKey2 float64 // d times the variance of query and key weights; β√log T of the paper's (9)
	Value2    float64 // d times the variance of value weights, σ_v²
	Hidden2   float64 // d times the variance of the MLP's first weights
	Output2   float64 // d times the variance of the MLP's second weights
	Bias2     float64 // variance of the MLP's biases, σ_b²
	AlphaSA   float64 // strength of attention's residual connection
	AlphaMLP  float64 // strength of the MLP's residual connection

	Input Input
	Q, P  float64 // of the input: squared norm and inner product of tokens, over d
	// Late restricts the statistics to that many last tokens of the sequence, from 2; 0 for all.
	Late int
}

const (
	largestCount  = 1 << 24
	largestLayers = 1 << 20
	largestScale  = 1e6
)

// Validate returns an error that names the first parameter that is out of its domain,
// its value and what is allowed.
func (n Network) Validate() error {
	for _, v := range []struct {
		name             string
		value, low, high int
	}{
		{"kind", int(n.Kind), 0, len(KindNames) - 1},
		{"activation", int(n.Activation), 0, len(ActivationNames) - 1},
		{"input", int(n.Input), 0, 1},
		{"tokens", n.Tokens, 2, largestCount},
		{"dimension", n.Dim, 1, largestCount},
		{"heads", n.Heads, 1, n.Dim},
		{"key dimension", n.KeyDim, 0, largestCount},
		{"layers", n.Layers, 0, largestLayers},
		{"late tokens", n.Late, 0, n.Tokens},
	} {
		if v.value < v.low || v.value > v.high {
			return fmt.Errorf("%s %d: must be from %d to %d", v.name, v.value, v.low, v.high)
		}
	}
	for _, v := range []struct {
		name  string
		value float64
	}{
		{"variance of query and key weights", n.QueryKey2}, {"variance of value weights", n.Value2},
		{"variance of the MLP's first weights", n.Hidden2}, {"variance of the MLP's second weights", n.Output2},
		{"variance of biases", n.Bias2}, {"residual strength of attention", n.AlphaSA},
		{"residual strength of the MLP", n.AlphaMLP},
	} {
		if !(v.value >= 0 && v.value <= largestScale) {
			return fmt.Errorf("%s %v: must be from 0 to %g", v.name, v.value, float64(largestScale))
		}
	}
	switch {
	case n.Dim%n.Heads != 0:
		return fmt.Errorf("heads %d: must divide the dimension %d", n.Heads, n.Dim)
	case !(n.Q > 0 && n.Q <= largestScale):
		return fmt.Errorf("squared norm %v of the input: must be above 0, to %g", n.Q, float64(largestScale))
	case !(n.P >= 0 && n.P <= n.Q):
		return fmt.Errorf("overlap %v of the input: must be from 0 to the squared norm, %v", n.P, n.Q)
	case n.Late == 1:
		return fmt.Errorf("late tokens 1: must be 0 or at least 2")
	case n.Input == Simplex && n.Tokens >= n.Dim:
		return fmt.Errorf("tokens %d: for inputs of a given overlap there must be fewer than dimensions, %d",
			n.Tokens, n.Dim)
	}
	return nil
}

// keys is the dimension of a head's queries and keys.
func (n Network) keys() int {
	if n.KeyDim > 0 {
		return n.KeyDim
	}
	return n.Dim / n.Heads
}

// id identifies the network's random numbers: the first 64 bits of a SHA-256 of the
// parameters that the law of its layers depends on, whose number is not among them.
func (n Network) id() uint64 {
	n.KeyDim, n.Layers, n.Late = n.keys(), 0, 0
	sum := sha256.Sum256([]byte(fmt.Sprintf("network %+v", n)))
	return binary.LittleEndian.Uint64(sum[:8])
}
