package training

import (
	"antipode/sde/network"

	"gonum.org/v1/gonum/blas/blas64"
)

// Split is a part of a task's data.
type Split int

// The splits: training examples, and validation examples.
const (
	Train Split = iota
	Validation
)

// Loss is the quantity that training minimises.
type Loss int

// The losses: the cross-entropy, averaged over the tokens whose class is asked for, and half the mean
// squared error, averaged over all coordinates of all tokens.
const (
	CrossEntropy Loss = iota
	MeanSquare
)

// Example is an input sequence with its targets.
type Example struct {
	Sequence network.Sequence
	// Classes holds the correct class of each token, counted from 0, or NotAsked; nil if the loss is
	// MeanSquare.
	Classes []int
	// Values holds the target outputs, one row for each token; empty if the loss is CrossEntropy.
	Values blas64.General
}

// NotAsked is the entry of Example.Classes for a token whose class is not asked for.
const NotAsked = -1

// Task is what a network learns. It is safe for concurrent use.
type Task interface {
	// Fit returns n with the properties that the task determines: tokens, input, embedding and outputs.
	Fit(n network.Network) network.Network
	// Loss returns the loss for which the examples are made.
	Loss() Loss
	// Examples returns the number of examples of a split, or 0 if it is unlimited.
	Examples(split Split) int64
	// Example writes an example of a split, given its number, counted from 0. It always writes the same
	// example for the same number, and allocates only slices that into lacks.
	Example(split Split, index int64, into *Example)
	// Best returns the least mean loss, and the largest accuracy, that any predictor can have on new
	// examples; NaN if not known.
	Best() (loss, accuracy float64)
}
