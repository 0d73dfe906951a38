// Package network simulates whole Transformers of finite width at initialisation: random
// weights, a sequence of tokens that passes all layers, and the exact gradients of the
// backward pass. Nothing in it is theory.
//
// A Network is the law of such a Transformer: its blocks are those of Giorlandino and
// Goldt, "Two Failure Modes of Deep Transformers and How to Avoid Them" (Algorithms 1 to
// 3), or have no LayerNorm, as those of Noci et al., "Signal Propagation in Transformers".
// An Ensemble draws many networks, one goroutine for each, and returns for every network the
// norm and the overlaps of its tokens behind each layer (Layer), and squared norms of
// gradients with respect to each layer's weights (Gradients).
//
// What network k draws is a pure function of the seed, of the Network and of k: the same
// bits for any number of workers, and a deeper network continues a shallow one. As
// matrix products are gonum's, the last bits may differ between kinds of processors.
package network
