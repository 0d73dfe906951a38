// Package network has whole Transformers of finite size with random weights: a sequence of tokens that
// passes all layers, and the exact gradients of the backward pass. Nothing in it is theory.
//
//	law := network.BERT(16) // tokens
//	law.Layers = 2
//	ensemble := network.Ensemble{Network: law, Networks: 2, Seed: 1}
//	layers, err := ensemble.Run(context.Background()) // of each network, from the input on
//
// A Network is the law of such a Transformer, its diagram and the variances of its weights. Its zero values
// are the blocks of Giorlandino and Goldt, "Two Failure Modes of Deep Transformers and How to Avoid Them"
// (Algorithms 1 to 3), or without LayerNorm those of Noci et al., "Signal Propagation in Transformers";
// package overlap/propagation has the theory of these. BERT, GPT2 and ViT are laws too,
// and so are the free attention matrices of Naderi, Saada and Tanner, "Mind the Gap" (Attention).
//
// A Transformer has weights: Parameters by name, which goroutines share and only read. In a Workspace one
// of them passes sequences through it (Forward), and adds up derivatives by all weights (Backward), without
// allocating.
//
// An Ensemble draws many networks and returns for every network norms and overlaps of its tokens after
// each layer (Layer), and squared norms of gradients by each layer's weights (Gradients). It holds the
// weights of one layer at a time; an Observer sees tokens and attention matrices.
//
// The diagram is a chain of layers, each with Forward and Backward: attention and mlp, each the branch of a
// residual connection, with norms where they stand (drafter.block).
//
// What network k draws is a pure function of the seed, of the Network and of k, a row of each matrix at an
// address of its own: a deeper network continues a shallow one, and an Ensemble has the same networks as
// New. Everything has the same bits on every machine and for any number of workers.
package network
