package overlap

import (
	"strconv"
)

// An Attention is the rule by which the attention scores of a token become attention weights.
type Attention uint8

const (
	// Softmax divides the exponentials of the scores by their sum: A^S in the paper.
	Softmax Attention = iota
	// Unnormalized divides the exponentials of the scores by the number of tokens: A^U in the paper.
	Unnormalized
)

// String returns the name of an Attention, "softmax" or "unnormalized", and "Attention(n)" for any other
// value n.
func (a Attention) String() string {
	switch a {
	case Softmax:
		return "softmax"
	case Unnormalized:
		return "unnormalized"
	}
	return "Attention(" + strconv.Itoa(int(a)) + ")"
}
