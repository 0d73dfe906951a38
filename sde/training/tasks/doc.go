// Package tasks contains learning tasks for networks, on synthetic and given data. Each task is a
// training.Task.
//
//	task := tasks.Reverse{Digits: 4, Kinds: 3, Seed: 3}
//	var example training.Example
//	task.Example(training.Train, 0, &example) // the first training example
//
// Synthetic examples are functions of the seed, the split and their index, and are not stored. If the law of
// the examples is known, the least loss and the largest accuracy that any predictor can have are computed, by
// exact sums or quadrature, for comparison with the loss and the accuracy of a network. Package tasks reads
// no files; it receives data from files in memory.
package tasks
