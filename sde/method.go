package sde

import (
	"fmt"

	"antipode/sde/internal/enum"
)

// Method is a way to simulate the law of a cell.
type Method int8

const (
	// Tokens simulates the tokens themselves.
	Tokens Method = iota
	// Chain simulates only the overlap Z of two tokens, or of two clusters of coincident tokens. Under a law
	// that is invariant under rotations, Z is a Markov chain. The chain has the law of the recursion. Its
	// cost does not grow with the dimension or the number of tokens. However small 1+Z and 1-Z are, both keep
	// their relative precision. Observers and stop rules see ln(1+Z) and ln(1-Z) instead of the tokens.
	Chain
)

// MethodNames are the names of the methods, in the order of their values.
var MethodNames = []string{"tokens", "chain"}

// String returns the method's name.
func (m Method) String() string { return enum.Name(MethodNames, m, "Method") }

// MarshalText returns the method's name, or an error if it has none.
func (m Method) MarshalText() ([]byte, error) { return enum.Marshal(MethodNames, m, "method") }

// UnmarshalText takes one of MethodNames.
func (m *Method) UnmarshalText(text []byte) error {
	return enum.Unmarshal(MethodNames, m, "method", text)
}

// validateMethod returns an error for the method Chain if the overlap is not a Markov chain.
func (c Cell) validateMethod() error {
	if err := enum.Check(MethodNames, c.Method, "method"); err != nil || c.Method == Tokens {
		return err
	}
	model := c.Model.recursion()
	if model == nil {
		return fmt.Errorf("method chain: is for recursions, not for model %v%s", c.Model, c.Model.address())
	}
	if err := model.validateChain(); err != nil {
		return err
	}
	switch {
	case c.Interaction != nil:
		return fmt.Errorf("method chain: needs the identity as interaction matrix")
	case c.Dim < 2:
		return fmt.Errorf("method chain: needs dimension at least 2, not %d", c.Dim)
	}
	if largest := c.largestChainBeta(); c.Beta > largest {
		return fmt.Errorf("method chain: beta %v: must be at most %.6g in unnormalized attention, "+
			"or use the method tokens", c.Beta, largest)
	}
	if first, _ := c.masses(); first == 0 {
		return fmt.Errorf("method chain: needs 2 tokens or opposite clusters, not %d tokens, start %v",
			c.Tokens, c.Start)
	}
	return nil
}

// largestChainBeta is the largest β that the method allows.
func (c Cell) largestChainBeta() float64 {
	if c.Method != Chain || c.Attention != Unnormalized {
		return largestBeta
	}
	return c.Model.recursion().largestChainBeta(c.Depth)
}

// masses returns the numbers of tokens of the two clusters of the start, 0 if it has more clusters.
func (c Cell) masses() (first, second int) {
	if opposite, ok := c.Start.(OppositeStart); ok {
		return opposite.First, opposite.Second
	}
	if c.Tokens == 2 {
		return 1, 1
	}
	return 0, 0
}
