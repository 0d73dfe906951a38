package networks

import "antipode/sde/network"

// Weights is one of the weight matrices of a layer.
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

// Labels returns the names of all matrices, in the order of the constants.
func (Weights) Labels() []string { return weightNames }

// String returns the name.
func (w Weights) String() string { return weightNames[w] }

// AllWeights returns all matrices in order.
func AllWeights() []Weights { return []Weights{Query, Key, Value, Hidden, Output} }

// Of returns the squared norm of the gradient with respect to the matrix.
func (w Weights) Of(g network.Gradients) float64 {
	return [...]float64{g.Query, g.Key, g.Value, g.Hidden, g.Output}[w]
}
