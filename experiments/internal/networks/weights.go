package networks

import "antipode/sde/network"

// Weights is one of the weight matrices of a layer of a Transformer.
type Weights int8

// The weight matrices of attention (Query, Key, Value), and those of the MLP (Hidden, Output).
const (
	Query Weights = iota
	Key
	Value
	Hidden
	Output
)

var weightNames = []string{"query", "key", "value", "mlp-hidden", "mlp-output"}

// Labels returns the names of all weight matrices, in the order of the constants.
func (Weights) Labels() []string { return weightNames }

// String returns the name of the weight matrix.
func (w Weights) String() string { return weightNames[w] }

// AllWeights returns all weight matrices of a layer in order.
func AllWeights() []Weights { return []Weights{Query, Key, Value, Hidden, Output} }

// Of returns the squared norm of the gradient with respect to the weight matrix.
func (w Weights) Of(g network.Gradients) float64 {
	return [...]float64{g.Query, g.Key, g.Value, g.Hidden, g.Output}[w]
}
