package network

// block is one layer of the Transformer: attention and an MLP.
type block struct {
	chain
	attention *attention
	mlp       *mlp   // nil if the block has no MLP
	out       matrix // tokens after the block
}

// Forward implements layer.
func (b *block) Forward(x matrix) matrix {
	b.out = b.chain.Forward(x)
	return b.out
}

func (b *block) view() View { return View{Tokens: b.out, Attention: b.attention.rows} }
