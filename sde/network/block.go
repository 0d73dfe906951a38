package network

// block is what a layer keeps of its way forward, as far as the way back needs it.
type block struct {
	seen       matrix // tokens as attention sees them
	attention  attention
	middle     matrix // tokens behind attention's residual connection; of post-norm normalised
	judged     matrix // tokens as the MLP sees them
	mlp        mlp
	out        matrix    // tokens behind the layer
	seenFactor []float64 // of the LayerNorm that gives seen, and so on
	midFactor  []float64 // of middle (post-norm) or judged (pre-norm)
	outFactor  []float64
}

func newBlock(n Network) *block {
	tokens := func() matrix { return newMatrix(n.Tokens, n.Dim) }
	b := &block{
		attention: newAttention(n), mlp: newMLP(n), middle: tokens(), out: tokens(),
		seenFactor: make([]float64, n.Tokens), midFactor: make([]float64, n.Tokens),
		outFactor: make([]float64, n.Tokens),
	}
	b.judged = b.middle
	if n.Kind.preNorm() {
		b.seen, b.judged = tokens(), tokens()
	}
	return b
}

// forward passes tokens x, which the block may keep, through the layer.
func (b *block) forward(n Network, w *weights, x matrix) {
	if n.Kind.preNorm() {
		normalize(b.seen, x, b.seenFactor)
	} else {
		b.seen = x
	}
	b.attention.forward(n, w, b.seen, b.middle)
	addMultiple(b.middle.Data, n.AlphaSA, x.Data)
	if n.Kind.postNorm() {
		normalize(b.middle, b.middle, b.midFactor)
	}
	if n.Kind.preNorm() {
		normalize(b.judged, b.middle, b.midFactor)
	}
	b.mlp.forward(n, w, b.judged, b.out)
	addMultiple(b.out.Data, n.AlphaMLP, b.middle.Data)
	if n.Kind.postNorm() {
		normalize(b.out, b.out, b.outFactor)
	}
}

// way is the memory for the way back through one layer.
type way struct {
	attention attentionBack
	hidden    matrix // derivatives with respect to W₁x + b₁
	tokens    matrix // and with respect to tokens
	spare     matrix
}

func newWay(n Network) *way {
	return &way{newAttentionBack(n), newMatrix(n.Tokens, n.Dim), newMatrix(n.Tokens, n.Dim),
		newMatrix(n.Tokens, n.Dim)}
}

// backward turns y.tokens, the derivatives with respect to the tokens behind the layer, to
// those with respect to the tokens before it, and writes those with respect to the weights.
func (b *block) backward(n Network, w, g *weights, y *way) {
	if n.Kind.postNorm() {
		normalizeBack(y.tokens, b.out, b.outFactor)
	}
	b.mlp.derive(n, w, y.tokens, y.hidden)
	b.mlp.parameters(b.judged, y.tokens, y.hidden, g)
	multiply(plain, plain, 1, y.hidden, w.hidden, 0, y.spare)
	if n.Kind.preNorm() {
		normalizeBack(y.spare, b.judged, b.midFactor)
	}
	y.join(n.AlphaMLP)
	if n.Kind.postNorm() {
		normalizeBack(y.tokens, b.middle, b.midFactor)
	}
	y.attention.derive(n, &b.attention, y.tokens)
	y.attention.parameters(b.seen, g)
	clear(y.spare.Data)
	y.attention.input(w, y.spare)
	if n.Kind.preNorm() {
		normalizeBack(y.spare, b.seen, b.seenFactor)
	}
	y.join(n.AlphaSA)
}

// join adds the residual connection of strength alpha to what comes through the other branch.
func (y *way) join(alpha float64) {
	addMultiple(y.spare.Data, alpha, y.tokens.Data)
	y.tokens, y.spare = y.spare, y.tokens
}
