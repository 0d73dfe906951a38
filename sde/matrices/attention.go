package matrices

import (
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/products"

	"gonum.org/v1/gonum/mat"
)

// Attention is a kind of attention matrix. All but Markov and Identity are made of scores
// XW^Q(XW^K)ᵀ/√d of normal query and key matrices with d = D/Heads columns.
type Attention int8

const (
	// Markov: independent positive entries, divided by the sums of their rows (Definition
	// 1.1).
	Markov Attention = iota
	// Softmax of the scores of a row (Prop. 1).
	Softmax
	// Linear: scores over T.
	Linear
	// Sigmoid: the logistic function of the scores, over T.
	Sigmoid
	// ReLU: the positive parts of the scores, over T.
	ReLU
	// Identity: every token attends to itself alone.
	Identity
)

// AttentionNames are the names, in the order of their values.
var AttentionNames = []string{"markov", "softmax", "linear", "sigmoid", "relu", "identity"}

// String returns the name.
func (a Attention) String() string { return nameOf(AttentionNames, int(a), "Attention") }

// Labels are the names of all kinds, in the order of their values.
func (Attention) Labels() []string { return AttentionNames }

// HasScores reports whether attention matrices are made of scores.
func (a Attention) HasScores() bool { return a != Markov && a != Identity }

// head is one attention head of a layer.
type head struct {
	value       *mat.Dense // W, input dimension × D/Heads; nil for the first layer
	queryWeight *mat.Dense // W^Q and W^K likewise; nil without scores too
	keyWeight   *mat.Dense
	values      *mat.Dense // XW
	query, key  *mat.Dense // XW^Q and XW^K; nil without scores
	raw         *mat.Dense // attention matrix
	matrix      *mat.Dense // the same, or without its gap
}

// width is the number of columns of a head.
func (n Network) width() int { return n.Dim / n.Heads }

// draw makes a head of a layer from 0 for a signal x, which is nil for the input. Of the
// matrices that the input meets it has the first T rows, their product with the input.
func (s *Signal) draw(layer, k int, x *mat.Dense) (h *head, err error) {
	n := s.source.Network
	h = &head{}
	h.value, h.values = s.project(valueRole, layer, k, x)
	s.drop(&h.value)
	switch n.Attention {
	case Markov:
		h.raw = s.memory.take(n.Tokens, n.Tokens)
		s.drawer.matrix(h.raw.RawMatrix(), attentionRole, layer, k)
	case Identity:
		h.raw = s.memory.take(n.Tokens, n.Tokens)
		h.raw.Zero()
		for i := range n.Tokens {
			h.raw.Set(i, i, 1)
		}
	default:
		h.queryWeight, h.query = s.project(queryRole, layer, k, x)
		h.keyWeight, h.key = s.project(keyRole, layer, k, x)
		h.raw = s.product(plain, h.query, transposed, h.key)
		s.drop(&h.queryWeight, &h.keyWeight, &h.query, &h.key)
		s.normalize(h.raw)
	}
	h.matrix, err = n.Gap.of(h.raw)
	return h, err
}

// project draws a matrix of weights and returns it with its product with the signal.
func (s *Signal) project(r role, layer, k int, x *mat.Dense) (weight, product *mat.Dense) {
	if x == nil {
		return nil, s.first(r, layer, k)
	}
	weight = s.normal(s.source.Dim, r, layer, k)
	if r == valueRole && s.source.Values == OrthogonalValues {
		weight = orthogonal(weight)
	}
	return weight, s.product(plain, x, plain, weight)
}

// first is the product of a matrix of weights with the input: its first T rows.
func (s *Signal) first(r role, layer, k int) *mat.Dense {
	n := s.source.Network
	if r != valueRole || n.Values == GaussianValues {
		return s.normal(n.Tokens, r, layer, k)
	}
	return mat.DenseCopyOf(orthogonal(s.normal(max(n.Tokens, n.Dim), r, layer, k)).Slice(0, n.Tokens, 0,
		n.width()))
}

// normal is a standard normal matrix with the columns of a head.
func (s *Signal) normal(rows int, r role, layer, k int) *mat.Dense {
	m := s.memory.take(rows, s.source.width())
	s.drawer.matrix(m.RawMatrix(), r, layer, k)
	return m
}

// XavierScale is the KeyScale of Xavier's initialisation, 1/√d with d = D/Heads.
func (n Network) XavierScale() float64 { return 1 / math.Sqrt(float64(n.width())) }

// scoreScale is the factor of scores of standard normal query and key matrices: σ²/√d.
func (n Network) scoreScale() float64 {
	return float64(n.ScoreDeviation() * (1 / math.Sqrt(float64(n.width()))))
}

// normalize makes an attention matrix of √d times the scores.
func (s *Signal) normalize(m *mat.Dense) {
	n := s.source.Network
	tokens, scale := float64(n.Tokens), n.scoreScale()
	for i := range n.Tokens {
		row := m.RawRowView(i)
		products.Scale(row, scale)
		switch n.Attention {
		case Softmax:
			kernels.SoftmaxNumerators(row, s.work)
			products.Divide(row, sum(row))
		case Linear:
			products.Divide(row, tokens)
		case Sigmoid:
			products.Scale(row, -1)
			kernels.Exponentials(row, s.work)
			for j, x := range row {
				if row[j] = 1 / float64(tokens*(1+x)); row[j] < kernels.SmallestWeight {
					row[j] = 0
				}
			}
		case ReLU:
			for j, x := range row {
				row[j] = max(x, 0)
			}
			products.Divide(row, tokens)
		}
	}
}

// centreRows takes from each row its mean.
func centreRows(m *mat.Dense) {
	rows, _ := m.Dims()
	for i := range rows {
		centre(m.RawRowView(i))
	}
}

func centre(row []float64) {
	mean := sum(row) / float64(len(row))
	for k := range row {
		row[k] -= mean
	}
}

func sum(row []float64) (total float64) {
	for _, x := range row {
		total += x
	}
	return total
}
