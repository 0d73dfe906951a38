package fields

import (
	"math"

	"gonum.org/v1/gonum/blas"

	"antipode/internal/products"
	"antipode/sde/internal/kernels"
)

// strips computes attention sums over tokens, with some rows of the matrix of weights at a time. Sums use
// strips if the weights of two tokens for each other differ, or if weights vary too much for a common factor.
type strips struct {
	*Field
	free chan *strip // as many strips as there are goroutines
	add  func(k int)

	dst, weighted *kernels.Matrix // result of the current sum, and tokens times masses
}

// strip is the working memory of a goroutine for some rows of the matrix of weights.
type strip struct {
	products   *products.Multiplier
	weights    kernels.Matrix
	sums, work []kernels.Vector // four sums of weights for each row; one Vector for each row
}

// rowsTogether is the number of rows of the matrix of weights in a strip.
const rowsTogether = 64

func newStrips(f *Field) *strips {
	f.heavy = kernels.NewMatrix(f.of.Count, f.of.Dim)
	s := &strips{Field: f, free: make(chan *strip, f.team.Workers())}
	rows := min(f.of.Count, rowsTogether)
	for range f.team.Workers() {
		s.free <- &strip{products.New(1), kernels.NewMatrix(rows, f.of.Count),
			make([]kernels.Vector, 4*rows), make([]kernels.Vector, rows)}
	}
	s.add = s.addStrip
	return s
}

func (s *strips) sum(dst *kernels.Matrix, masses []float64) {
	s.dst, s.weighted = dst, s.weighed(masses)
	s.team.Each((s.n+rowsTogether-1)/rowsTogether, s.add)
}

// addStrip computes the sums of the tokens of strip k.
func (s *strips) addStrip(k int) {
	t := <-s.free
	first, last, d := rowsTogether*k, min(rowsTogether*(k+1), s.n), s.of.Dim
	weights := t.weights.General(last-first, s.n)
	t.products.Multiply(blas.NoTrans, blas.Trans, 1, s.x.Part(first, last, d), s.keysOrTokens(), 0, weights)
	for i := range last - first {
		s.weigh(t.weights.Row(i), first+i)
	}
	s.findFactors(t, s.factors[first:last])
	dst := s.dst.Part(first, last, d)
	t.products.Multiply(blas.NoTrans, blas.NoTrans, 1, weights, s.weighted.General(s.n, d), 0, dst)
	s.free <- t
}

// findFactors computes the factors of the sums of the tokens of a strip.
func (s *strips) findFactors(t *strip, factors []float64) {
	if s.of.Kernel != nil || !s.of.Softmax {
		factor := 1 / float64(s.of.Count)
		if s.of.Kernel != nil || s.of.Weigh != nil {
			factor = 1
		}
		for i := range factors {
			factors[i] = factor
		}
		return
	}
	sums := t.sums[:4*len(factors)]
	clear(sums)
	t.weights.AddDots(sums, 0, s.masses[:kernels.Width(s.n)])
	kernels.Totals(factors, sums, t.work)
	for i, total := range factors {
		factors[i] = 1 / total
	}
}

// weigh replaces the row of scores of token i by attention weights.
func (f *Field) weigh(row []kernels.Vector, i int) {
	scores := kernels.Numbers(row)
	switch {
	case f.of.Weigh != nil:
		f.of.Weigh(scores[:f.n:f.n])
	case f.of.Kernel != nil:
		f.of.Kernel(scores[:f.n:f.n], i)
	default:
		f.exponentials(row)
	}
	clear(scores[f.n:])
}

// exponentials replaces a row of scores by exponential weights. For softmax the weights are relative to that
// of the largest score of the row, so that no weight is above 1; weights that are negligible compared with 1
// become 0.
func (f *Field) exponentials(row []kernels.Vector) {
	row = row[:kernels.Width(f.n)]
	scores := kernels.Numbers(row)
	shift, least := 0.0, math.Inf(-1)
	if f.of.Softmax {
		shift, least = kernels.Largest(scores[:f.n]), kernels.LeastScore
	}
	for j, s := range scores[:f.n] {
		if scores[j] = float64(f.of.Beta * (s - shift)); scores[j] < least {
			scores[j] = math.Inf(-1)
		}
	}
	clear(scores[f.n:])
	kernels.Exp(row, row)
	clear(scores[f.n:])
}
