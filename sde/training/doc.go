// Package training is how a network learns: losses, optimisers, the order of data, and what can be seen of a
// network on its way. Nothing in it is theory, and what is learned is a Task; package tasks has some.
//
// A Trainer takes a Transformer of package network from its random weights on, by a Method: a step is the
// gradient of a batch, and what an optimiser makes of it. All of a Trainer's future is a function of its State
// and of what it was made of. The sequences of a batch pass through the network in groups, on all goroutines;
// the groups depend on the batch alone, and their gradients are added up in order, so the bits depend neither
// on the machine nor on the number of workers.
package training
