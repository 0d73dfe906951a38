package training_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sde/training/tasks"
	"antipode/sphere/must"
)

// reversing returns a small network that learns to reverse digits.
func reversing() (network.Network, training.Task, training.Method) {
	n := network.Network{
		Dim: 12, Layers: 2, Heads: 2, Norm: network.PreNorm, AlphaSA: 1, AlphaMLP: 1, Width: 18,
		LayerNorm:  network.LayerNorm{Centred: true, Affine: true, Epsilon: 1e-5},
		Projection: true, Biases: true,
		QueryKey2: 1, Value2: 0.8, Projection2: 0.7, Hidden2: 0.9, Output2: 0.6, Bias2: 0.01,
		Activation: network.GELUTanh, FinalNorm: true,
	}
	m := training.Method{
		Optimiser: training.Optimiser{Rule: training.AdamW, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8,
			Decay: 0.02},
		Schedule: training.Schedule{Rate: 0.01, Warmup: 5, Decline: training.Cosine},
		Steps:    40, Batch: 7, Accumulate: 2, Clip: 1, Smoothing: 0.05, Strengths: training.AllStrengths,
		Bound: 100, Validation: 20, Dropout: network.Dropout{Embedding: 0.05, Attention: 0.1, Branch: 0.07},
	}
	return n, tasks.Reverse{Digits: 6, Kinds: 4, Seed: 3}, m
}

func trainer(t *testing.T, workers int) *training.Trainer {
	t.Helper()
	n, task, m := reversing()
	trainer := must.Get(training.NewTrainer(n, task, m, 5, workers))(t)
	return trainer
}

// take takes steps until the given number has been taken.
func take(t *testing.T, trainer *training.Trainer, steps int64) {
	t.Helper()
	for trainer.Step() < steps {
		must.Do(t, trainer.Next())
	}
}

// bits returns a record without NaN, as NaN does not equal itself.
func bits(r training.Record) (numbers []uint64) {
	numbers = []uint64{uint64(r.Step), math.Float64bits(r.Loss), math.Float64bits(r.ValidationLoss),
		math.Float64bits(r.Accuracy), math.Float64bits(r.Rate), math.Float64bits(r.GradientNorm)}
	for _, l := range r.Layers {
		for _, x := range append([]float64{l.Cosine, l.Entropy, l.StableRank}, l.Strengths[:]...) {
			if math.IsNaN(x) {
				x = -1
			}
			numbers = append(numbers, math.Float64bits(x))
		}
	}
	return numbers
}

// The bits of a run do not depend on the number of workers, which may exceed that of groups, on the
// number of records, or on interruptions.
func TestSameBits(t *testing.T) {
	want := trainer(t, 1)
	take(t, want, 40)
	first := trainer(t, 1)
	first.Record()
	if end := want.Record(); !(end.ValidationLoss < 0.9*first.Record().ValidationLoss) {
		t.Errorf("nothing is learned: %+v", end)
	}
	for _, workers := range []int{2, 3, 9} {
		got := trainer(t, workers)
		take(t, got, 13)
		got.Record()
		got.Record()
		again := trainer(t, workers+1)
		again.Record() // after which the gradient of the first step is known
		must.Do(t, again.Restore(got.State()))
		for _, run := range []*training.Trainer{got, again} {
			take(t, run, 40)
			if !reflect.DeepEqual(run.State(), want.State()) ||
				!reflect.DeepEqual(bits(run.Record()), bits(want.Record())) {
				t.Errorf("%d workers: other bits", workers)
			}
		}
	}
}

// In the first of two warm-up steps a network has half of its scores: the same bits as with half of its
// queries. After the warm-up it has the full scores.
func TestScoresOfTheWarmUp(t *testing.T) {
	record := func(warmup int64, factor float64) []uint64 {
		n := network.Network{Dim: 8, Heads: 2, Layers: 2, Norm: network.PreNorm, AlphaSA: 1, AlphaMLP: 1,
			LayerNorm: network.LayerNorm{Centred: true, Epsilon: 1e-5},
			QueryKey2: 4, Value2: 1, Hidden2: 1, Output2: 1}
		m := training.Method{Optimiser: training.Optimiser{Rule: training.SGD, Epsilon: 1e-8},
			Schedule: training.Schedule{Rate: 0.1}, Steps: 4, Batch: 4, Accumulate: 1, Bound: 1e6,
			Validation: 5, ScoreWarmup: warmup}
		trainer, err := training.NewTrainer(n, tasks.Reverse{Digits: 6, Kinds: 4, Seed: 1}, m, 1, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range trainer.Transformer().Parameters {
			if strings.Contains(p.Name, "attention.query.") {
				for k := range p.Value {
					p.Value[k] *= factor
				}
			}
		}
		r := trainer.Record()
		r.GradientNorm = 0 // with respect to other weights
		return bits(r)
	}
	all, first, half := record(1, 1), record(2, 1), record(0, 0.5)
	if !reflect.DeepEqual(first, half) || !reflect.DeepEqual(all, record(0, 1)) ||
		reflect.DeepEqual(all, half) {
		t.Errorf("all %x, in the warm-up %x, half %x", all, first, half)
	}
}
