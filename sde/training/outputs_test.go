package training_test

import (
	"math"
	"testing"

	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
	"antipode/sphere/must"
)

// stepping is a network without logits that ends with a LayerNorm without gains, so that its outputs are
// the tokens themselves.
func stepping(t *testing.T) *training.Trainer {
	t.Helper()
	n := network.Network{
		Layers: 2, Heads: 1, Norm: network.PostNorm, AlphaSA: 0.7, AttentionOnly: true,
		QueryKey2: 4, Value2: 2,
	}
	task := must.Get(tasks.NewHeaviside(3, 5, 4, 4, 2))(t)
	trainer := must.Get(training.NewTrainer(n, task, training.Method{
		Optimiser: training.Optimiser{Rule: training.SGD, Epsilon: 1}, Schedule: training.Schedule{Rate: 1},
		Steps: 1, Batch: 4, Accumulate: 1, Bound: 100, Validation: 4,
	}, 3, 2))(t)
	return trainer
}

// The tokens after the last layer are not modified, and the gradient agrees with central differences.
func TestOutputsThatAreTokens(t *testing.T) {
	trainer := stepping(t)
	record := trainer.Record()
	if last := record.Layers[2]; math.IsNaN(last.Cosine) || !(last.StableRank >= 1) {
		t.Errorf("after the last layer: %+v", last)
	}
	before := trainer.State().Weights
	if err := trainer.Next(); err != nil { // by minus the gradient
		t.Fatal(err)
	}
	after := trainer.State().Weights
	const h = 1e-5
	for k := 0; k < len(before); k += 7 {
		var losses [2]float64
		for side, sign := range []float64{1, -1} {
			moved := append([]float64(nil), before...)
			moved[k] += sign * h
			other := stepping(t)
			must.Do(t, other.Restore(training.State{Weights: moved}))
			losses[side] = other.Record().Loss
		}
		want := (losses[0] - losses[1]) / (2 * h)
		if got := before[k] - after[k]; before[k] != after[k] && !(math.Abs(got-want) <= 1e-8) {
			t.Errorf("weight %d: gradient %v, differences %v", k, got, want)
		}
	}
}
