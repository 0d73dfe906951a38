// Package tasks has what networks learn: sequences of which a part is right to tell, each a training.Task.
//
//	task := tasks.Reverse{Digits: 4, Kinds: 3, Seed: 3}
//	var example training.Example
//	task.Example(training.Train, 0, &example) // of the training, the first
//
// Examples are functions of the seed, the split and their index; none is stored. Where the law of the
// examples is written here, the least loss and the largest accuracy of any predictor are computed, by exact
// sums or quadrature, so that what a network has learned is a number. Data of a file are handed over in
// memory: nothing here reads files.
package tasks
