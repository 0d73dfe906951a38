// Package tasks contains learning tasks on synthetic and given data, each a training.Task.
//
//	task := tasks.Reverse{Digits: 4, Kinds: 3, Seed: 3}
//	var example training.Example
//	task.Example(training.Train, 0, &example) // the first training example
//
// Examples are functions of the seed, the split and their index; none is stored. If the law of the examples
// is known, the least loss and the largest accuracy of any predictor are computed, by exact sums or
// quadrature. The loss and the accuracy of a network can be compared with them. Data from files are passed in
// memory; this package reads no files.
package tasks
