// Package network simulates complete Transformers of finite size with random weights: sequences of tokens
// pass through all layers, and the backward pass computes exact gradients. It contains no theory.
//
//	law := network.BERT(16) // 16 tokens
//	law.Layers = 2
//	ensemble := network.Ensemble{Network: law, Networks: 2, Seed: 1}
//	layers, err := ensemble.Run(context.Background()) // layers of each network
//
// A Network is the law of such a Transformer: its architecture and the variances of its weights. With zero
// values in other fields, its blocks are those of Giorlandino and Goldt, "Two Failure Modes of Deep
// Transformers and How to Avoid Them" (Algorithms 1 to 3). Without LayerNorm they are those of Noci et al.,
// "Signal Propagation in Transformers". Package overlap/propagation contains the theory of both. BERT, GPT2
// and ViT return further laws. Attention includes the free attention matrices of Naderi, Saada and Tanner,
// "Mind the Gap".
//
// A Transformer has weights: Parameters with names, which goroutines may read concurrently. A Workspace
// belongs to one goroutine. It passes sequences through the network (Forward), and accumulates derivatives
// with respect to all weights (Backward), without allocating memory.
//
// An Ensemble draws many networks. For every network it returns norms and overlaps of the tokens after
// each layer (Layer), and squared norms of gradients with respect to each layer's weights (Gradients). It
// holds the weights of one layer at a time. An Observer receives tokens and attention matrices.
//
// The architecture is a chain of layers, each with the methods Forward and Backward. Attention and MLP are
// branches of residual connections; drafter.block adds the LayerNorms.
//
// The random numbers of network k are a pure function of the seed, of the Network and of k; each row of a
// matrix has its own address. So the first layers of a deep network are those of a shallower one, and the
// networks of an Ensemble are those of New. All results have the same bits on every machine and for any
// number of workers.
package network
