package network

import (
	"math"

	"antipode/sde/internal/rowwise"
)

// attention is a layer of self-attention with several heads. The outputs of the heads are concatenated and
// optionally mixed by the matrix W_O.
type attention struct {
	heads, keys, values  int // numbers of heads, and dimensions of the keys and of the values of a head
	tokens               int // number of tokens in a sequence
	causal, uniform      bool
	gainControl          bool
	source               Attention
	free                 weight // weights of free attention, which replaces queries and keys
	query, key, value    linear
	projection           linear // map W_O; without a weight if the outputs of heads are not mixed
	input                matrix
	queries, keysOfHeads matrix   // queries and keys of all heads, Tokens × heads·keys
	valuesOfHeads        matrix   // values of all heads, Tokens × Dim
	rows                 []matrix // attention matrix of each head of each sequence, centred with gain control
	dropout              float64
	layer                int      // index of the layer, from 0
	masks                []matrix // masks of attention matrices; none without dropout
	drops                bool     // whether the last forward pass had dropout
	mixed                matrix   // concatenated outputs of all heads
	out                  matrix   // outputs after W_O; the same matrix as mixed if there is no W_O
	work                 *work
}

// Forward implements layer.
func (a *attention) Forward(x matrix) matrix {
	a.input = x
	if a.source == QueriesKeys {
		a.query.forward(x, a.queries)
		a.key.forward(x, a.keysOfHeads)
	}
	a.value.forward(x, a.valuesOfHeads)
	multiply := a.work.products.Multiply
	a.drops = a.dropout > 0 && len(a.work.masks.numbers) > 0
	for k, rows := range a.rows {
		switch {
		case a.source != QueriesKeys:
			for t := range rows.Rows {
				copy(row(rows, t), a.freeRow(a.free.matrix, k, t))
			}
		case a.uniform:
			clear(rows.Data)
		default:
			queries, keys := a.part(a.queries, k, a.keys), a.part(a.keysOfHeads, k, a.keys)
			multiply(plain, transposed, a.scale(), queries, keys, 0, rows)
		}
		a.weigh(rows)
		if a.drops {
			a.work.masks.fill(a.masks[k], a.dropout, k/a.heads, a.layer, attentionWeights, k%a.heads*a.tokens)
		}
		values, mixed := a.part(a.valuesOfHeads, k, a.values), a.part(a.mixed, k, a.values)
		multiply(plain, plain, 1, a.left(k), values, 0, mixed)
	}
	if a.projection.weight.has() {
		a.projection.forward(a.mixed, a.out)
	}
	return a.out
}

// freeRow returns the row for token t and attention matrix k of the matrix m, which holds the free attention
// matrices of all heads. A sequence shorter than Network.Tokens uses the first entries of the row.
func (a *attention) freeRow(m matrix, k, t int) []float64 {
	return row(m, k%a.heads*m.Cols+t)[:a.tokens]
}

// left returns attention matrix k after dropout. The returned matrix is valid until the next call of left.
func (a *attention) left(k int) matrix {
	if !a.drops {
		return a.rows[k]
	}
	dropped := a.work.dropped
	multiplyEntries(dropped.Data, a.rows[k].Data, a.masks[k].Data)
	return dropped
}

// part returns the block of a matrix of tokens that belongs to attention matrix k. The block has the rows of
// the sequence of k and the columns of the head of k; each head has width columns.
func (a *attention) part(m matrix, k, width int) matrix {
	return columns(rowsOf(m, k/a.heads*a.tokens, a.tokens), k%a.heads*width, width)
}

// scale returns the factor by which inner products of queries and keys are multiplied to become scores.
func (a *attention) scale() float64 { return a.work.scores / math.Sqrt(float64(a.keys)) }

// attended returns the number of tokens to which token t of a sequence may attend.
func (a *attention) attended(t int) int {
	if a.causal {
		return t + 1
	}
	return a.tokens
}

// weigh replaces scores, or free weights, by attention weights. For gain-controlled attention weigh also
// subtracts the mean weight from each weight. As the weights of a token sum to 1, subtracting their mean
// removes the mean of the values from the output of attention.
func (a *attention) weigh(scores matrix) {
	if a.source != FreeWeights && !a.causal {
		rowwise.Softmax(scores.Data, scores.Rows, scores.Cols)
	}
	for t := range scores.Rows {
		attended := row(scores, t)[:a.attended(t)]
		if a.causal {
			clear(row(scores, t)[len(attended):])
			if a.source != FreeWeights {
				rowwise.Softmax(attended, 1, len(attended))
			}
		}
		if a.gainControl {
			mean := a.removed(t)
			for s := range attended {
				attended[s] -= mean
			}
		}
	}
}

// removed returns the number that weigh subtracts from each attention weight of token t.
func (a *attention) removed(t int) float64 {
	if a.gainControl {
		return 1 / float64(a.attended(t))
	}
	return 0
}

// excess returns the means, over heads and over rows A_t of an attention matrix of T tokens, of two
// quantities. The first quantity is Σ_s (A_ts - 1/T)², the squared distance of the row A_t from uniform
// attention. The second quantity is the squared distance of the softmax derivative diag(A_t) - A_t A_tᵀ from
// the softmax derivative at equal weights. For causal attention 1/T is replaced by the inverse of the number
// of tokens to which t may attend. With δ = A_t - 1/T, whose sum is 0, the squared distance is (1-2/T) Σδ² -
// 2Σδ³ + (Σδ²)².
func (a *attention) excess() (excess, jacobian float64) {
	for _, rows := range a.rows {
		for t := range a.tokens {
			attended := row(rows, t)[:a.attended(t)]
			mean := 1/float64(len(attended)) - a.removed(t)
			squares, cubes := 0.0, 0.0
			for _, weight := range attended {
				difference := weight - mean
				excess = math.FMA(difference, difference, excess)
				squares = math.FMA(difference, difference, squares)
				cubes = math.FMA(float64(difference*difference), difference, cubes)
			}
			jacobian += float64(squares*(1-2/float64(len(attended))+squares)) - float64(2*cubes)
		}
	}
	count := float64(a.tokens * len(a.rows))
	return excess / count, jacobian / count
}

// Backward implements layer.
func (a *attention) Backward(derivative matrix) {
	w, outputs := a.work, derivative
	if a.projection.weight.has() {
		outputs = w.heads
		a.projection.parameters(a.mixed, derivative)
		a.projection.input(derivative, 0, outputs)
	}
	for k, rows := range a.rows {
		a.backwardHead(k, rows, a.part(outputs, k, a.values))
	}
	if a.source != QueriesKeys {
		a.value.parameters(a.input, w.value)
		a.value.input(w.value, 0, derivative)
		return
	}
	a.query.parameters(a.input, w.query)
	a.key.parameters(a.input, w.key)
	a.value.parameters(a.input, w.value)
	a.query.input(w.query, 0, derivative)
	a.key.input(w.key, 1, derivative)
	a.value.input(w.value, 1, derivative)
}

// backwardHead computes the derivatives with respect to values, queries and keys of attention matrix k, given
// the derivatives with respect to the output of the head. For free attention there are no queries and keys;
// backwardHead then adds to the gradient of the free weights.
func (a *attention) backwardHead(k int, rows, output matrix) {
	w, multiply := a.work, a.work.products.Multiply
	multiply(transposed, plain, 1, a.left(k), output, 0, a.part(w.value, k, a.values))
	value := a.part(a.valuesOfHeads, k, a.values)
	for first := 0; first < rows.Rows; first += w.rows.Rows {
		count := min(w.rows.Rows, rows.Rows-first)
		scores := rowsOf(w.rows, 0, count)
		multiply(plain, transposed, 1, rowsOf(output, first, count), value, 0, scores)
		if a.drops {
			mask := rowsOf(a.masks[k], first, count)
			multiplyEntries(scores.Data[:count*scores.Stride], scores.Data, mask.Data)
		}
		for t := range count {
			a.weighBackward(row(scores, t), row(rows, first+t), first+t)
		}
		if a.source == QueriesKeys {
			a.scoresBackward(k, scores, first)
			continue
		}
		for t := range count {
			addMultiple(a.freeRow(a.free.gradient, k, first+t), 1, row(scores, t))
		}
	}
}

// scoresBackward computes the derivatives with respect to the queries of tokens from first on, given the
// derivatives with respect to the scores of these tokens. scoresBackward accumulates the derivatives with
// respect to keys over successive calls.
func (a *attention) scoresBackward(k int, scores matrix, first int) {
	w, multiply := a.work, a.work.products.Multiply
	query, key := a.part(a.queries, k, a.keys), a.part(a.keysOfHeads, k, a.keys)
	byQuery, byKey := a.part(w.query, k, a.keys), a.part(w.key, k, a.keys)
	before := 1. // factor of the derivatives with respect to keys that earlier calls have accumulated
	if first == 0 {
		before = 0
	}
	multiply(plain, plain, a.scale(), scores, key, 0, rowsOf(byQuery, first, scores.Rows))
	multiply(transposed, plain, a.scale(), scores, rowsOf(query, first, scores.Rows), before, byKey)
}

// weighBackward converts derivatives with respect to the weights of token t to derivatives with respect to
// the scores of this token: A(dA - Σ A dA) for weights A with derivatives dA. Free weights are not a softmax
// of scores, and their derivatives are not changed.
func (a *attention) weighBackward(derivative, weights []float64, t int) {
	removed := a.removed(t)
	weights = weights[:a.attended(t)]
	clear(derivative[len(weights):])
	if a.source == FreeWeights {
		return
	}
	derivative = derivative[:len(weights)]
	mean := rowwise.Dot(weights, derivative)
	if a.gainControl {
		mean += float64(removed * rowwise.Sum(derivative))
	}
	for s, weight := range weights {
		derivative[s] = (weight + removed) * (derivative[s] - mean)
	}
}
