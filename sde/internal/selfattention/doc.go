// Package selfattention has the inner loops of tokens with B = I: the weights of their attention, its field,
// and recursion (4), for eight trajectories in lanes or eight tokens of one. As those of package kernels,
// they come in several instruction sets, of which that in use there is taken, and give the same bits on every
// machine.
//
//	attention := selfattention.NewAttention(beta, n, true)
//	tokens := selfattention.NewTokens(n, d, scale, attention, true)
package selfattention
