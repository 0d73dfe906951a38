package sde

import (
	"fmt"

	"antipode/internal/enum"
)

// Method is a way to simulate the trajectories of a cell: by all tokens, or by the overlap of two clusters.
type Method int8

const (
	// Tokens simulates the tokens of a trajectory themselves, as vectors.
	Tokens Method = iota
	// Chain simulates only the overlap Z of two tokens, or of two clusters of coincident tokens. If the law
	// of the value matrices is invariant under rotations, Z is a Markov chain, which Chain simulates with the
	// law that Z has in the recursion. The cost of the chain does not grow with the dimension or the number
	// of tokens. However small 1+Z and 1-Z are, both keep their relative precision. Observers and stop rules
	// see ln(1+Z) and ln(1-Z) instead of the tokens.
	Chain
)

// MethodNames are the names of the methods, in the order of the constants.
var MethodNames = []string{"tokens", "chain"}

// String returns the name of the method.
func (m Method) String() string { return enum.Name(MethodNames, m, "Method") }

// MarshalText returns the name of the method, or an error for a value that has no name.
func (m Method) MarshalText() ([]byte, error) { return enum.Marshal(MethodNames, m, "method") }

// UnmarshalText sets the method to that with the given name, one of MethodNames.
func (m *Method) UnmarshalText(text []byte) error {
	return enum.Unmarshal(MethodNames, m, "method", text)
}

// validateMethod returns an error for the method Chain if the overlap of the tokens is not a Markov chain.
func (c Cell) validateMethod() error {
	if err := enum.Check(MethodNames, c.Method, "method"); err != nil || c.Method == Tokens {
		return err
	}
	model := c.Model.recursion()
	if model == nil {
		return fmt.Errorf("method chain: is for recursions, not for model %v", c.Model)
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

// largestChainBeta returns the largest β that the method of the cell allows.
func (c Cell) largestChainBeta() float64 {
	if c.Method != Chain || c.Attention != Unnormalized {
		return largestBeta
	}
	return c.Model.recursion().largestChainBeta(c.Depth)
}

// masses returns the numbers of tokens of the two clusters in which the tokens start; both are 0 if the
// tokens start in more clusters.
func (c Cell) masses() (first, second int) {
	if opposite, ok := c.Start.(OppositeStart); ok {
		return opposite.First, opposite.Second
	}
	if c.Tokens == 2 {
		return 1, 1
	}
	return 0, 0
}
