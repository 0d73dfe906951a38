package network

import (
	"math"

	"antipode/sde/internal/rowwise"

	"gonum.org/v1/gonum/blas/blas64"
)

// Gradients are squared norms of derivatives with respect to the weights of a layer, summed
// over all of a matrix. They are those of an inner product with standard normal numbers,
// one for each coordinate of each token of an output: their mean over these numbers is the
// squared Frobenius norm of the output's derivative.
type Gradients struct {
	// Where keys are tied to queries, Query and Key are both that of the one matrix; of free attention 0.
	Query, Key, Value float64
	Projection        float64 // of W_O; 0 without
	Hidden, Output    float64 // of the MLP's two matrices; 0 without
	// Input is of the tokens that go into what is differentiated: of a layer's own attention those that it
	// reads, of the whole network those before the layer.
	Input float64
}

// gradients are those that the last backward passes added up.
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

// Layer has the statistics of a sequence after a layer; for the input, layer 0, only the
// first four and the stable rank.
type Layer struct {
	Q      float64 // mean squared norm of tokens, over d
	P      float64 // mean inner product of different tokens, over d
	Cosine float64 // mean cosine of different tokens
	Norm   float64 // mean Euclidean norm of tokens
	// First and Last are the mean cosines among the first and among the last tokens, of which there are
	// Network.Ends; 0 without.
	First, Last float64
	Excess      float64 // mean over rows of the attention matrix of Σ_s (A_ts-1/T)², which is ΣA² - 1/T
	// Jacobian is the mean over rows of ‖∂A_t/∂M_t - (I-1/T)/T‖²: how far the derivative of softmax is from
	// that at equal scores.
	Jacobian float64
	// StableRank is Σλ²/λ₁² of XXᵀ, where tokens are the rows of X; 0 unless Ensemble.Ranks asks for it.
	StableRank float64
	// Local are the derivatives of the layer's own attention and of its own MLP, and
	// Whole those of the tokens after the last layer; without gradients both are 0.
	Local, Whole Gradients
}

// Observe returns Q, P, Cosine and Norm of tokens, of which there are at least 2.
func Observe(tokens blas64.General) Layer { return observe(tokens, 0) }

// observeWith is observe, with the cosines at both ends.
func observeWith(n Network, x matrix) Layer {
	l := observe(x, n.Late)
	if n.Ends > 0 {
		first := x
		first.Rows = n.Ends
		l.First, l.Last = observe(first, 0).Cosine, observe(x, n.Ends).Cosine
	}
	return l
}

// observe returns Q, P, Cosine and Norm of the last tokens, all if late is 0.
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

// meanOf is the mean of what is seen of several sequences after one layer, without gradients.
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

// bounded reports whether the tokens are neither 0, which LayerNorm cannot normalise, nor overflow.
func (l Layer) bounded() bool { return l.Q > 0 && l.Q <= math.MaxFloat64 && !math.IsNaN(l.Cosine) }
