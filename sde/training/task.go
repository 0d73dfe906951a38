package training

import (
	"antipode/sde/network"

	"gonum.org/v1/gonum/blas/blas64"
)

// Split is a part of a task's data.
type Split int

// The parts: examples that are learned from, and others that tell how well.
const (
	Train Split = iota
	Validation
)

// Loss is what training makes small, a mean over what an example asks for.
type Loss int

// The losses: the cross-entropy of classes, of those tokens that an example asks for a class, and half of the
// mean square of differences, over all coordinates of all tokens.
const (
	CrossEntropy Loss = iota
	MeanSquare
)

// Example is a sequence and what is right about it.
type Example struct {
	Sequence network.Sequence
	// Classes are the right class of each token, from 0, or NotAsked; nil where the loss is MeanSquare.
	Classes []int
	// Values are the right outputs, a token a row; empty where the loss is CrossEntropy.
	Values blas64.General
}

// NotAsked stands in Example.Classes for a token whose class is not asked for.
const NotAsked = -1

// Task is what a network learns. Goroutines may share it.
type Task interface {
	// Fit returns the network with what the task decides about it: tokens, input, embedding and outputs.
	Fit(n network.Network) network.Network
	// Loss is the one that the task's examples are for.
	Loss() Loss
	// Examples is how many a split has, or 0 if every index is a new one.
	Examples(split Split) int64
	// Example writes one of a split, whose number is from 0. It is the same whenever it is asked for, and
	// allocates only what the example lacks.
	Example(split Split, index int64, into *Example)
	// Best is the least mean loss that any predictor can have on new examples, and the largest accuracy; NaN
	// where it is not known.
	Best() (loss, accuracy float64)
}
