package networks

import "antipode/sde/network"

// Weights is one of the matrices of a layer.
type Weights int8

// The matrices of attention, and of the MLP.
const (
	Query Weights = iota
	Key
	Value
	Hidden
	Output
)

var weightNames = []string{"query", "key", "value", "mlp-hidden", "mlp-output"}

// Labels are the names of all matrices, in the order of the constants.
func (Weights) Labels() []string { return weightNames }

// String is the name.
func (w Weights) String() string { return weightNames[w] }

// AllWeights are the matrices in their order.
func AllWeights() []Weights { return []Weights{Query, Key, Value, Hidden, Output} }

// Of is the squared norm of the gradient by the matrix.
func (w Weights) Of(g network.Gradients) float64 {
	return [...]float64{g.Query, g.Key, g.Value, g.Hidden, g.Output}[w]
}
