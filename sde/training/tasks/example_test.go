package tasks_test

import (
	"fmt"

	"antipode/sde/training"
	"antipode/sde/training/tasks"
)

// A sequence that is to be reversed.
func Example() {
	task := tasks.Reverse{Digits: 4, Kinds: 3, Seed: 3}
	var example training.Example
	task.Example(training.Train, 0, &example) // the first training example
	fmt.Println(example.Sequence.Words)
	// Output: [2 0 2 1]
}
