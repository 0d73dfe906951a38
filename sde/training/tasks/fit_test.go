package tasks

import (
	"testing"

	"antipode/sde/network"
	"antipode/sde/training"
	"antipode/sphere/must"
)

// allTasks returns a task of each kind.
func allTasks(t *testing.T) map[string]training.Task {
	walk := must.Get(Walk(7, []int{-1, 1}, 0.05))(t)
	return map[string]training.Task{
		"reverse":     Reverse{Digits: 5, Kinds: 7, Seed: 3},
		"heaviside":   must.Get(NewHeaviside(5, 6, 3, 2, 9))(t),
		"chain":       must.Get(MaskedChain(walk, 12, 2, 5))(t),
		"long walk":   must.Get(MaskedLongWalk(LongWalk{5, 3, 0.1}, 19, 2, 8))(t),
		"text":        must.Get(MaskedText(make([]byte, 400), 11, 3, 2))(t),
		"textures":    must.Get(NewTextures(TextureLaw{3, 2, 0}, 9, 4, 1))(t),
		"places":      must.Get(NewPlaces(PlaceLaw{4, 3}, 5))(t),
		"neighbours":  must.Get(NewNeighbours(NeighbourLaw{5, 3}, 5))(t),
		"pictures":    must.Get(NewPictureTask(pictures(3), pictures(5)))(t),
		"recut":       Recut(must.Get(NewPlaces(PlaceLaw{3, 3}, 5))(t), 4),
		"first":       First(Reverse{Digits: 4, Kinds: 3}, 2),
		"first recut": First(Recut(must.Get(NewPlaces(PlaceLaw{2, 3}, 5))(t), 16), 2),
	}
}

// The network that a task fits is valid and reads the task's examples: it has as many tokens, words, features
// and classes as they have. What it was for another task does not matter.
func TestFittedNetworksReadTheExamples(t *testing.T) {
	for name, task := range allTasks(t) {
		bare := network.Network{Dim: 6, Layers: 1, Heads: 1}
		other := bare
		other.Tokens, other.Input, other.Outputs, other.Q, other.P = 4, network.Embedded, 3, 0.9, 0.4
		other.Embedding = network.Embedding{Vocabulary: 2, Features: 5, Class: true, Types: 2, Norm: true,
			Positions: network.LearnedPositions, Variance: 3}
		n := task.Fit(bare)
		if task.Fit(other) != n {
			t.Errorf("%s: a bare network becomes %+v, and one of another task %+v", name, n, task.Fit(other))
		}
		must.Do(t, n.Validate())
		if (n.Outputs == 0) != (task.Loss() == training.MeanSquare) {
			t.Errorf("%s: %d classes for loss %v", name, n.Outputs, task.Loss())
		}
		var e training.Example
		task.Example(training.Validation, 1, &e)
		v, rows, columns := e.Sequence.Vectors, n.Tokens, n.Dim
		if n.Input == network.Embedded {
			columns = n.Embedding.Features
		}
		if n.Embedding.Class {
			rows--
		}
		switch {
		case columns > 0 && (v.Rows != rows || v.Cols != columns):
			t.Errorf("%s: %d×%d for %d×%d numbers", name, v.Rows, v.Cols, rows, columns)
		case columns == 0 && len(e.Sequence.Words) != rows:
			t.Errorf("%s: %d words for %d tokens", name, len(e.Sequence.Words), rows)
		case n.Outputs == 0 && (e.Values.Rows != n.Tokens || e.Values.Cols != n.Dim):
			t.Errorf("%s: %d×%d values for %d×%d", name, e.Values.Rows, e.Values.Cols, n.Tokens, n.Dim)
		case n.Outputs > 0 && len(e.Classes) != n.Tokens:
			t.Errorf("%s: %d classes for %d tokens", name, len(e.Classes), n.Tokens)
		}
		for _, word := range e.Sequence.Words {
			if word < 0 || word >= n.Embedding.Vocabulary {
				t.Errorf("%s: word %d of %d", name, word, n.Embedding.Vocabulary)
			}
		}
		for _, class := range e.Classes {
			if class < training.NotAsked || class >= n.Outputs {
				t.Errorf("%s: class %d of %d", name, class, n.Outputs)
			}
		}
	}
}
