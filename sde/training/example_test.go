package training_test

import (
	"fmt"
	"log"

	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
)

// A small network learns to reverse sequences.
func Example() {
	task := tasks.Reverse{Digits: 4, Kinds: 3, Seed: 3}
	law := task.Fit(network.Network{Layers: 1, Dim: 16, Heads: 2, AlphaSA: 1, AlphaMLP: 1,
		QueryKey2: 1, Value2: 1, Hidden2: 2, Output2: 1, Projection2: 1})
	trainer, err := training.NewTrainer(law, task, training.Method{
		Optimiser: training.Optimiser{Rule: training.Adam, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8},
		Schedule:  training.Schedule{Rate: 0.01}, Steps: 100, Batch: 16, Accumulate: 1, Bound: 100,
		Validation: 50,
	}, 1, 0) // seed, all processors
	if err != nil {
		log.Fatal(err)
	}
	for trainer.Step() < 100 {
		if err := trainer.Next(); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Printf("accuracy %.3f\n", trainer.Record().Accuracy)
	// Output: accuracy 0.910
}
