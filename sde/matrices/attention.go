package matrices

import (
	"math"

	"antipode/internal/enum"
	"antipode/internal/products"
	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/mat"
)

// Attention is a kind of random attention matrix. All kinds but Markov and Identity are functions of scores
// XW^Q(XW^K)ᵀ/√d of the signal X, where the query and key matrices W^Q and W^K are normal with d = D/Heads
// columns.
type Attention int8

const (
	// Markov is a matrix of independent positive entries, divided by the sums of their rows (Definition 1.1).
	Markov Attention = iota
	// Softmax is the softmax of the scores of each row (Prop. 1).
	Softmax
	// Linear is the matrix of scores divided by the number of tokens T.
	Linear
	// Sigmoid is the logistic function of the scores, divided by the number of tokens T.
	Sigmoid
	// ReLU is the positive part of the scores, divided by the number of tokens T.
	ReLU
	// Identity is the identity matrix: every token attends only to itself.
	Identity
)

// AttentionNames are the names of the kinds of attention, in the order of the constants.
var AttentionNames = []string{"markov", "softmax", "linear", "sigmoid", "relu", "identity"}

// String returns the name of the kind of attention.
func (a Attention) String() string { return enum.Name(AttentionNames, a, "Attention") }

// MarshalText implements encoding.TextMarshaler; it returns the name of the kind of attention.
func (a Attention) MarshalText() ([]byte, error) { return enum.Marshal(AttentionNames, a, "attention") }

// UnmarshalText implements encoding.TextUnmarshaler.
func (a *Attention) UnmarshalText(text []byte) error {
	return enum.Unmarshal(AttentionNames, a, "attention", text)
}

// Labels returns the names of all kinds in the order of the constants, as labels for a table column.
func (Attention) Labels() []string { return AttentionNames }

// HasScores reports whether attention matrices of this kind are functions of scores.
func (a Attention) HasScores() bool { return a != Markov && a != Identity }

// head holds the matrices of one attention head of a layer.
type head struct {
	value       *mat.Dense // value matrix W, input dimension × D/Heads; nil for the first layer
	queryWeight *mat.Dense // W^Q and W^K, of the shape of W; nil for the first layer and without scores
	keyWeight   *mat.Dense
	values      *mat.Dense // values XW of the signal X
	query, key  *mat.Dense // XW^Q and XW^K; nil without scores
	raw         *mat.Dense // attention matrix of the head
	matrix      *mat.Dense // raw after removal of its gap, if the network removes gaps
}

// width returns the number D/Heads of columns of the matrices of a head.
func (n Network) width() int { return n.Dim / n.Heads }

// giveAttention returns the attention matrix of the head to the memory, for reuse.
func (h *head) giveAttention(m *memory) {
	if h.matrix == h.raw {
		h.matrix = nil
	}
	m.give(&h.matrix, &h.raw)
}

// give returns all matrices of the head to the memory, for reuse.
func (h *head) give(m *memory) {
	h.giveAttention(m)
	m.give(&h.value, &h.queryWeight, &h.keyWeight, &h.values, &h.query, &h.key)
}

// draw samples the matrices of head number k of a layer, both counted from 0, for a signal x, which is nil
// for the input of the network. Of a matrix that is multiplied by the input of the network, draw samples only
// the first T rows, which are the product of the input with the matrix.
func (s *Signal) draw(h *head, layer, k int, x *mat.Dense) error {
	h.value, h.values = s.project(valueRole, layer, k, x)
	s.drop(&h.value)
	return s.attend(h, layer, k, x)
}

// attend computes the attention matrix of a head, for the signal x before the layer.
func (s *Signal) attend(h *head, layer, k int, x *mat.Dense) (err error) {
	n := s.source.Network
	switch n.Attention {
	case Markov:
		h.raw = s.work.memory.take(n.Tokens, n.Tokens)
		s.drawer.matrix(h.raw.RawMatrix(), attentionRole, layer, k)
	case Identity:
		h.raw = s.work.memory.take(n.Tokens, n.Tokens)
		h.raw.Zero()
		for i := range n.Tokens {
			h.raw.Set(i, i, 1)
		}
	default:
		h.queryWeight, h.query = s.project(queryRole, layer, k, x)
		s.drop(&h.queryWeight)
		h.keyWeight, h.key = s.project(keyRole, layer, k, x)
		s.drop(&h.keyWeight)
		h.raw = s.product(plain, h.query.RawMatrix(), transposed, h.key.RawMatrix())
		s.drop(&h.query, &h.key)
		n.normalize(h.raw)
	}
	h.matrix = h.raw
	if n.Gap != KeepGap {
		if s.keeps {
			h.matrix = s.work.memory.take(n.Tokens, n.Tokens)
			h.matrix.Copy(h.raw)
		}
		err = n.Gap.remove(h.matrix, s.work.multiplier)
	}
	return err
}

// drop makes matrices of the signal free for reuse, unless a backward pass needs them.
func (s *Signal) drop(matrices ...**mat.Dense) {
	if !s.keeps {
		s.work.memory.give(matrices...)
	}
}

// project samples a matrix of weights, and returns this matrix and the product of the signal x with it.
func (s *Signal) project(r role, layer, k int, x *mat.Dense) (weight, product *mat.Dense) {
	if x == nil {
		return nil, s.first(r, layer, k)
	}
	weight = s.normal(s.source.Dim, r, layer, k)
	if r == valueRole && s.source.Values == OrthogonalValues {
		orthogonal(weight)
	}
	return weight, s.product(plain, x.RawMatrix(), plain, weight.RawMatrix())
}

// first returns the product of the input of the network with a matrix of weights. The product with the input
// consists of the first T rows of the matrix of weights.
func (s *Signal) first(r role, layer, k int) *mat.Dense {
	n := s.source.Network
	if r != valueRole || n.Values == GaussianValues {
		return s.normal(n.Tokens, r, layer, k)
	}
	weight := s.normal(max(n.Tokens, n.Dim), r, layer, k)
	orthogonal(weight)
	product := s.work.memory.take(n.Tokens, n.width())
	product.Copy(weight)
	s.work.memory.give(&weight)
	return product
}

// normal returns a standard normal matrix with the columns of a head.
func (s *Signal) normal(rows int, r role, layer, k int) *mat.Dense {
	m := s.work.memory.take(rows, s.source.width())
	s.drawer.matrix(m.RawMatrix(), r, layer, k)
	return m
}

// XavierScale returns the KeyScale for Xavier initialisation of query and key matrices: 1/√d with d =
// D/Heads.
func (n Network) XavierScale() float64 { return 1 / math.Sqrt(float64(n.width())) }

// scoreScale returns σ²/√d with σ = KeyScale and d = D/Heads: the factor by which products of queries and
// keys must be multiplied to become scores, if query and key matrices are sampled as standard normal.
func (n Network) scoreScale() float64 {
	return float64(n.ScoreDeviation() * (1 / math.Sqrt(float64(n.width()))))
}

// normalize converts, in place, √d times the scores to an attention matrix, where d is the number of columns
// of a head.
func (n Network) normalize(m *mat.Dense) {
	tokens, scale := float64(n.Tokens), n.scoreScale()
	forRows(m.RawMatrix(), func(_ int, rows [][]float64) {
		for _, row := range rows {
			switch n.Attention {
			case Softmax:
				kernels.SoftmaxNumerators(row, scale)
			case Linear:
				products.Scale(row, scale)
				products.Divide(row, tokens)
			case Sigmoid:
				kernels.Exponentials(row, -scale)
				for j, x := range row {
					if row[j] = 1 / float64(tokens*(1+x)); row[j] < kernels.SmallestWeight {
						row[j] = 0
					}
				}
			case ReLU:
				products.Scale(row, scale)
				for j, x := range row {
					row[j] = max(x, 0)
				}
				products.Divide(row, tokens)
			}
		}
		if n.Attention == Softmax {
			totals := sums(rows)
			for k, row := range rows {
				products.Divide(row, totals[k])
			}
		}
	})
}
