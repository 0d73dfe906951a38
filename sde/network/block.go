package network

// block is what a layer keeps of its forward pass for the backward pass.
type block struct {
	attentionInput  matrix // tokens, normalised if pre-norm
	attention       attention
	middle          matrix // tokens behind attention's residual connection, normalised if post-norm
	mlpInput        matrix // middle, normalised if pre-norm
	mlp             mlp
	out             matrix    // tokens behind the layer
	attentionFactor []float64 // factors of the LayerNorm that gives attentionInput
	middleFactor    []float64 // of middle (post-norm) or mlpInput (pre-norm)
	outFactor       []float64
}

func newBlock(n Network) *block {
	tokens := func() matrix { return newMatrix(n.Tokens, n.Dim) }
	b := &block{
		attention: newAttention(n), mlp: newMLP(n), middle: tokens(), out: tokens(),
		attentionFactor: make([]float64, n.Tokens), middleFactor: make([]float64, n.Tokens),
		outFactor: make([]float64, n.Tokens),
	}
	b.mlpInput = b.middle
	if n.Kind.preNorm() {
		b.attentionInput, b.mlpInput = tokens(), tokens()
	}
	return b
}

// forward passes tokens x, which the block may keep, through the layer.
func (b *block) forward(n Network, w *weights, x matrix) {
	if n.Kind.preNorm() {
		normalize(b.attentionInput, x, b.attentionFactor)
	} else {
		b.attentionInput = x
	}
	b.attention.forward(n, w, b.attentionInput, b.middle)
	addMultiple(b.middle.Data, n.AlphaSA, x.Data)
	if n.Kind.postNorm() {
		normalize(b.middle, b.middle, b.middleFactor)
	}
	if n.Kind.preNorm() {
		normalize(b.mlpInput, b.middle, b.middleFactor)
	}
	b.mlp.forward(n, w, b.mlpInput, b.out)
	addMultiple(b.out.Data, n.AlphaMLP, b.middle.Data)
	if n.Kind.postNorm() {
		normalize(b.out, b.out, b.outFactor)
	}
}

// backwardPass is the memory for the backward pass through one layer.
type backwardPass struct {
	attention attentionBack
	hidden    matrix // derivatives with respect to W₁x + b₁
	tokens    matrix // and with respect to tokens
	spare     matrix
}

func newBackwardPass(n Network) *backwardPass {
	return &backwardPass{newAttentionBack(n), newMatrix(n.Tokens, n.Dim), newMatrix(n.Tokens, n.Dim),
		newMatrix(n.Tokens, n.Dim)}
}

// backward turns y.tokens, the derivatives with respect to the tokens behind the layer, to
// those with respect to the tokens before it, and writes those with respect to the weights.
func (b *block) backward(n Network, w, g *weights, y *backwardPass) {
	if n.Kind.postNorm() {
		normalizeBack(y.tokens, b.out, b.outFactor)
	}
	b.mlp.derive(n, w, y.tokens, y.hidden)
	b.mlp.parameters(b.mlpInput, y.tokens, y.hidden, g)
	multiply(plain, plain, 1, y.hidden, w.hidden, 0, y.spare)
	if n.Kind.preNorm() {
		normalizeBack(y.spare, b.mlpInput, b.middleFactor)
	}
	y.join(n.AlphaMLP)
	if n.Kind.postNorm() {
		normalizeBack(y.tokens, b.middle, b.middleFactor)
	}
	y.attention.derive(n, &b.attention, y.tokens)
	y.attention.parameters(b.attentionInput, g)
	clear(y.spare.Data)
	y.attention.input(w, y.spare)
	if n.Kind.preNorm() {
		normalizeBack(y.spare, b.attentionInput, b.attentionFactor)
	}
	y.join(n.AlphaSA)
}

// join adds the residual connection of strength alpha to what comes through the other branch.
func (y *backwardPass) join(alpha float64) {
	addMultiple(y.spare.Data, alpha, y.tokens.Data)
	y.tokens, y.spare = y.spare, y.tokens
}
