// Package selfattention has the inner loops of tokens whose interaction matrix B is the identity: the
// attention weights, the attention A_i of each token (the field), and recursion (4), for eight trajectories
// in the lanes of Vectors or for eight tokens of one trajectory. Like those of package kernels, these loops
// exist in several instruction sets, and give the same bits on every machine.
//
//	attention := selfattention.NewAttention(beta, n, true)
//	tokens := selfattention.NewTokens(n, d, scale, attention, true)
package selfattention
