package network

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
)

// Network is the law of a Transformer with random weights: its diagram, and how its weights are
// drawn. Its zero values are the blocks of the papers: LayerNorm x√d/|x|, heads whose outputs are
// not mixed, an MLP as wide as the tokens, and tokens that are given by their geometry.
//
// A block is attention and an MLP, each a branch beside a skip connection. Norm says where LayerNorm
// stands.
type Network struct {
	Tokens int // T of a sequence, from 2
	Dim    int // d of a token, from 1
	Layers int // blocks, from 0

	Norm      Placement
	LayerNorm LayerNorm
	AlphaSA   float64 // strength of attention's skip connection
	AlphaMLP  float64 // strength of the MLP's skip connection
	BranchSA  float64 // strength of attention beside its skip connection; 0 for 1
	BranchMLP float64 // strength of the MLP beside its skip connection; 0 for 1

	Heads        int  // from 1; must divide Dim
	KeyDim       int  // of the queries and keys of a head, from 1; 0 for Dim/Heads
	Causal       bool // attention of a token is to itself and those before it
	Uniform      bool // attention does not depend on scores; its derivative is that of softmax at equal ones
	GainControl  bool // the mean of the values is removed from the output of attention
	Projection   bool // the outputs of the heads are mixed by W_O
	Biases       bool // queries, keys, values and W_O have biases, as the MLP always has
	TiedKeys     bool // W_K = W_Q within a layer
	SharedKeys   bool // all layers have the same queries and keys, or free attention
	SharedValues bool // all layers have the same values
	Values       ValueLaw
	Attention    Attention
	Projections  ValueLaw // of W_O

	AttentionOnly bool // a block has no MLP
	Width         int  // of the MLP's hidden layer, from 1; 0 for Dim
	Activation    Activation
	Gated         bool // the hidden layer is φ of one half of the first weights' outputs times the other half

	// Variances of weights, which are normal with mean 0, times the number of inputs of their matrix.
	QueryKey2   float64 // of queries and keys; β√log T of "Two Failure Modes", (9). Variance of free scores
	Value2      float64 // of values, σ_v²; of orthogonal and identity values the square of their scale
	Projection2 float64 // of W_O; as Value2
	Hidden2     float64 // of the MLP's first weights
	Output2     float64 // of the MLP's second weights
	Bias2       float64 // variance of biases itself, σ_b²

	Input     Input
	Q, P      float64 // of tokens given by their geometry: squared norm and inner product, over d
	Embedding Embedding
	FinalNorm bool // LayerNorm after the last layer
	// Outputs is the number of logits that a linear map makes of each token after the last layer;
	// 0 for the tokens themselves. Its weights have variance 1/Dim, its biases are 0.
	Outputs int

	// Late restricts the statistics to that many last tokens of the sequence, from 2; 0 for all.
	Late int
	// Ends is the number of first and of last tokens whose cosines are measured by themselves, from 2; 0 for
	// none.
	Ends int
}

// Placement says where LayerNorm stands in a block.
type Placement int

// The placements, for a branch f beside a skip connection: PostNorm is LN(αx + f(x)), PreNorm αx +
// f(LN x), PeriNorm αx + LN f(LN x), and NoNorm αx + f(x).
const (
	PostNorm Placement = iota
	PreNorm
	NoNorm
	PeriNorm
)

// PlacementNames are the names, in the order of the constants.
var PlacementNames = []string{"post-norm", "pre-norm", "no-norm", "peri-norm"}

// String is the name.
func (p Placement) String() string { return PlacementNames[p] }

// LayerNorm is the law of all LayerNorms: x/√(|x|²/d + Epsilon), of which the zero value is x√d/|x|.
type LayerNorm struct {
	Centred bool    // the mean of a token's coordinates is subtracted first
	Affine  bool    // gains, 1 at first, multiply the coordinates, and biases, 0 at first, are added
	Epsilon float64 // from 0
}

// Attention says of what attention matrices are made.
type Attention int

// What attention matrices may be made of: softmax of scores of queries and keys; softmax of FreeScores, a
// matrix of weights for each head, normal with mean 0, which all sequences have in common; and such a
// matrix itself, FreeWeights, at first the identity. Free matrices are "A" and "Identity A" of "Mind the
// Gap", A.3.
const (
	QueriesKeys Attention = iota
	FreeScores
	FreeWeights
)

// AttentionNames are the names, in the order of the constants.
var AttentionNames = []string{"queries-keys", "free-scores", "free-weights"}

// String is the name.
func (a Attention) String() string { return AttentionNames[a] }

// ValueLaw is how the value matrices of a layer are drawn, all heads together as one d×d matrix, or W_O.
type ValueLaw int

// The laws of value matrices: independent normal entries; the identity; and a uniformly distributed
// orthogonal matrix; both times √Value2, or √Projection2.
const (
	GaussianValues ValueLaw = iota
	IdentityValues
	OrthogonalValues
)

// ValueLawNames are the names, in the order of the constants.
var ValueLawNames = []string{"gaussian", "identity", "orthogonal"}

// String is the name.
func (v ValueLaw) String() string { return ValueLawNames[v] }

// Input is the law of the tokens before the first layer.
type Input int

// The laws of the input. Simplex tokens have squared norm Q·Dim and inner products P·Dim
// exactly; there may be at most Dim-1 of them. Gaussian tokens have normal coordinates
// of variance Q, and of covariance P between tokens. Embedded tokens are made of words, or of
// vectors, by an Embedding; in an Ensemble words are uniformly distributed unless they are given,
// and vectors have independent standard normal coordinates.
const (
	Simplex Input = iota
	Gaussian
	Embedded
)

// InputNames are the names, in the order of the constants.
var InputNames = []string{"simplex", "gaussian", "embedded"}

// String is the name.
func (i Input) String() string { return InputNames[i] }

// Embedding says how tokens are made of words or vectors: the embedding of a token's word, or a
// linear map of its vector, plus the embeddings of its position and type.
type Embedding struct {
	Vocabulary int  // words; 0 if tokens are vectors
	Features   int  // coordinates of vectors; 0 if tokens are words
	Class      bool // the first token is the same for all sequences, and learned
	Positions  Positions
	Types      int     // types of tokens; 0 for none
	Norm       bool    // LayerNorm after the sum
	Variance   float64 // of all embeddings and of the linear map's weights, whose biases are 0
}

// Positions says what embeddings positions have.
type Positions int

// Embeddings of positions: none; learned ones, drawn as those of words; and fixed sines and cosines,
// of position t the coordinates sin(t/10000^(2i/d)) and cos(t/10000^(2i/d)).
const (
	NoPositions Positions = iota
	LearnedPositions
	SinusoidalPositions
)

// PositionsNames are the names, in the order of the constants.
var PositionsNames = []string{"none", "learned", "sinusoidal"}

// String is the name.
func (p Positions) String() string { return PositionsNames[p] }

// The largest counts are those for which every entry of a matrix has an address of random numbers.
const (
	largestCount  = 1 << 20
	largestLayers = 1 << 20
	largestScale  = 1e6
)

// Validate returns an error that names the first parameter that is out of its domain,
// its value and what is allowed.
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
	case n.Input == Simplex && n.Tokens >= n.Dim:
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

// keys is the dimension of a head's queries and keys, 0 if there are none.
func (n Network) keys() int {
	if n.Attention != QueriesKeys {
		return 0
	}
	if n.KeyDim > 0 {
		return n.KeyDim
	}
	return n.Dim / n.Heads
}

// width is that of the MLP's hidden layer.
func (n Network) width() int {
	if n.Width > 0 {
		return n.Width
	}
	return n.Dim
}

// hidden is how many outputs the MLP's first weights have.
func (n Network) hidden() int {
	if n.Gated {
		return 2 * n.width()
	}
	return n.width()
}

// orOne is a strength of which 0 stands for 1.
func orOne(strength float64) float64 {
	if strength == 0 {
		return 1
	}
	return strength
}

// later are parameters that are not among those that identify a network where they are 0, since networks
// without them had their random numbers before.
var later = strings.NewReplacer(
	" Attention:"+QueriesKeys.String(), "", " Projections:"+GaussianValues.String(), "", " Gated:false", "")

// id identifies the network's random numbers: the first 64 bits of a SHA-256 of the
// parameters that the law of its layers depends on, whose number is not among them.
func (n Network) id() uint64 {
	n.KeyDim, n.Width, n.BranchSA, n.BranchMLP = n.keys(), n.width(), orOne(n.BranchSA), orOne(n.BranchMLP)
	n.Layers, n.Late, n.Ends, n.Outputs, n.FinalNorm = 0, 0, 0, 0, false
	sum := sha256.Sum256([]byte(later.Replace(fmt.Sprintf("network %+v", n))))
	return binary.LittleEndian.Uint64(sum[:8])
}
