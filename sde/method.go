package sde

import (
	"fmt"
	"math"
)

// Method is a way to simulate the law of a cell.
type Method int8

const (
	// Tokens advances the tokens themselves.
	Tokens Method = iota
	// Chain advances the overlap Z of two tokens, or of two clusters of coincident
	// tokens, by itself: under a law that rotations leave as it is, Z is a Markov chain.
	// It has the law of the recursion, at a cost that does not grow with the dimension or
	// the number of tokens, and keeps the relative precision of 1+Z and of 1-Z however
	// small they are. What observers and stop rules see of it are the two numbers
	// ln(1+Z) and ln(1-Z) in place of the tokens.
	Chain
)

// MethodNames are the names of the methods, in the order of their values.
var MethodNames = []string{"tokens", "chain"}

// String returns the method's name.
func (m Method) String() string { return nameOf(MethodNames, int(m), "Method") }

// validateMethod refuses a chain where the overlap is none.
func (c Cell) validateMethod() error {
	switch {
	case c.Method == Tokens:
		return nil
	case c.Method != Chain:
		return fmt.Errorf("method %v: must be tokens or chain", c.Method)
	case c.limit() || c.Scheme != Euler:
		return fmt.Errorf("method chain: is for recursions, not for model %v by scheme %v", c.Model, c.Scheme)
	case c.Model == Transformer && c.Law != Gaussian:
		return fmt.Errorf("method chain: needs the gaussian law, not %v", c.Law)
	case c.Interaction != nil:
		return fmt.Errorf("method chain: needs the identity as interaction matrix")
	case c.Dim < 2:
		return fmt.Errorf("method chain: needs dimension at least 2, not %d", c.Dim)
	}
	if largest := c.largestChainBeta(); c.Beta > largest {
		return fmt.Errorf("method chain: beta %v: must be at most %.6g in unnormalized attention, or use the method tokens", c.Beta, largest)
	}
	if first, _ := c.masses(); first == 0 {
		return fmt.Errorf("method chain: needs 2 tokens or opposite clusters, not %d tokens, start %v", c.Tokens, c.Start)
	}
	return nil
}

// largestChainBeta is the largest β that the method allows. For a chain, a layer of unnormalised
// attention divides the square of the smaller of S and D by as much as (e^β σL^{-1/2})² times a
// χ² number of d degrees of freedom, and the chain gets back 2^256 = e^177 a layer.
func (c Cell) largestChainBeta() float64 {
	if c.Method != Chain || c.Attention != Unnormalized || c.Model != Transformer {
		return largestBeta
	}
	const logarithm = 80 // twice, and 17 for the χ² number
	return logarithm - math.Log(max(1, c.Sigma/math.Sqrt(float64(c.Depth))))
}

// masses are the numbers of tokens of the two clusters of the start, 0 if it has more.
func (c Cell) masses() (first, second int) {
	if opposite, ok := c.Start.(OppositeStart); ok {
		return opposite.First, opposite.Second
	}
	if c.Tokens == 2 {
		return 1, 1
	}
	return 0, 0
}
