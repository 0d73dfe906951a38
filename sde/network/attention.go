package network

import (
	"math"

	"antipode/sde/internal/rowwise"
)

// attention is self-attention with heads, whose outputs stand next to each other or are mixed by W_O.
type attention struct {
	heads, keys, values  int // values: the dimension of a head's values
	tokens               int // of a sequence
	causal, uniform      bool
	gainControl          bool
	source               Attention
	free                 weight // where it is not queries and keys
	query, key, value    linear
	projection           linear // without a weight: no W_O
	input                matrix
	queries, keysOfHeads matrix   // Tokens × heads·keys
	valuesOfHeads        matrix   // Tokens × Dim
	rows                 []matrix // centred attention matrices of each head of each sequence, Tokens × Tokens
	dropout              float64
	layer                int      // from 0
	masks                []matrix // of attention matrices, none without dropout
	drops                bool     // whether the last forward pass did
	mixed                matrix   // outputs of all heads, next to each other
	out                  matrix   // W_O of them; the same matrix without W_O
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

// freeRow is the row of token t of the head of attention matrix k in a matrix of all free attention, of
// which a sequence that is not the longest has the first entries.
func (a *attention) freeRow(m matrix, k, t int) []float64 {
	return row(m, k%a.heads*m.Cols+t)[:a.tokens]
}

// left is what dropout leaves of attention matrix k, until the next call.
func (a *attention) left(k int) matrix {
	if !a.drops {
		return a.rows[k]
	}
	dropped := a.work.dropped
	multiplyEntries(dropped.Data, a.rows[k].Data, a.masks[k].Data)
	return dropped
}

// part is that of a matrix of tokens that belongs to attention matrix k: to its sequence, and, of width
// columns for each, to its head.
func (a *attention) part(m matrix, k, width int) matrix {
	return columns(rowsOf(m, k/a.heads*a.tokens, a.tokens), k%a.heads*width, width)
}

// scale is what the inner products of queries and keys are multiplied by.
func (a *attention) scale() float64 { return a.work.scores / math.Sqrt(float64(a.keys)) }

// attended is how many tokens token t may attend to.
func (a *attention) attended(t int) int {
	if a.causal {
		return t + 1
	}
	return a.tokens
}

// weigh replaces the scores of tokens, or free weights, by attention weights, those of gain-controlled
// attention less the mean of weights of sum 1, which removes the mean of the values from the output.
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

// removed is what weigh subtracts from the weights of token t.
func (a *attention) removed(t int) float64 {
	if a.gainControl {
		return 1 / float64(a.attended(t))
	}
	return 0
}

// excess returns the mean over rows and heads of Σ_s (A_ts - 1/T)², and of the squared distance of the
// derivative diag(A_t) - A_t A_tᵀ from that of equal weights; of causal attention 1/T is the inverse of the
// number of tokens that t may attend to. With δ = A_t - 1/T, of sum 0, that distance is
// (1-2/T) Σδ² - 2Σδ³ + (Σδ²)².
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

// backwardHead finds the derivatives by values and by queries and keys of attention matrix k, from those
// by its output, or adds those by free attention to its gradient.
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

// scoresBackward finds the derivatives by queries, and what those by keys have from these tokens and earlier
// ones, from derivatives by the scores of tokens from first on.
func (a *attention) scoresBackward(k int, scores matrix, first int) {
	w, multiply := a.work, a.work.products.Multiply
	query, key := a.part(a.queries, k, a.keys), a.part(a.keysOfHeads, k, a.keys)
	byQuery, byKey := a.part(w.query, k, a.keys), a.part(w.key, k, a.keys)
	before := 1. // what is added to the derivatives by keys
	if first == 0 {
		before = 0
	}
	multiply(plain, plain, a.scale(), scores, key, 0, rowsOf(byQuery, first, scores.Rows))
	multiply(transposed, plain, a.scale(), scores, rowsOf(query, first, scores.Rows), before, byKey)
}

// weighBackward turns derivatives by the weights of token t to those by its scores, A(dA - Σ A dA); free
// weights are their own.
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
