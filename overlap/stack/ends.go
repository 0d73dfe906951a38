package stack

import "fmt"

// Cosines are mean cosines of different tokens of a sequence: of all, of the first and of the last.
type Cosines struct{ All, First, Last float64 }

// Cosines returns those of the input and after every layer, with so many first and last tokens, from 2 to all.
// It is an error if there are not so many, or if the tokens become 0 or overflow.
func (k *Stack) Cosines(ends int) (cosines []Cosines, err error) {
	tokens := k.shape.Tokens
	if ends < 2 || ends > tokens {
		return nil, fmt.Errorf("stack: %d first and last tokens are not allowed: there must be from 2 to %d",
			ends, tokens)
	}
	first := k.groups.between(0, float64(ends))
	last := k.groups.between(float64(tokens-ends), float64(tokens))
	err = k.follow(func(_ int, _ [2]branch, x gram) (goOn bool) {
		inner := x.normalised().inner
		cosines = append(cosines,
			Cosines{k.groups.mean(inner), meanOver(first, inner), meanOver(last, inner)})
		return true
	})
	return cosines, err
}
