package attention

import (
	"math"

	"antipode/sphere"
)

// randomScores computes the random part S x_iᵀG x_j of the scores of attention in a layer, where G is a
// random matrix.
type randomScores struct {
	spread  float64
	keyed   bool // whether G = QᵀK/√k
	size    int  // dimension of a query and of a key: k, or d if G has independent entries
	dim     int
	beta    float64
	numbers []float64 // entries of G, d×d, or of Q and K, k×d each
	queries []float64 // queries of the tokens, N times size
	keys    []float64
}

func newRandomScores(s Settings) *randomScores {
	r := &randomScores{spread: s.Spread, keyed: s.Keys > 0, size: s.Dim, dim: s.Dim, beta: s.Beta}
	matrices := 1
	if r.keyed {
		r.size, matrices = s.Keys, 2
	}
	r.numbers = make([]float64, matrices*r.size*s.Dim)
	r.queries, r.keys = make([]float64, s.Count*r.size), make([]float64, s.Count*r.size)
	return r
}

// add multiplies the entries of scores, which are x_iᵀ B x_j for n tokens x, by β, and adds the random part
// of the scores.
func (r *randomScores) add(scores, x []float64, n int) {
	d, size, spread := r.dim, r.size, r.spread
	queries := x
	if r.keyed {
		queries = r.queries
		spread /= math.Sqrt(float64(size))
		r.project(r.queries, r.numbers[:size*d], x, n)
	}
	r.project(r.keys, r.numbers[len(r.numbers)-size*d:], x, n)
	for i := range n {
		for j := range n {
			random := sphere.Dot(queries[i*size:(i+1)*size], r.keys[j*size:(j+1)*size])
			scores[i*n+j] = float64(r.beta*scores[i*n+j]) + float64(spread*random)
		}
	}
}

// project writes the products of a matrix of d columns with each of n tokens x to dst.
func (r *randomScores) project(dst, matrix, x []float64, n int) {
	d := r.dim
	rows := len(matrix) / d
	for i := range n {
		for k := range rows {
			dst[i*rows+k] = sphere.Dot(matrix[k*d:(k+1)*d], x[i*d:(i+1)*d])
		}
	}
}
