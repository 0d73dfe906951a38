package stack

import "fmt"

// Cosines are mean cosines of different tokens of a sequence: among all tokens, among some first tokens, and
// among some last tokens of the sequence.
type Cosines struct{ All, First, Last float64 }

// Cosines returns the mean cosines of tokens at the input and after every layer. The argument ends is the
// number of first tokens and of last tokens. Cosines returns an error if ends is below 2 or above the number
// of tokens, or if the norm of a token becomes 0 or overflows.
func (k *Stack) Cosines(ends int) (cosines []Cosines, err error) {
	tokens := k.architecture.Tokens
	if ends < 2 || ends > tokens {
		return nil, fmt.Errorf("stack: %d first and last tokens are not allowed: there must be from 2 to %d",
			ends, tokens)
	}
	first := k.groups.countBetween(0, float64(ends))
	last := k.groups.countBetween(float64(tokens-ends), float64(tokens))
	err = k.forEachLayer(func(_ int, _ [2]branch, x gram) (goOn bool) {
		inner := x.normalised().inner
		cosines = append(cosines,
			Cosines{k.groups.mean(inner), meanOver(first, inner), meanOver(last, inner)})
		return true
	})
	return cosines, err
}
