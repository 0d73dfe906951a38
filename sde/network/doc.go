// Package network simulates complete Transformers of finite size with random weights: sequences of tokens
// pass through all layers, and the backward pass computes exact gradients. Package network contains no
// theory.
//
//	law := network.BERT(16) // 16 tokens
//	law.Layers = 2
//	ensemble := network.Ensemble{Network: law, Networks: 2, Seed: 1}
//	layers, err := ensemble.Run(context.Background()) // layers of each network
//
// A Network is the law of a Transformer with random weights: its architecture and the variances of its
// weights. If optional fields are zero, the blocks of a Network are those of Giorlandino and Goldt, "Two
// Failure Modes of Deep Transformers and How to Avoid Them" (Algorithms 1 to 3). Without LayerNorm, the
// blocks are those of Noci et al., "Signal Propagation in Transformers". Package overlap/propagation contains
// the theory of both papers. The functions BERT, GPT2 and ViT return the laws of these models. The type
// Attention includes the free attention matrices of Naderi, Saada and Tanner, "Mind the Gap".
//
// A Transformer holds weights: Parameters with names, which goroutines may read concurrently. A Workspace is
// working memory that belongs to one goroutine. A Workspace passes sequences through the network (Forward),
// and accumulates derivatives with respect to all weights (Backward), without allocating memory.
//
// An Ensemble samples many networks. For every network it returns norms and overlaps of the tokens after each
// layer (type Layer), and squared norms of gradients with respect to the weights of each layer (type
// Gradients). An Ensemble holds the weights of only one layer at a time. Ensemble.Observer also shows tokens
// and attention matrices.
//
// The architecture of a network is a chain of layers, each with the methods Forward and Backward. Attention
// and MLP are branches of residual connections; drafter.block adds the LayerNorms.
//
// The random numbers of network k are a pure function of the seed, of the Network and of k; each row of a
// matrix of weights has its own random numbers. So a deep network has the same first layers as a shallower
// network, and an Ensemble has the same networks as New. All results have the same bits on every machine and
// for any number of workers.
package network
