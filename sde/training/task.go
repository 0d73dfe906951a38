package training

import (
	"antipode/sde/network"

	"gonum.org/v1/gonum/blas/blas64"
)

// Split is a part of the data of a task.
type Split int

// The splits of the data of a task are training examples and validation examples.
const (
	Train Split = iota
	Validation
)

// Loss is the quantity that training minimises.
type Loss int

// The losses are the cross-entropy, averaged over the tokens whose class is asked for, and half the squared
// error, averaged over all coordinates of all output tokens.
const (
	CrossEntropy Loss = iota
	MeanSquare
)

// Example is an input sequence with the targets of its tokens.
type Example struct {
	Sequence network.Sequence
	// Classes holds the correct class of each token, counted from 0, or NotAsked; Classes is nil if the loss
	// is MeanSquare.
	Classes []int
	// Values holds the target outputs, one row for each token; Values is empty if the loss is CrossEntropy.
	Values blas64.General
}

// NotAsked is the entry of Example.Classes for a token whose class is not asked for.
const NotAsked = -1

// Task describes what a network learns: its examples and its loss. A Task is safe for concurrent use.
type Task interface {
	// Fit returns the network n with the properties that the task determines: number of tokens, input,
	// embedding and outputs.
	Fit(n network.Network) network.Network
	// Loss returns the loss that the targets of the examples are made for.
	Loss() Loss
	// Examples returns the number of examples of a split, or 0 if their number is unlimited.
	Examples(split Split) int64
	// Example writes an example of a split, given its number, counted from 0. For the same number, Example
	// always writes the same example. Example allocates only slices that are missing in into.
	Example(split Split, index int64, into *Example)
	// Best returns the least mean loss, and the largest accuracy, that any predictor can have on new
	// examples; a result of Best is NaN if it is not known. If causal, the output of the predictor at a token
	// depends on this token and earlier tokens only, as that of a network with causal attention.
	Best(causal bool) (loss, accuracy float64)
}
