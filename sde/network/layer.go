package network

import (
	"math"

	"antipode/sde/internal/rowwise"

	"gonum.org/v1/gonum/blas/blas64"
)

// Gradients are squared norms of derivatives with respect to the weights of a layer, summed over the entries
// of each matrix. The differentiated function is the inner product of an output with standard normal random
// numbers, one for each coordinate of each token. The mean of a squared norm over these random numbers is the
// squared Frobenius norm of the derivative of the output.
type Gradients struct {
	// Query, Key and Value are with respect to the weights of queries, keys and values. If keys are tied to
	// queries, Query and Key both refer to the common matrix. Query and Key are 0 for free attention.
	Query, Key, Value float64
	Projection        float64 // with respect to W_O; 0 if the outputs of heads are not mixed
	Hidden, Output    float64 // with respect to the two matrices of the MLP; 0 without MLP
	// Input is the squared norm of the derivatives with respect to input tokens. In Layer.Local, the input
	// tokens are those that the attention of the layer reads; in Layer.Whole, they are the tokens before the
	// layer.
	Input float64
}

// gradients returns the squared norms of the derivatives that the last backward passes through the block
// accumulated.
func (b *block) gradients() Gradients {
	square := func(l linear) float64 { return rowwise.Dot(l.weight.gradient.Data, l.weight.gradient.Data) }
	a := b.attention
	g := Gradients{
		Query: square(a.query), Key: square(a.key), Value: square(a.value), Projection: square(a.projection),
	}
	if b.mlp != nil {
		g.Hidden, g.Output = square(b.mlp.first), square(b.mlp.second)
	}
	return g
}

// Layer contains the statistics of the tokens of a sequence after a layer of a network. For the input, layer
// 0, only Q, P, Cosine, Norm and StableRank are set.
type Layer struct {
	Q      float64 // mean squared norm of tokens, divided by the dimension d
	P      float64 // mean inner product of different tokens, divided by the dimension d
	Cosine float64 // mean cosine of different tokens
	Norm   float64 // mean Euclidean norm of tokens
	// First is the mean cosine of different tokens among the first Network.Ends tokens, and Last is the mean
	// cosine among the last Network.Ends tokens. First and Last are 0 if Ends is 0.
	First, Last float64
	Excess      float64 // mean, over rows of the attention matrix A, of Σ_s (A_ts-1/T)², which is ΣA² - 1/T
	// Jacobian is the mean, over rows A_t of the attention matrix, of ‖∂A_t/∂M_t - (I-1/T)/T‖²: the squared
	// distance of the derivative of the softmax with respect to the scores M_t from its value at equal
	// scores.
	Jacobian float64
	// StableRank is Σλ²/λ₁² for the eigenvalues λ of XXᵀ, of which λ₁ is the largest, where the rows of X are
	// the tokens. StableRank is 0 unless Ensemble.Ranks is set.
	StableRank float64
	// Local and Whole are squared norms of gradients with respect to the weights and the input of the layer.
	// Local contains the gradients of the outputs of the attention and the MLP of this layer. Whole contains
	// the gradients of the tokens after the last layer or, with Ensemble.Classes, of the loss. Without
	// gradients Local and Whole are 0.
	Local, Whole Gradients
}

// Observe returns a Layer with the statistics Q, P, Cosine and Norm of at least 2 tokens.
func Observe(tokens blas64.General) Layer { return observe(tokens, 0) }

// observeWith returns the statistics Q, P, Cosine and Norm of tokens and, if Network.Ends is positive, the
// mean cosines First and Last at both ends of the sequence.
func observeWith(n Network, x matrix) Layer {
	l := observe(x, n.Late)
	if n.Ends > 0 {
		first := x
		first.Rows = n.Ends
		l.First, l.Last = observe(first, 0).Cosine, observe(x, n.Ends).Cosine
	}
	return l
}

// observe returns the statistics Q, P, Cosine and Norm of the last tokens of a sequence, as many as late
// says, or of all tokens if late is 0.
func observe(x matrix, late int) Layer {
	first := 0
	if late > 0 {
		first = x.Rows - late
	}
	sum, directions := make([]float64, x.Cols), make([]float64, x.Cols)
	squares, norms, count := 0.0, 0.0, float64(x.Rows-first)
	for t := first; t < x.Rows; t++ {
		token := row(x, t)
		square := rowwise.Dot(token, token)
		norm := math.Sqrt(square)
		squares += square
		norms += norm
		addMultiple(sum, 1, token)
		addMultiple(directions, 1/norm, token)
	}
	pairs := float64(count * (count - 1))
	return Layer{
		Q:      squares / float64(count*float64(x.Cols)),
		P:      (rowwise.Dot(sum, sum) - squares) / float64(pairs*float64(x.Cols)),
		Cosine: (rowwise.Dot(directions, directions) - count) / pairs,
		Norm:   norms / count,
	}
}

// meanOf averages the statistics of several sequences after the same layer; it ignores gradients.
func meanOf(layers []Layer) (mean Layer) {
	for _, l := range layers {
		mean.Q += l.Q
		mean.P += l.P
		mean.Cosine += l.Cosine
		mean.Norm += l.Norm
		mean.First += l.First
		mean.Last += l.Last
		mean.Excess += l.Excess
		mean.Jacobian += l.Jacobian
		mean.StableRank += l.StableRank
	}
	count := float64(len(layers))
	return Layer{
		Q: mean.Q / count, P: mean.P / count, Cosine: mean.Cosine / count, Norm: mean.Norm / count,
		First: mean.First / count, Last: mean.Last / count,
		Excess: mean.Excess / count, Jacobian: mean.Jacobian / count,
		StableRank: mean.StableRank / count,
	}
}

// bounded reports whether the tokens have neither overflowed nor become 0; LayerNorm could not normalise
// tokens that are 0 or not finite.
func (l Layer) bounded() bool { return l.Q > 0 && l.Q <= math.MaxFloat64 && !math.IsNaN(l.Cosine) }
