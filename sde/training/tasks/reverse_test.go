package tasks

import (
	"math"
	"slices"
	"testing"

	"antipode/sde/training"
	"antipode/sphere/must"
)

// The classes are the digits in reverse order, for sequences shorter and longer than the blocks of 64 random
// numbers, also in memory that held another sequence. All kinds of digits are equally frequent in each block,
// within 5 standard errors, and blocks, sequences, splits and seeds have different digits.
func TestReverse(t *testing.T) {
	const kinds, count = 3, 40
	var e training.Example
	for _, digits := range []int{2, 64, 65, 150} {
		task := Reverse{Digits: digits, Kinds: kinds, Seed: 3}
		seen := map[int][]float64{}
		for index := range int64(count) {
			task.Example(training.Train, index, &e)
			if len(e.Sequence.Words) != digits || len(e.Classes) != digits {
				t.Fatalf("%d words and %d classes, want %d", len(e.Sequence.Words), len(e.Classes), digits)
			}
			for k, digit := range e.Sequence.Words {
				if e.Classes[digits-1-k] != digit {
					t.Fatalf("%d digits: digit %d is %d, and its class %d", digits, k, digit,
						e.Classes[digits-1-k])
				}
				if seen[k/64] == nil {
					seen[k/64] = make([]float64, kinds)
				}
				seen[k/64][digit]++
			}
		}
		for block, counts := range seen {
			all := counts[0] + counts[1] + counts[2]
			for digit, n := range counts {
				if !(math.Abs(n-all/kinds) <= 5*math.Sqrt(all*2/9)) {
					t.Errorf("%d digits, block %d: %v of %v are %d", digits, block, n, all, digit)
				}
			}
		}
	}
	words := func(seed uint64, split training.Split, index int64) []int {
		var e training.Example
		Reverse{Digits: 128, Kinds: kinds, Seed: seed}.Example(split, index, &e)
		return e.Sequence.Words
	}
	first := words(3, training.Train, 0)
	for name, other := range map[string][]int{
		"block": append(slices.Clone(first[64:]), first[:64]...), "sequence": words(3, training.Train, 1),
		"split": words(3, training.Validation, 0), "seed": words(4, training.Train, 0),
	} {
		if slices.Equal(first[:64], other[:64]) {
			t.Errorf("another %s has the same digits", name)
		}
	}
}

// What is known about each task: the loss of a predictor that sees no example, and the loss and the accuracy
// of the best predictor if these are known without a computation.
func TestBestAndBlind(t *testing.T) {
	nan := math.NaN()
	shown := must.Get(NewPictureTask(pictures(3), pictures(4)))(t)
	for name, c := range map[string]struct {
		task                  training.Task
		blind, loss, accuracy float64
	}{
		"reverse":         {Reverse{Digits: 5, Kinds: 7}, math.Log(7), 0, 1},
		"first":           {First(Reverse{Digits: 5, Kinds: 6}, 2), math.Log(6), 0, 1},
		"heaviside":       {must.Get(NewHeaviside(3, 5, 0, 1, 9))(t), 0.125, 0, nan},
		"pictures":        {shown, math.Log(4), nan, nan},
		"text":            {must.Get(MaskedText(make([]byte, 80), 8, 1, 1))(t), 0, nan, nan},
		"visible texture": {must.Get(NewTextures(TextureLaw{2, 10, 0}, 0, 0, 1))(t), math.Log(2), 0, 1},
		"cut anew":        {Recut(shown, 16), math.Log(4), nan, nan},
		// One symbol between visible ones of a walk without memory.
		"walk of noise": {must.Get(MaskedLongWalk(LongWalk{6, 1, 1}, 3, 1, 1))(t), math.Log(6),
			math.Log(6), 1. / 6},
	} {
		loss, accuracy := c.task.Best(false)
		got := []float64{blindOf(c.task), loss, accuracy}
		for k, want := range []float64{c.blind, c.loss, c.accuracy} {
			if !(math.Abs(got[k]-want) <= 1e-9) && !(math.IsNaN(got[k]) && math.IsNaN(want)) {
				t.Errorf("%s, number %d: %v, want %v", name, k, got[k], want)
			}
		}
	}
	for digits, want := range map[int][2]float64{ // the last ⌈digits/2⌉ outputs can be known
		2: {math.Log(7) / 2, 4. / 7}, 5: {math.Log(7) * 2 / 5, 1 - 12./35},
	} {
		loss, accuracy := Reverse{Digits: digits, Kinds: 7}.Best(true)
		if !(math.Abs(loss-want[0]) <= 1e-15) || !(math.Abs(accuracy-want[1]) <= 1e-15) {
			t.Errorf("%d digits, causal: %v and %v, want %v", digits, loss, accuracy, want)
		}
	}
	scenes := must.Get(NewNeighbours(NeighbourLaw{5, 10}, 1))(t)
	if got := scenes.Blind(); !(math.Abs(got-math.Log(5)) <= 1e-15) {
		t.Errorf("blind %v of images of 5 classes", got)
	}
	if blind := blindOf(struct{ training.Task }{}); !math.IsNaN(blind) {
		t.Errorf("%v of a task that does not tell", blind)
	}
}
