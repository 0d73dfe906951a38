package stack

import (
	"fmt"
	"math"
)

// Activation is the non-linearity φ of an MLP.
type Activation int

// The activations. GELU is xΦ(x), GELUTanh is its approximation ½x(1 + tanh(√(2/π)(x + 0.044715x³))), and
// SiLU is x/(1+e^(-x)).
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

// String returns the name.
func (a Activation) String() string { return ActivationNames[a] }

// Input is the law of the tokens before the first layer: coordinates are normal and independent, except
// that tokens may share a common component.
type Input struct {
	Square float64 // E|x|²/d, positive
	Cosine float64 // cosine of different tokens, in [0, 1)
	// First is E|x|²/d of a first token that is orthogonal to all others; 0 if there is no such token.
	First float64
	// Each token is a linear map of a number of standard normal features, which is Features. 0 stands for so
	// many that the number does not matter.
	Features int
	// Fixed says that the input has exactly this geometry. Otherwise the coordinates are random, and the
	// geometry is that of the mean.
	Fixed bool
}

// Placement is the position of LayerNorm.
type Placement int

// The placements, for a branch f parallel to a skip connection: PostNorm is LN(αx + f(x)), PreNorm is
// αx + f(LN x), and PeriNorm is αx + LN f(LN x).
const (
	PostNorm Placement = iota
	PreNorm
	PeriNorm
)

// PlacementNames are the names, in the order of the constants.
var PlacementNames = []string{"post-norm", "pre-norm", "peri-norm"}

// Architecture is a Transformer at initialisation. Each layer consists of attention and an MLP, each a branch
// parallel to a skip connection. Weights and biases are independent and normal with mean 0. The variances
// of weights are given multiplied by the number of inputs of the matrix.
type Architecture struct {
	Layers, Dim, Tokens int // at least 1, 2 and 2
	Norm                Placement
	Causal              bool

	SkipSA, SkipMLP     float64 // strengths of the skip connections
	BranchSA, BranchMLP float64 // strengths of the branches

	QueryKey2   float64 // variance of query and key weights; the geometric mean if they differ
	Value2      float64
	Projection2 float64 // variance of the matrix that mixes the heads; 1 if there is none
	Hidden2     float64
	Output2     float64

	Width      int // width of the MLP's hidden layer
	Activation Activation
	Gated      bool // the hidden layer is φ(W₁x)⊙W₃x

	// Bias2 is the variance of the biases of all maps, or of the MLP's alone if AttentionUnbiased. The map
	// that mixes the heads also has these biases, unless Unmixed says that there is no such map.
	Bias2             float64
	Unmixed           bool
	AttentionUnbiased bool

	Input Input
}

// The largest values of the fields of an Architecture.
const (
	MostLayers = 10_000
	MostTokens = 1 << 20
	MostDim    = 1 << 20
	// LargestVariance limits the variances of matrices and biases, and LargestStrength the strengths of
	// skip connections and branches.
	LargestVariance = 1e4
	LargestStrength = 1e3
	// LargestSpread limits QueryKey2, and so S in the absence of biases.
	LargestSpread = 30
)

// attentionBias2 returns the variance of the biases of attention's maps.
func (s Architecture) attentionBias2() float64 {
	if s.AttentionUnbiased {
		return 0
	}
	return s.Bias2
}

// Spread returns S, the standard deviation of the scores of orthogonal normalised tokens. Scores of unit
// vectors are S xᵀGy, where the entries of G have variance 1. Without biases, S is d times the variance
// of query and key weights. Biases of queries add scores that all rows have in common. Biases of keys add
// the same amount to all scores of a row, which does not affect softmax.
func (s Architecture) Spread() float64 {
	bias2 := s.attentionBias2()
	if bias2 == 0 {
		return s.QueryKey2
	}
	return math.Sqrt(float64(s.QueryKey2*s.QueryKey2) + float64(bias2*s.QueryKey2))
}

// rowCorrelation returns the correlation of the scores in the rows of two tokens with cosine rho.
func (s Architecture) rowCorrelation(rho float64) float64 {
	bias2 := s.attentionBias2()
	if bias2 == 0 {
		return rho
	}
	return (float64(s.QueryKey2*rho) + bias2) / (s.QueryKey2 + bias2)
}

// outputBias returns the variance that the biases of values and of the map that mixes the heads
// contribute to the attention output.
func (s Architecture) outputBias() float64 {
	bias2 := s.attentionBias2()
	if s.Unmixed {
		return bias2
	}
	return float64(s.Projection2*bias2) + bias2
}

// Check returns an error that names the first field that is out of its domain.
func (s Architecture) Check() error {
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
