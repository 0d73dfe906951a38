package matrices

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"antipode/internal/products"
	"antipode/sde/internal/kernels"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// ScoreLayer is a layer of softmax attention in the scaling of Giorlandino and Goldt, "Two Failure Modes
// of Deep Transformers". The entries of the T tokens of dimension d have variance 1, and the mean cosine
// of tokens is ρ. The entries of query and key matrices have variance β√log T/d, so that differences of
// scores in a row have variance 2β²(1-ρ) log T.
type ScoreLayer struct {
	Tokens int     // number of tokens T ≥ 2
	Dim    int     // dimension d ≥ 1 of a token
	Rows   int     // number of computed rows of the attention matrix, 1 to T
	Rho    float64 // mean cosine ρ of tokens, in [0, 1]
}

// Memory estimates the memory of a sample of the layer, in bytes.
func (l ScoreLayer) Memory() float64 {
	t, d, rows := float64(l.Tokens), float64(l.Dim), float64(l.Rows)
	return float64(8 * (float64(t*d) + float64(2*d*d) + float64(3*rows*t) + float64(3*rows*d)))
}

// Operations estimates the number of multiplications to sample a layer, and to compute its attention for each
// β.
func (l ScoreLayer) Operations() (sample, each float64) {
	const perEntry = 30 // operations to sample an entry, or to compute an exponential
	t, d, rows := float64(l.Tokens), float64(l.Dim), float64(l.Rows)
	products := float64(rows * t * d)
	sample = float64(perEntry*(float64(t*d)+float64(2*d*d))) + float64(2*rows*d*d) + products
	return sample, products + float64(perEntry*rows*t)
}

// ScoreSample is a sample of a ScoreLayer. A ScoreSample is not safe for concurrent use.
type ScoreSample struct {
	tokens, scores, attention, output blas64.General
	multiplier                        *products.Multiplier
}

// Draw returns the sample of the layer with the given number, counted from 0. The scores of a sample for
// different β are multiples of each other.
func (l ScoreLayer) Draw(seed uint64, sample int64) *ScoreSample {
	text := fmt.Sprintf("scores tokens=%d dim=%d rho=%x", l.Tokens, l.Dim, math.Float64bits(l.Rho+0))
	sum := sha256.Sum256([]byte(text))
	stream := kernels.NewStream(seed, binary.LittleEndian.Uint64(sum[:8]))
	const commonDraw, queryDraw, keyDraw, firstToken = 0, 1, 2, 3
	draw := func(dst []float64, scale float64, step int64) {
		stream.Normals(dst, scale, kernels.Starts, sample, step)
	}
	s := &ScoreSample{
		tokens: newGeneral(l.Tokens, l.Dim), scores: newGeneral(l.Rows, l.Tokens),
		attention: newGeneral(l.Rows, l.Tokens), output: newGeneral(l.Rows, l.Dim),
		multiplier: products.New(1),
	}
	common := make([]float64, l.Dim)
	draw(common, math.Sqrt(l.Rho), commonDraw)
	for t := range l.Tokens {
		row := s.tokens.Data[t*l.Dim : (t+1)*l.Dim]
		draw(row, math.Sqrt(1-l.Rho), int64(firstToken+t))
		for k, v := range common {
			row[k] += v
		}
	}
	// The entries of the query and key matrices are sampled with standard deviation d^(-1/2) instead of
	// (β√log T/d)^(1/2); the method Attend multiplies scores by the remaining factor.
	query, key := newGeneral(l.Dim, l.Dim), newGeneral(l.Dim, l.Dim)
	draw(query.Data, 1/math.Sqrt(float64(l.Dim)), queryDraw)
	draw(key.Data, 1/math.Sqrt(float64(l.Dim)), keyDraw)
	queries, vectors := newGeneral(l.Rows, l.Dim), newGeneral(l.Rows, l.Dim)
	first := s.tokens
	first.Rows = l.Rows
	scale := math.Sqrt(math.Log(float64(l.Tokens)) / float64(l.Dim))
	s.multiplier.Multiply(blas.NoTrans, blas.NoTrans, 1, first, query, 0, queries)
	s.multiplier.Multiply(blas.NoTrans, blas.Trans, scale, queries, key, 0, vectors)
	s.multiplier.Multiply(blas.NoTrans, blas.Trans, 1, vectors, s.tokens, 0, s.scores)
	return s
}

func newGeneral(rows, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: columns, Data: make([]float64, rows*columns)}
}

// Attend returns the computed rows of the attention matrix at β ≥ 0 (Rows × T). The next call of Attend
// overwrites the returned rows.
func (s *ScoreSample) Attend(beta float64) blas64.General {
	for i := range s.scores.Rows {
		scores := s.scores.Data[i*s.scores.Stride:][:s.scores.Cols]
		row := s.attention.Data[i*s.attention.Stride:][:s.scores.Cols]
		largest := kernels.Largest(scores)
		for k, v := range scores {
			row[k] = v - largest
		}
		kernels.Exponentials(row, beta)
		products.Divide(row, sum(row))
	}
	return s.attention
}

// Moments returns, for the rows of the attention matrix A that Attend has returned last, the mean
// participation ratio Σ_s A_ts². For pairs of the outputs Σ_s A_ts x_s of these rows, Moments returns the
// mean cosine, and the mean inner product divided by the mean squared norm; cosine and ratio are NaN for a
// single row.
func (s *ScoreSample) Moments() (participation, cosine, ratio float64) {
	s.multiplier.Multiply(blas.NoTrans, blas.NoTrans, 1, s.attention, s.tokens, 0, s.output)
	n := float64(s.attention.Rows)
	total, directions, squares := make([]float64, s.output.Cols), make([]float64, s.output.Cols), 0.0
	for i := range s.attention.Rows {
		row := s.attention.Data[i*s.attention.Stride:][:s.attention.Cols]
		participation += dot(row, row) / n
		output := s.output.Data[i*s.output.Stride:][:s.output.Cols]
		square := dot(output, output)
		squares += square
		length := math.Sqrt(square)
		for k, v := range output {
			total[k] += v
			directions[k] += v / length
		}
	}
	pairs := float64(n * (n - 1))
	return participation, (dot(directions, directions) - n) / pairs, (dot(total,
		total) - squares) / pairs / (squares / n)
}
