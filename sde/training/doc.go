// Package training is how a network learns: losses, optimisers, the order of data, and what can be seen of a
// network on its way. Nothing in it is theory, and what is learned is a Task; package tasks has some.
//
//	task := tasks.Reverse{Digits: 4, Kinds: 3, Seed: 3}
//	law := task.Fit(network.Network{Layers: 1, Dim: 16, Heads: 2, AlphaSA: 1, AlphaMLP: 1,
//		QueryKey2: 1, Value2: 1, Hidden2: 2, Output2: 1, Projection2: 1})
//	trainer, err := training.NewTrainer(law, task, training.Method{
//		Optimiser: training.Optimiser{Rule: training.Adam, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8},
//		Schedule:  training.Schedule{Rate: 0.01}, Steps: 100, Batch: 16, Accumulate: 1, Bound: 100,
//		Validation: 50,
//	}, 1, 0) // seed, all processors
//	if err != nil {
//		return err
//	}
//	for trainer.Step() < 100 {
//		if err := trainer.Next(); err != nil {
//			return err
//		}
//	}
//
// A Trainer takes a Transformer of package network from its random weights on, by a Method: a step is the
// gradient of a batch, and what an optimiser makes of it. All of a Trainer's future is a function of its
// State and of what it was made of. The sequences of a batch pass through the network in groups, on all
// goroutines; the groups depend on the batch alone, and their gradients are added up in order, so the bits
// depend neither on the machine nor on the number of workers.
package training
