package stack

import (
	"fmt"
	"math"
)

// Activation is the non-linearity φ of an MLP.
type Activation int

// The activations of an MLP. GELU is xΦ(x) with the normal distribution function Φ, GELUTanh is the
// approximation ½x(1 + tanh(√(2/π)(x + 0.044715x³))) of GELU, and SiLU is x/(1+e^(-x)).
const (
	ReLU Activation = iota
	Tanh
	Erf
	GELU
	Linear
	GELUTanh
	SiLU
)

// ActivationNames are the names of the activations, in the order of the constants from ReLU on.
var ActivationNames = []string{"relu", "tanh", "erf", "gelu", "linear", "gelu-tanh", "silu"}

// String returns the name of the activation.
func (a Activation) String() string { return ActivationNames[a] }

// Input is the law of the tokens before the first layer: coordinates are normal and independent, except
// that tokens may share a common component.
type Input struct {
	Square float64 // E|x|²/d, positive
	Cosine float64 // cosine of different tokens, in [0, 1)
	// First is E|x|²/d of a first token that is orthogonal to all other tokens, or 0 without such a token.
	First float64
	// Features is the number of standard normal features of which each token is a linear map. Features = 0
	// stands for infinitely many features.
	Features int
	// Fixed tells whether the input has exactly the geometry given by Square, Cosine and First. If Fixed is
	// false, the coordinates are random, and only the mean geometry is given.
	Fixed bool
}

// Placement is the position of LayerNorm in a Transformer layer.
type Placement int

// The placements of LayerNorm (LN), for a branch f (attention or MLP) parallel to a skip connection of
// strength α: PostNorm is LN(αx + f(x)), PreNorm is αx + f(LN x), and PeriNorm is αx + LN f(LN x).
const (
	PostNorm Placement = iota
	PreNorm
	PeriNorm
)

// PlacementNames are the names of the placements of LayerNorm, in the order of the constants from PostNorm
// on.
var PlacementNames = []string{"post-norm", "pre-norm", "peri-norm"}

// Architecture is a Transformer at initialisation. Each layer consists of attention and an MLP, each a branch
// parallel to a skip connection. Weights and biases are independent and normal with mean 0. A field for the
// variance of a weight matrix is the variance of the entries times the number of inputs of the matrix.
type Architecture struct {
	Layers, Dim, Tokens int // number of layers, dimension and number of tokens, at least 1, 2 and 2
	Norm                Placement
	Causal              bool

	SkipSA, SkipMLP     float64 // strengths of the skip connections
	BranchSA, BranchMLP float64 // strengths of attention and of the MLP

	QueryKey2   float64 // variance of query and key weights; the geometric mean if they differ
	Value2      float64
	Projection2 float64 // variance of the matrix that mixes the heads; 1 if there is none
	Hidden2     float64
	Output2     float64

	Width      int // width of the MLP's hidden layer
	Activation Activation
	Gated      bool // the hidden layer is φ(W₁x)⊙W₃x

	// Bias2 is the variance of the biases of all maps, or of the MLP's biases alone if AttentionUnbiased. The
	// map that mixes the heads has biases too, unless Unmixed says that no map mixes the heads.
	Bias2             float64
	Unmixed           bool
	AttentionUnbiased bool

	Input Input

	// Heads is the number of attention heads, of which only the bands depend. Heads = 0 stands for infinitely
	// many heads, whose random attention weights have no effect on the bands.
	Heads int

	// WideLimit tells whether tokens of infinite dimension and infinitely many features are considered, in
	// which the inner products of tokens have no fluctuations that attention or the MLP would amplify.
	// WideLimit has no effect on the bands, nor on the factors Dim of gradients.
	WideLimit bool
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
	// LargestSpread limits QueryKey2, and so Spread in the absence of biases.
	LargestSpread = 30
)

// attentionBias2 returns the variance of the biases of attention's query, key and value maps.
func (s Architecture) attentionBias2() float64 {
	if s.AttentionUnbiased {
		return 0
	}
	return s.Bias2
}

// Spread returns the spread S, the standard deviation of the attention scores of orthogonal normalised
// tokens. The score of unit vectors x and y is S xᵀGy, where the entries of the random matrix G have variance
// 1. Without biases, the spread S is d times the variance of query and key weights. Biases of queries add
// scores that all rows have in common. Biases of keys add a constant to all scores of a row, which does not
// affect softmax.
func (s Architecture) Spread() float64 {
	return s.spreadOf(1)
}

// spreadOf returns the spread of the attention scores of a token whose squared norm, divided by d, is square,
// for orthogonal normalised tokens attended to.
func (s Architecture) spreadOf(square float64) float64 {
	bias2 := s.attentionBias2()
	if bias2 == 0 {
		return float64(s.QueryKey2 * math.Sqrt(square))
	}
	return math.Sqrt(float64(s.QueryKey2*s.QueryKey2*square) + float64(bias2*s.QueryKey2))
}

// largestDeviation returns an upper limit of the standard deviation of the attention scores of a row. It is
// Spread, or more if a post-norm network reads tokens of larger norm.
func (s Architecture) largestDeviation() float64 {
	if s.Norm != PostNorm {
		return s.Spread()
	}
	square := max(1, s.Input.Square, s.Input.First)
	return float64(s.spreadOf(square) * math.Sqrt(square))
}

// rowCorrelation returns the correlation of the attention scores in the rows of two tokens with the squared
// norms first and second and the inner product inner.
func (s Architecture) rowCorrelation(inner, first, second float64) float64 {
	bias2 := s.attentionBias2()
	if bias2 == 0 {
		return inner / math.Sqrt(float64(first*second))
	}
	variance := func(square float64) float64 { return float64(s.QueryKey2*square) + bias2 }
	return (float64(s.QueryKey2*inner) + bias2) / math.Sqrt(float64(variance(first)*variance(second)))
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

// Check returns an error that names the first field of the architecture that is out of its domain.
func (s Architecture) Check() error {
	for _, v := range []struct {
		name             string
		value, low, high float64
	}{
		{"layers", float64(s.Layers), 1, MostLayers},
		{"dimension", float64(s.Dim), 2, MostDim},
		{"tokens", float64(s.Tokens), 2, MostTokens},
		{"number of heads", float64(s.Heads), 0, MostDim},
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
