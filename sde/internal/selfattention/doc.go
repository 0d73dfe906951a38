// Package selfattention has the inner loops of tokens with B = I: the weights of their attention, its field,
// and recursion (4), for eight trajectories in lanes or for eight tokens of one trajectory. Like those of
// package kernels they exist in several instruction sets, and give the same bits on every machine.
//
//	attention := selfattention.NewAttention(beta, n, true)
//	tokens := selfattention.NewTokens(n, d, scale, attention, true)
package selfattention
