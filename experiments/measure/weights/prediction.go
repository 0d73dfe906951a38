package weights

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// stream describes the tokens of a sequence in the theory of wide layers by their inner products divided by
// d. The theory assumes that W_O W_V and W_QᵀW_K are independent of the tokens, except for multiples of the
// identity.
type stream struct {
	gram   *mat.SymDense
	post   bool
	causal bool
	random *rand.Rand
}

// newStream returns the stream of tokens that have the given cosines and the given mean squares of entries.
func newStream(cosines *mat.SymDense, squares []float64, l Layout, random *rand.Rand) *stream {
	n := cosines.SymmetricDim()
	gram := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			gram.SetSym(i, j, cosines.At(i, j)*math.Sqrt(squares[i]*squares[j]))
		}
	}
	s := &stream{gram, l.Norm == PostNorm, l.Causal, random}
	s.normalise()
	return s
}

// cosines returns the inner products of the normalised tokens of the stream.
func (s *stream) cosines() *mat.SymDense {
	n := s.gram.SymmetricDim()
	cosines := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			z := s.gram.At(i, j) / math.Sqrt(s.gram.At(i, i)*s.gram.At(j, j))
			if i == j {
				z = 1
			}
			cosines.SetSym(i, j, max(-1, min(1, z)))
		}
	}
	return cosines
}

// normalise applies the norm after a branch of a post-norm Transformer to the tokens. In a pre-norm
// Transformer, normalise does nothing.
func (s *stream) normalise() {
	if s.post {
		s.gram = s.cosines()
	}
}

// mean returns the mean overlap of two tokens of the stream.
func (s *stream) mean() float64 {
	n := s.gram.SymmetricDim()
	if n < 2 {
		return math.NaN()
	}
	cosines, total := s.cosines(), 0.
	for i := range n {
		for j := i + 1; j < n; j++ {
			total += cosines.At(i, j)
		}
	}
	return total / float64(n*(n-1)/2)
}

// attend applies the attention of the heads of a layer to the tokens. The random parts of the scores are
// sampled.
func (s *stream) attend(heads []Head, dim int) {
	n := s.gram.SymmetricDim()
	cosines := s.cosines()
	root := rootOf(mat.DenseCopyOf(cosines))
	kept := mat.NewDense(n, n, nil) // how the new tokens depend on the previous tokens
	for i := range n {
		kept.Set(i, i, math.Sqrt(s.gram.At(i, i)))
	}
	added := mat.NewDense(n, n, nil)
	for _, h := range heads {
		weights := s.weights(cosines, root, h.Scores)
		var moved, product mat.Dense
		moved.Mul(weights, cosines)
		product.Mul(&moved, weights.T())
		// The multiple t of the identity in a d × d matrix contributes dt² to the sum of the squares of its
		// entries.
		noise := h.A.Value + (h.B.Value+h.C.Value-h.Identity*h.Identity)/float64(dim)
		product.Scale(max(0, noise*float64(dim)), &product)
		added.Add(added, &product)
		moved.Scale(h.Identity, weights)
		kept.Add(kept, &moved)
	}
	var left, mean mat.Dense
	left.Mul(kept, cosines)
	mean.Mul(&left, kept.T())
	for i := range n {
		for j := i; j < n; j++ {
			s.gram.SetSym(i, j, mean.At(i, j)+(added.At(i, j)+added.At(j, i))/2)
		}
	}
	s.normalise()
}

// weights returns the attention weights of scores x_iᵀ(βI + SG)x_j with a random Gaussian matrix G. The
// tokens x_i are the rows of a square root of the matrix of their inner products.
func (s *stream) weights(cosines *mat.SymDense, root *mat.Dense, scores Scores) *mat.Dense {
	n := cosines.SymmetricDim()
	g := mat.NewDense(n, n, nil)
	g.Apply(func(int, int, float64) float64 { return scores.Spread.Value * s.random.NormFloat64() }, g)
	var left, noise mat.Dense
	left.Mul(root, g)
	noise.Mul(&left, root.T())
	w := mat.NewDense(n, n, nil)
	for i := range n {
		last, most := n, math.Inf(-1)
		if s.causal {
			last = i + 1
		}
		row := w.RawRowView(i)[:last]
		for j := range row {
			row[j] = scores.Beta.Value*cosines.At(i, j) + noise.At(i, j)
			most = max(most, row[j])
		}
		total := 0.
		for j := range row {
			row[j] = math.Exp(row[j] - most)
			total += row[j]
		}
		for j := range row {
			row[j] /= total
		}
	}
	return w
}

// feed applies an MLP with the strength of m and the given correlation function to the tokens.
func (s *stream) feed(m MLP, correlation func(z float64) float64, dim int) {
	cosines := s.cosines()
	for i := range s.gram.SymmetricDim() {
		for j := i; j < s.gram.SymmetricDim(); j++ {
			s.gram.SetSym(i, j, s.gram.At(i, j)+float64(dim)*m.Strength*correlation(cosines.At(i, j)))
		}
	}
	s.normalise()
}
