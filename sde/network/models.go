package network

// deviation is the standard deviation of the weights of BERT, GPT-2 and ViT at initialisation.
const deviation = 0.02

// encoder returns the properties that BERT, GPT-2 and ViT share in their base size: 12 layers of 12
// heads, d = 768, an MLP of width 3072, normal weights of standard deviation 0.02, biases 0 and gains 1.
func encoder(tokens int) Network {
	const dim, width = 768, 3072
	return Network{
		Tokens: tokens, Dim: dim, Layers: 12, Heads: 12, Width: width, Activation: GELU,
		Projection: true, Biases: true, AlphaSA: 1, AlphaMLP: 1,
		LayerNorm: LayerNorm{Centred: true, Affine: true, Epsilon: 1e-12},
		QueryKey2: deviation * deviation * dim, Value2: deviation * deviation * dim,
		Projection2: deviation * deviation * dim, Hidden2: deviation * deviation * dim,
		Output2: deviation * deviation * width,
		Input:   Embedded, Embedding: Embedding{Variance: deviation * deviation},
	}
}

// BERT returns the law of BERT-base (Devlin et al. 2019) at initialisation, for sequences of the given number
// of tokens, without dropout. BERT has post-norm blocks, embeddings of words, positions and types, and
// LayerNorm after the embedding.
func BERT(tokens int) Network {
	n := encoder(tokens)
	n.Norm = PostNorm
	n.Embedding.Vocabulary, n.Embedding.Positions, n.Embedding.Types = 30522, LearnedPositions, 2
	n.Embedding.Norm = true
	return n
}

// GPT2 returns the law of the small GPT-2 (Radford et al. 2019) at initialisation, for sequences of the given
// number of tokens, without dropout. GPT-2 has pre-norm blocks, causal attention, and GELU in its tanh
// approximation. The weights of the last map of each branch are divided by the square root of the number of
// branches of the network.
func GPT2(tokens int) Network {
	n := encoder(tokens)
	n.Norm, n.Causal, n.Activation, n.FinalNorm = PreNorm, true, GELUTanh, true
	n.LayerNorm.Epsilon = 1e-5
	branches := float64(2 * n.Layers)
	n.Projection2 /= branches
	n.Output2 /= branches
	n.Embedding.Vocabulary, n.Embedding.Positions = 50257, LearnedPositions
	return n
}

// ViT returns the law of ViT-base (Dosovitskiy et al. 2021) at initialisation, for sequences of the given
// number of tokens, without dropout. ViT has pre-norm blocks, a linear map of patches of 16×16 pixels in
// three colours, a class token at the first position, and embeddings of positions.
func ViT(tokens int) Network {
	n := encoder(tokens)
	n.Norm, n.FinalNorm = PreNorm, true
	n.Embedding.Features, n.Embedding.Class, n.Embedding.Positions = 16*16*3, true, LearnedPositions
	return n
}
