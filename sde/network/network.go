package network

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
)

// Network is the law of a Transformer with random weights: its architecture and the law of its weights. If
// the optional fields are 0 or false, the blocks are those of the papers that the package comment cites:
// LayerNorm is x√d/|x|, the outputs of heads are not mixed, the MLP is as wide as the tokens, and the squared
// norms and inner products of the input tokens are given.
//
// A block consists of attention and an MLP, each a branch parallel to a skip connection. Norm specifies
// the position of LayerNorm.
type Network struct {
	Tokens int // number T of tokens in a sequence, at least 2
	Dim    int // dimension d of a token, at least 1
	Layers int // number of blocks, at least 0

	Norm      Placement
	LayerNorm LayerNorm
	AlphaSA   float64 // strength of the skip connection of attention
	AlphaMLP  float64 // strength of the skip connection of the MLP
	BranchSA  float64 // strength of the attention branch; 0 stands for 1
	BranchMLP float64 // strength of the MLP branch; 0 stands for 1

	Heads        int  // number of heads, at least 1; must divide Dim
	KeyDim       int  // dimension of queries and keys of a head, at least 1; 0 stands for Dim/Heads
	Causal       bool // a token attends to itself and to earlier tokens only
	Uniform      bool // attention ignores the scores; its derivative is that of softmax at equal scores
	GainControl  bool // the mean of the values is subtracted from the output of attention
	Projection   bool // the outputs of the heads are mixed by W_O
	Biases       bool // queries, keys, values and W_O have biases; the MLP always has biases
	TiedKeys     bool // the key matrix W_K is the query matrix W_Q of the layer
	SharedKeys   bool // all layers have the same queries and keys, or free attention
	SharedValues bool // all layers have the same values
	Values       ValueLaw
	Attention    Attention
	Projections  ValueLaw // law of the matrix W_O

	AttentionOnly bool // a block has no MLP
	Width         int  // width of the hidden layer of the MLP, at least 1; 0 stands for Dim
	Activation    Activation
	Gated         bool // the hidden layer is φ(u)⊙v, where u and v are the halves of the output of W₁

	// The following fields are variances of weights, multiplied by the number of inputs of the matrix of
	// these weights. The initial weights are normal with mean 0.
	QueryKey2   float64 // queries and keys: β√log T in (9) of "Two Failure Modes"; also free scores
	Value2      float64 // values, σ_v²; squared scale of orthogonal and identity values
	Projection2 float64 // matrix W_O, like Value2
	Hidden2     float64 // first weights of the MLP
	Output2     float64 // second weights of the MLP
	Bias2       float64 // variance σ_b² of biases, not multiplied by anything

	Input     Input
	Q, P      float64 // squared norm and inner product of tokens that are not Embedded, divided by d
	Embedding Embedding
	FinalNorm bool // whether LayerNorm follows the last layer
	// Outputs is the number of logits of each token, computed by a linear map after the last layer. The
	// weights of this map have variance 1/Dim, and its biases are 0. With Outputs = 0, the outputs of the
	// network are the tokens after the last layer.
	Outputs int

	// Late is the number of tokens at the end of the sequence, at least 2, of which statistics are computed;
	// 0 stands for all tokens.
	Late int
	// Ends is the number of tokens at the beginning and at the end of the sequence whose cosines are measured
	// separately, at least 2; with Ends = 0 no such cosines are measured.
	Ends int
}

// Placement is the position of LayerNorm in a block.
type Placement int

// The placements of LayerNorm LN, for a branch f parallel to a skip connection αx, are as follows. PostNorm
// is LN(αx + f(x)), PreNorm is αx + f(LN x), PeriNorm is αx + LN f(LN x), and NoNorm is αx + f(x).
const (
	PostNorm Placement = iota
	PreNorm
	NoNorm
	PeriNorm
)

// PlacementNames are the names of the placements of LayerNorm, in the order of the constants.
var PlacementNames = []string{"post-norm", "pre-norm", "no-norm", "peri-norm"}

// String returns the name of the placement.
func (p Placement) String() string { return PlacementNames[p] }

// LayerNorm specifies the LayerNorms of a network, which map a token x of dimension d to x/√(|x|²/d +
// Epsilon). The zero value of LayerNorm stands for x√d/|x|.
type LayerNorm struct {
	Centred bool    // whether the mean of the coordinates of a token is subtracted first
	Affine  bool    // whether gains, initially 1, multiply coordinates, and biases, initially 0, are added
	Epsilon float64 // number ε ≥ 0 under the root
}

// Attention says how the attention matrices of a network are computed.
type Attention int

// With QueriesKeys, attention is the softmax of the scores of queries and keys. With FreeScores, attention is
// the softmax of a matrix of weights for each head, which all sequences share; the weights are normal with
// mean 0. With FreeWeights, attention is a matrix of weights itself, without softmax, which all sequences
// share and which is initially the identity. FreeScores and FreeWeights are "A" and "Identity A" of "Mind the
// Gap", A.3.
const (
	QueriesKeys Attention = iota
	FreeScores
	FreeWeights
)

// AttentionNames are the names of the kinds of attention, in the order of the constants.
var AttentionNames = []string{"queries-keys", "free-scores", "free-weights"}

// String returns the name of the kind of attention.
func (a Attention) String() string { return AttentionNames[a] }

// ValueLaw is the law of the value matrices of a layer, all heads together as one d×d matrix, or of the
// matrix W_O that mixes heads.
type ValueLaw int

// The laws of value matrices are independent normal entries; √Value2 times the identity; and √Value2 times a
// uniformly distributed orthogonal matrix. For the matrix W_O the factor is √Projection2 instead of √Value2.
const (
	GaussianValues ValueLaw = iota
	IdentityValues
	OrthogonalValues
)

// ValueLawNames are the names of the laws of value matrices, in the order of the constants.
var ValueLawNames = []string{"gaussian", "identity", "orthogonal"}

// String returns the name of the law of value matrices.
func (v ValueLaw) String() string { return ValueLawNames[v] }

// Input is the law of the tokens before the first layer.
type Input int

// Tokens before the first layer have one of the following laws. Simplex tokens have squared norm Q·Dim and
// inner products P·Dim, exactly; there may be at most Dim-1 tokens. Most coordinates of Simplex tokens are
// 0, so that a LayerNorm that subtracts the mean of the coordinates makes their cosines negative for P = 0.
// Rotated tokens are Simplex tokens after a uniformly distributed rotation. Gaussian tokens have normal
// coordinates of variance Q, with covariance P between tokens. Embedded tokens are computed from words or
// vectors by an Embedding. In an Ensemble, words are uniformly distributed unless they are given, and
// vectors have independent standard normal coordinates.
const (
	Simplex Input = iota
	Gaussian
	Embedded
	Rotated
)

// InputNames are the names of the laws of the input, in the order of the constants.
var InputNames = []string{"simplex", "gaussian", "embedded", "rotated"}

// String returns the name of the law of the input.
func (i Input) String() string { return InputNames[i] }

// Embedding specifies how tokens are computed from words or vectors. A token is the sum of the embedding of
// its word, or a linear map of its vector, and of the embeddings of its position and of its type.
type Embedding struct {
	Vocabulary int  // number of words; 0 if tokens are vectors
	Features   int  // number of coordinates of vectors; 0 if tokens are words
	Class      bool // the first token is a learned vector, the same for all sequences
	Positions  Positions
	Types      int     // number of token types; 0 for none
	Norm       bool    // whether LayerNorm follows the sum of embeddings
	Variance   float64 // variance of all embeddings and of the weights of the linear map; its biases are 0
}

// Positions is the kind of position embeddings.
type Positions int

// Position embeddings are absent, or learned with the initial law of word embeddings, or fixed sines and
// cosines. The coordinates for position t are sin(t/10000^(2i/d)) and cos(t/10000^(2i/d)).
const (
	NoPositions Positions = iota
	LearnedPositions
	SinusoidalPositions
)

// PositionsNames are the names of the kinds of position embeddings, in the order of the constants.
var PositionsNames = []string{"none", "learned", "sinusoidal"}

// String returns the name of the kind of position embeddings.
func (p Positions) String() string { return PositionsNames[p] }

// The constants largestCount and so on are the largest counts for which every entry of a matrix of weights
// has its own random number.
const (
	largestCount  = 1 << 20
	largestLayers = 1 << 20
	largestScale  = 1e6
)

// Validate returns an error that names the first parameter of the network that is out of its domain, its
// value and what is allowed.
func (n Network) Validate() error {
	if err := n.validateCounts(); err != nil {
		return err
	}
	for _, v := range []struct {
		name  string
		value float64
	}{
		{"variance of query and key weights", n.QueryKey2}, {"variance of value weights", n.Value2},
		{"variance of projection weights", n.Projection2},
		{"variance of the MLP's first weights", n.Hidden2}, {"variance of the MLP's second weights",
			n.Output2},
		{"variance of biases", n.Bias2}, {"residual strength of attention", n.AlphaSA},
		{"residual strength of the MLP", n.AlphaMLP}, {"branch strength of attention", n.BranchSA},
		{"branch strength of the MLP", n.BranchMLP}, {"epsilon of LayerNorm", n.LayerNorm.Epsilon},
		{"variance of embeddings", n.Embedding.Variance},
	} {
		if !(v.value >= 0 && v.value <= largestScale) {
			return fmt.Errorf("%s %v: must be from 0 to %g", v.name, v.value, float64(largestScale))
		}
	}
	switch {
	case n.Attention != QueriesKeys && (n.Uniform || n.TiedKeys || n.KeyDim > 0):
		return fmt.Errorf("attention %v: must be %v where it is uniform, or keys are tied or have "+
			"a dimension", n.Attention, QueriesKeys)
	case n.Attention != QueriesKeys && n.Heads*n.Tokens > largestCount:
		return fmt.Errorf("tokens %d: must be at most %d where every head has free attention", n.Tokens,
			largestCount/n.Heads)
	case n.Dim%n.Heads != 0:
		return fmt.Errorf("heads %d: must divide the dimension %d", n.Heads, n.Dim)
	case n.Gated && n.width() > largestCount/2:
		return fmt.Errorf("width of the MLP %d: must be at most %d where it has gates", n.width(),
			largestCount/2)
	case n.Late == 1:
		return fmt.Errorf("late tokens 1: must be 0 or at least 2")
	case n.Ends == 1:
		return fmt.Errorf("tokens at the ends 1: must be 0 or at least 2")
	case n.LayerNorm.Centred && n.Dim < 2:
		return fmt.Errorf("dimension 1: must be at least 2 where LayerNorm subtracts the mean")
	case n.Input == Embedded:
		return n.Embedding.validate()
	case n.Embedding != Embedding{}:
		return fmt.Errorf("input %v: must be embedded where there are embeddings", n.Input)
	case !(n.Q > 0 && n.Q <= largestScale):
		return fmt.Errorf("squared norm %v of the input: must be above 0, to %g", n.Q, float64(largestScale))
	case !(n.P >= 0 && n.P <= n.Q):
		return fmt.Errorf("overlap %v of the input: must be from 0 to the squared norm, %v", n.P, n.Q)
	case (n.Input == Simplex || n.Input == Rotated) && n.Tokens >= n.Dim:
		return fmt.Errorf("tokens %d: for inputs of a given overlap there must be fewer than dimensions, %d",
			n.Tokens, n.Dim)
	}
	return nil
}

func (n Network) validateCounts() error {
	for _, v := range []struct {
		name             string
		value, low, high int
	}{
		{"norm", int(n.Norm), 0, len(PlacementNames) - 1},
		{"activation", int(n.Activation), 0, len(ActivationNames) - 1},
		{"law of values", int(n.Values), 0, len(ValueLawNames) - 1},
		{"attention", int(n.Attention), 0, len(AttentionNames) - 1},
		{"law of projections", int(n.Projections), 0, len(ValueLawNames) - 1},
		{"input", int(n.Input), 0, len(InputNames) - 1},
		{"positions", int(n.Embedding.Positions), 0, len(PositionsNames) - 1},
		{"tokens", n.Tokens, 2, largestCount},
		{"dimension", n.Dim, 1, largestCount},
		{"heads", n.Heads, 1, n.Dim},
		{"key dimension", n.KeyDim, 0, largestCount / max(n.Heads, 1)},
		{"width of the MLP", n.Width, 0, largestCount},
		{"layers", n.Layers, 0, largestLayers},
		{"vocabulary", n.Embedding.Vocabulary, 0, largestCount},
		{"features", n.Embedding.Features, 0, largestCount},
		{"types", n.Embedding.Types, 0, largestCount},
		{"outputs", n.Outputs, 0, largestCount},
		{"late tokens", n.Late, 0, n.Tokens},
		{"tokens at the ends", n.Ends, 0, n.Tokens},
	} {
		if v.value < v.low || v.value > v.high {
			return fmt.Errorf("%s %d: must be from %d to %d", v.name, v.value, v.low, v.high)
		}
	}
	return nil
}

func (e Embedding) validate() error {
	if (e.Vocabulary == 0) == (e.Features == 0) {
		return fmt.Errorf("vocabulary %d and features %d: tokens must be either words or vectors",
			e.Vocabulary,
			e.Features)
	}
	return nil
}

// keys returns the dimension of the queries and keys of a head, or 0 for free attention.
func (n Network) keys() int {
	if n.Attention != QueriesKeys {
		return 0
	}
	if n.KeyDim > 0 {
		return n.KeyDim
	}
	return n.Dim / n.Heads
}

// width returns the width of the hidden layer of the MLP.
func (n Network) width() int {
	if n.Width > 0 {
		return n.Width
	}
	return n.Dim
}

// hidden returns the number of outputs of the first weights of the MLP, which is twice the width if the MLP
// is gated.
func (n Network) hidden() int {
	if n.Gated {
		return 2 * n.width()
	}
	return n.width()
}

// orOne returns the strength of a branch, with 1 in place of 0.
func orOne(strength float64) float64 {
	if strength == 0 {
		return 1
	}
	return strength
}

// later removes parameters that are 0 from the text from which the identity of a network is computed. The
// removed parameters were added after the other parameters, and networks that do not use them must keep their
// random numbers.
var later = strings.NewReplacer(
	" Attention:"+QueriesKeys.String(), "", " Projections:"+GaussianValues.String(), "", " Gated:false", "")

// id identifies the network's random numbers. The identity of a network is the first 64 bits of a SHA-256 of
// the parameters on which the law of a layer depends. The identity does not depend on the number of layers.
func (n Network) id() uint64 {
	n.KeyDim, n.Width, n.BranchSA, n.BranchMLP = n.keys(), n.width(), orOne(n.BranchSA), orOne(n.BranchMLP)
	n.Layers, n.Late, n.Ends, n.Outputs, n.FinalNorm = 0, 0, 0, 0, false
	sum := sha256.Sum256([]byte(later.Replace(fmt.Sprintf("network %+v", n))))
	return binary.LittleEndian.Uint64(sum[:8])
}
