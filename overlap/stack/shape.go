package stack

import (
	"fmt"
	"math"
)

// Activation is the non-linearity φ of an MLP.
type Activation int

// The activations. GELU is xΦ(x), GELUTanh its approximation ½x(1 + tanh(√(2/π)(x + 0.044715x³))), SiLU
// x/(1+e^(-x)).
const (
	ReLU Activation = iota
	Tanh
	Erf
	GELU
	Linear
	GELUTanh
	SiLU
)

// ActivationNames are the names, in the order of the constants.
var ActivationNames = []string{"relu", "tanh", "erf", "gelu", "linear", "gelu-tanh", "silu"}

// String is the name.
func (a Activation) String() string { return ActivationNames[a] }

// Input is the law of the tokens before the first layer: independent normal coordinates, of which tokens may
// have a part in common.
type Input struct {
	Square float64 // E|x|²/d, above 0; with post-norm and Normed it does not matter
	Cosine float64 // of different tokens, from 0 to below 1
	// First is E|x|²/d of a first token that is orthogonal to all others; 0 where there is none.
	First float64
	// Features is how many standard normal numbers tokens are linear maps of, 0 for so many that it does not
	// matter.
	Features int
	// Fixed says that the geometry is exact, not that of random coordinates.
	Fixed bool
}

// Placement says where LayerNorm stands.
type Placement int

// The placements, for a branch f beside a skip connection: PostNorm is LN(αx + f(x)), PreNorm αx + f(LN x),
// and PeriNorm αx + LN f(LN x).
const (
	PostNorm Placement = iota
	PreNorm
	PeriNorm
)

// PlacementNames are the names, in the order of the constants.
var PlacementNames = []string{"post-norm", "pre-norm", "peri-norm"}

// Shape is a Transformer at initialisation: layers of attention and an MLP, each a branch beside a skip
// connection. Weights and biases are independent and normal with mean 0. Variances of weights are times the
// number of inputs of the matrix.
type Shape struct {
	Layers, Dim, Tokens int // from 1, 2 and 2
	Norm                Placement
	Causal              bool

	SkipSA, SkipMLP     float64 // strengths of the skip connections
	BranchSA, BranchMLP float64 // strengths of the branches

	QueryKey2   float64 // of queries and keys, the root of the product if they differ
	Value2      float64
	Projection2 float64 // of the matrix that mixes the heads; 1 without
	Hidden2     float64
	Output2     float64

	Width      int // of the MLP's hidden layer
	Activation Activation
	Gated      bool // the hidden layer is φ(W₁x)⊙W₃x

	// Bias2 is the variance of biases of all maps, of Projection2 too unless Unmixed says that nothing mixes
	// the heads; of the MLP's alone if AttentionUnbiased.
	Bias2             float64
	Unmixed           bool
	AttentionUnbiased bool

	Input Input
}

// The largest numbers of a Shape.
const (
	MostLayers = 10_000
	MostTokens = 1 << 20
	MostDim    = 1 << 20
	// LargestVariance is that of matrices, and LargestStrength that of skip connections and branches.
	LargestVariance = 1e4
	LargestStrength = 1e3
	// LargestSpread is that of S.
	LargestSpread = 30
)

// attentionBias2 is the variance of biases of attention's maps.
func (s Shape) attentionBias2() float64 {
	if s.AttentionUnbiased {
		return 0
	}
	return s.Bias2
}

// Spread is S, the standard deviation of scores of orthogonal normalised tokens, without biases d times those
// of query and key weights: in scores S xᵀGy of unit vectors the entries of G have variance 1. Biases of
// queries add scores that all rows have in common; those of keys add the same to all scores of a row, which
// softmax does not see.
func (s Shape) Spread() float64 {
	bias2 := s.attentionBias2()
	if bias2 == 0 {
		return s.QueryKey2
	}
	return math.Sqrt(float64(s.QueryKey2*s.QueryKey2) + float64(bias2*s.QueryKey2))
}

// rowCorrelation is that of the scores of two tokens of that cosine.
func (s Shape) rowCorrelation(rho float64) float64 {
	bias2 := s.attentionBias2()
	if bias2 == 0 {
		return rho
	}
	return (float64(s.QueryKey2*rho) + bias2) / (s.QueryKey2 + bias2)
}

// outputBias is the variance that biases of values, and of what mixes the heads, give to attention's output.
func (s Shape) outputBias() float64 {
	bias2 := s.attentionBias2()
	if s.Unmixed {
		return bias2
	}
	return float64(s.Projection2*bias2) + bias2
}

// Check returns an error that names the first number that is out of its domain.
func (s Shape) Check() error {
	for _, v := range []struct {
		name             string
		value, low, high float64
	}{
		{"layers", float64(s.Layers), 1, MostLayers},
		{"dimension", float64(s.Dim), 2, MostDim},
		{"tokens", float64(s.Tokens), 2, MostTokens},
		{"width of the MLP", float64(s.Width), 1, MostDim},
		{"activation", float64(s.Activation), 0, float64(len(ActivationNames) - 1)},
		{"place of LayerNorm", float64(s.Norm), 0, float64(len(PlacementNames) - 1)},
		{"variance of biases", s.Bias2, 0, LargestVariance},
		{"strength of attention's skip connection", s.SkipSA, 0, LargestStrength},
		{"strength of the MLP's skip connection", s.SkipMLP, 0, LargestStrength},
		{"strength of attention", s.BranchSA, 0, LargestStrength},
		{"strength of the MLP", s.BranchMLP, 0, LargestStrength},
		{"d times the variance of queries and keys", s.QueryKey2, 0, LargestSpread},
		{"d times the variance of values", s.Value2, 0, LargestVariance},
		{"d times the variance of projections", s.Projection2, 0, LargestVariance},
		{"d times the variance of the MLP's first weights", s.Hidden2, 0, LargestVariance},
		{"width times the variance of the MLP's second weights", s.Output2, 0, LargestVariance},
		{"squared norm of the input", s.Input.Square, math.SmallestNonzeroFloat64, LargestVariance},
		{"squared norm of the first token", s.Input.First, 0, LargestVariance},
	} {
		if !(v.value >= v.low && v.value <= v.high) {
			return fmt.Errorf("stack: %s %v is not allowed: it must be from %v to %v", v.name, v.value, v.low,
				v.high)
		}
	}
	if s.Input.Features < 0 {
		return fmt.Errorf("stack: %d features of the input are not allowed: there must be at least 0",
			s.Input.Features)
	}
	if !(s.Input.Cosine >= 0 && s.Input.Cosine < 1) {
		return fmt.Errorf("stack: cosine %v of the input is not allowed: it must be from 0 to below 1",
			s.Input.Cosine)
	}
	return nil
}
