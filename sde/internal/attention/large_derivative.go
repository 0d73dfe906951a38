package attention

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/linear"
	"antipode/sphere"
)

// largeDerivative is the working memory of a Derivative for many tokens or dimensions. For many tokens or
// dimensions, a Derivative computes the sums for all tokens together, by matrix products.
type largeDerivative struct {
	matrix                 kernels.Matrix // matrix of attention weights
	weights, scores, other blas64.General // matrices for pairs of tokens, N×N
	contractions           blas64.General // results of NoiseContraction, N×d
	along, traces          blas64.General
	diagonal, squares      []float64
}

// largeDerivativeBytes returns the memory of a largeDerivative, in bytes.
func largeDerivativeBytes(tokens, dim float64) float64 {
	return 8 * (float64(3*tokens*tokens) + float64(3*tokens*dim))
}

func newLargeDerivative(tokens, dim int) *largeDerivative {
	matrix := func(columns int) blas64.General {
		data := make([]float64, tokens*columns)
		return blas64.General{Rows: tokens, Cols: columns, Stride: columns, Data: data}
	}
	l := &largeDerivative{matrix: kernels.NewSquare(tokens), scores: matrix(tokens), other: matrix(tokens),
		contractions: matrix(dim), along: matrix(dim), traces: matrix(dim),
		diagonal: make([]float64, tokens), squares: make([]float64, tokens)}
	l.weights = l.matrix.General(tokens, tokens)
	return l
}

// row returns a row of a matrix.
func row(m blas64.General, i int) []float64 { return m.Data[i*m.Stride:][:m.Cols] }

// rows returns the tokens, or a vector for each token, as a matrix.
func (f *Derivative) rows(vectors []float64) blas64.General {
	return blas64.General{Rows: f.n, Cols: f.d, Stride: f.d, Data: vectors}
}

// keysAndQueries returns the keys B x_j and the queries Bᵀ x_j of all tokens as matrices.
func (f *Derivative) keysAndQueries(x []float64) (keys, queries blas64.General) {
	if f.interaction == nil {
		return f.rows(x), f.rows(x)
	}
	return f.large.field.Keys(), f.rows(f.queries)
}

// TakeWeights stores the attention weights with which the last attention field was computed, if derivatives
// are computed by matrix products; if they are computed by loops, TakeWeights does nothing. Prepare calls
// TakeWeights.
func (f *Derivative) TakeWeights() {
	if f.large == nil {
		return
	}
	if f.products == nil {
		f.products = newLargeDerivative(f.n, f.d)
	}
	f.large.field.Weights(&f.products.matrix)
}

// contract computes the sums of NoiseContraction for all tokens.
func (f *Derivative) contract(x, field []float64) {
	p, multiply, tokens := f.products, f.large.products.Multiply, f.rows(x)
	keys, queries := f.keysAndQueries(x)
	multiply(blas.NoTrans, blas.Trans, 1, f.rows(field), tokens, 0, p.scores)
	for j := range f.n {
		p.diagonal[j] = row(p.scores, j)[j]
	}
	for i := range f.n {
		own := field[i*f.d : (i+1)*f.d]
		mean, scores := f.mean(own, own), row(p.scores, i)
		for j, w := range row(p.weights, i) {
			scores[j] = float64(float64(f.beta*w) * (scores[j] - mean))
		}
	}
	multiply(blas.NoTrans, blas.NoTrans, 1, p.scores, keys, 0, p.contractions)
	if f.independent {
		for i := range f.n {
			from, to := i*f.d, (i+1)*f.d
			own, token, query := field[from:to], x[from:to], queries.Data[from:to]
			w := row(p.weights, i)[i]
			ofQuery := float64(float64(f.beta*w) * (p.diagonal[i] - f.mean(own, own)))
			linear.AddScaled(row(p.contractions, i), w, f.Tangents[from:to])
			linear.AddScaled(row(p.contractions, i), ofQuery, query)
			linear.AddScaled(row(p.contractions, i), -float64(ofQuery*sphere.Dot(token, query)), token)
		}
		return
	}
	f.large.products.Gram(blas.NoTrans, 1, f.rows(field), 0, p.scores)
	multiply(blas.NoTrans, blas.Trans, 1, queries, tokens, 0, p.other)
	softmax := 0.0
	if f.softmax {
		softmax = 1
	}
	for i := range f.n {
		scores, other, total := row(p.scores, i), row(p.other, i), 0.0
		for j, w := range row(p.weights, i) {
			ofQuery := float64(float64(f.beta*w) * (p.diagonal[j] - float64(softmax*scores[j])))
			total += ofQuery
			other[j] = -float64(ofQuery * other[j])
		}
		linear.AddScaled(row(p.contractions, i), total, row(queries, i))
	}
	multiply(blas.NoTrans, blas.NoTrans, 1, p.other, tokens, 1, p.contractions)
	multiply(blas.NoTrans, blas.NoTrans, 1, p.weights, f.rows(f.Tangents), 1, p.contractions)
}

// advanceAlong computes the sums of AlongTangents for all tokens.
func (f *Derivative) advanceAlong(x, field []float64) {
	p, multiply, tangents := f.products, f.large.products.Multiply, f.rows(f.Tangents)
	keys, queries := f.keysAndQueries(x)
	multiply(blas.NoTrans, blas.Trans, 1, tangents, keys, 0, p.scores)
	if !f.independent {
		multiply(blas.NoTrans, blas.Trans, 1, queries, tangents, 1, p.scores)
		multiply(blas.NoTrans, blas.NoTrans, 1, p.weights, tangents, 0, p.along)
	}
	for i := range f.n {
		scores, weights, total := row(p.scores, i), row(p.weights, i), 0.0
		if f.independent {
			scores[i] += sphere.Dot(row(queries, i), row(tangents, i))
			linear.Scale(row(p.along, i), weights[i], row(tangents, i))
		}
		for j, w := range weights {
			scores[j] = float64(float64(f.beta*w) * scores[j])
			total += scores[j]
		}
		if f.softmax {
			linear.AddScaled(row(p.along, i), -total, field[i*f.d:(i+1)*f.d])
		}
	}
	multiply(blas.NoTrans, blas.NoTrans, 1, p.scores, f.rows(x), 1, p.along)
}

// divergences computes the sums of AlongTraces for all tokens.
func (f *Derivative) divergences(x, field []float64) {
	p, multiply, tokens := f.products, f.large.products.Multiply, f.rows(x)
	keys, queries := f.keysAndQueries(x)
	multiply(blas.NoTrans, blas.Trans, 1, queries, tokens, 0, p.other)
	f.large.products.Gram(blas.NoTrans, 1, tokens, 0, p.scores)
	multiply(blas.NoTrans, blas.NoTrans, 1, p.weights, keys, 0, p.along)
	for j := range f.n {
		p.squares[j] = row(p.scores, j)[j]
	}
	own := p.diagonal // for each token i, the coefficient of A_i in the sum of token i
	for i := range f.n {
		overlaps, scores := row(p.scores, i), row(p.other, i)
		a := field[i*f.d : (i+1)*f.d]
		along, total := f.mean(a, row(tokens, i)), -f.mean(a, row(p.along, i))
		for j, w := range row(p.weights, i) {
			ofKey := row(p.other, j)[j] - float64((overlaps[j]-along)*scores[j])
			total += float64(w * ofKey)
		}
		own[i] = float64(f.beta * total)
	}
	softmax := 0.0
	if f.softmax {
		softmax = 1
	}
	multiply(blas.NoTrans, blas.Trans, 1, f.rows(field), tokens, 0, p.scores)
	for i := range f.n {
		factors, scores := row(p.scores, i), row(p.other, i)
		along := f.mean(field[i*f.d:(i+1)*f.d], row(queries, i))
		for j, w := range row(p.weights, i) {
			ofQuery := scores[j] - along - float64((p.squares[j]-float64(softmax*factors[j]))*scores[j])
			factors[j] = float64(w*float64(f.d-1)) + float64(float64(f.beta*w)*ofQuery)
			if f.independent && j != i {
				factors[j] = 0
			}
		}
		factors[i] += own[i]
	}
	multiply(blas.NoTrans, blas.NoTrans, 1, p.scores, f.rows(field), 0, p.traces)
}
