package network

import (
	"math"

	"antipode/sphere/elementary"
)

// attention is what a layer of self-attention keeps of its forward pass.
type attention struct {
	query, key matrix   // Tokens × Heads·KeyDim
	value      matrix   // Tokens × Dim
	rows       []matrix // of each head the attention matrix, centred, Tokens × Tokens
}

func newAttention(n Network) attention {
	keys := n.Heads * n.keys()
	a := attention{query: newMatrix(n.Tokens, keys), key: newMatrix(n.Tokens, keys),
		value: newMatrix(n.Tokens, n.Dim)}
	for range n.Heads {
		a.rows = append(a.rows, newMatrix(n.Tokens, n.Tokens))
	}
	return a
}

// forward writes the outputs of all heads, next to each other.
func (a *attention) forward(n Network, w *weights, x, out matrix) {
	multiply(plain, transposed, 1, x, w.query, 0, a.query)
	multiply(plain, transposed, 1, x, w.key, 0, a.key)
	multiply(plain, transposed, 1, x, w.value, 0, a.value)
	keys, values := n.keys(), n.Dim/n.Heads
	for h, rows := range a.rows {
		if n.Uniform {
			clear(rows.Data)
		} else {
			multiply(plain, transposed, 1/math.Sqrt(float64(keys)), columns(a.query, h*keys, keys),
				columns(a.key, h*keys, keys), 0, rows)
		}
		n.softmax(rows)
		n.center(rows)
		multiply(plain, plain, 1, rows, columns(a.value, h*values, values), 0, columns(out, h*values, values))
	}
}

// attended is how many tokens token t may attend to.
func (n Network) attended(t int) int {
	if n.Causal {
		return t + 1
	}
	return n.Tokens
}

// softmax replaces scores by attention weights.
func (n Network) softmax(rows matrix) {
	for t := range n.Tokens {
		all := row(rows, t)
		scores := all[:n.attended(t)]
		clear(all[len(scores):])
		largest := math.Inf(-1)
		for _, s := range scores {
			largest = max(largest, s)
		}
		total := 0.0
		for k, s := range scores {
			scores[k] = elementary.Exp(s - largest)
			total += scores[k]
		}
		for k := range scores {
			scores[k] /= total
		}
	}
}

// center subtracts from weights of gain-controlled attention their mean over the tokens
// that each may attend to, which removes the mean of the values from the output.
func (n Network) center(rows matrix) {
	for t := range n.Tokens {
		mean := n.removed(t)
		attended := row(rows, t)[:n.attended(t)]
		for s := range attended {
			attended[s] -= mean
		}
	}
}

// removed is what center subtracts from the weights of token t.
func (n Network) removed(t int) float64 {
	if n.Kind.gainControlled() {
		return 1 / float64(n.attended(t))
	}
	return 0
}

// excess returns the mean over rows and heads of Σ_s (A_ts - 1/T)²; of causal attention 1/T is
// the inverse of the number of tokens that t may attend to.
func (a *attention) excess(n Network) float64 {
	sum := 0.0
	for _, rows := range a.rows {
		for t := range n.Tokens {
			attended := row(rows, t)[:n.attended(t)]
			mean := 1/float64(len(attended)) - n.removed(t)
			for _, weight := range attended {
				difference := weight - mean
				sum += float64(difference * difference)
			}
		}
	}
	return sum / float64(n.Tokens*n.Heads)
}

// attentionBack has the memory for the backward pass through a layer of attention.
type attentionBack struct {
	query, key, value matrix // derivatives with respect to the same of an attention
	rows              matrix // and of one head's attention matrix
}

func newAttentionBack(n Network) attentionBack {
	keys := n.Heads * n.keys()
	return attentionBack{newMatrix(n.Tokens, keys), newMatrix(n.Tokens, keys), newMatrix(n.Tokens, n.Dim),
		newMatrix(n.Tokens, n.Tokens)}
}

// derive finds the derivatives with respect to queries, keys and values, from those with
// respect to the outputs of attention.
func (b *attentionBack) derive(n Network, a *attention, out matrix) {
	keys, values := n.keys(), n.Dim/n.Heads
	for h, rows := range a.rows {
		head := columns(out, h*values, values)
		multiply(transposed, plain, 1, rows, head, 0, columns(b.value, h*values, values))
		multiply(plain, transposed, 1, head, columns(a.value, h*values, values), 0, b.rows)
		n.softmaxBack(b.rows, rows)
		scale := 1 / math.Sqrt(float64(keys))
		multiply(plain, plain, scale, b.rows, columns(a.key, h*keys, keys), 0, columns(b.query, h*keys, keys))
		multiply(transposed, plain, scale, b.rows, columns(a.query, h*keys, keys), 0, columns(b.key, h*keys, keys))
	}
}

// softmaxBack turns derivatives with respect to attention weights to those with respect to
// scores, in place: A(dA - Σ A dA).
func (n Network) softmaxBack(derivative, rows matrix) {
	for t := range n.Tokens {
		all, weights := row(derivative, t), row(rows, t)[:n.attended(t)]
		clear(all[len(weights):])
		mean, removed := 0.0, n.removed(t)
		for s, weight := range weights {
			mean += float64((weight + removed) * all[s])
		}
		for s, weight := range weights {
			all[s] = (weight + removed) * (all[s] - mean)
		}
	}
}

// input adds to dx the derivatives with respect to the tokens that attention sees.
func (b *attentionBack) input(w *weights, dx matrix) {
	multiply(plain, plain, 1, b.query, w.query, 1, dx)
	multiply(plain, plain, 1, b.key, w.key, 1, dx)
	multiply(plain, plain, 1, b.value, w.value, 1, dx)
}

// parameters writes the derivatives with respect to the weights of attention, to tokens x.
func (b *attentionBack) parameters(x matrix, g *weights) {
	multiply(transposed, plain, 1, b.query, x, 0, g.query)
	multiply(transposed, plain, 1, b.key, x, 0, g.key)
	multiply(transposed, plain, 1, b.value, x, 0, g.value)
}
