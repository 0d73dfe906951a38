// Package training trains networks: it has losses, optimisers, the order of examples, and measurements of the
// network during training, but no theory. A Task describes what the network learns; package tasks contains
// several tasks.
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
// A Trainer trains a Transformer of package network from its random initial weights, by a Method: each step
// of training computes the gradient of one or several batches, and an optimiser updates the weights. The
// future of a Trainer is determined by its State and the arguments of NewTrainer. The sequences of a batch
// pass through the network in groups, which are distributed over all goroutines. The division into groups
// depends only on the batch, and the gradients of groups are added in order. So the bits of the trained
// weights depend neither on the machine nor on the number of workers.
package training
