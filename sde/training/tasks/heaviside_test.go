package tasks

import (
	"math"
	"slices"
	"testing"

	"antipode/sde/training"
)

// Tokens are orthonormal and differ between examples, and values are their step functions.
func TestHeaviside(t *testing.T) {
	const tokens, dim = 5, 7
	h, err := NewHeaviside(tokens, dim, 3, 2, 9)
	if err != nil {
		t.Fatal(err)
	}
	if h.Examples(training.Train) != 3 || h.Examples(training.Validation) != 2 {
		t.Fatal("numbers of examples")
	}
	firsts := map[float64]bool{}
	var e training.Example
	for split, count := range []int64{3, 2} {
		for index := range count {
			h.Example(training.Split(split), index, &e)
			x, y := e.Sequence.Vectors, e.Values
			firsts[x.Data[0]] = true
			for i := range tokens {
				for j := range tokens {
					product := 0.0
					for k := range dim {
						product += x.Data[i*dim+k] * x.Data[j*dim+k]
					}
					if want := map[bool]float64{true: 1}[i == j]; !(math.Abs(product-want) <= 1e-14) {
						t.Errorf("tokens %d and %d: inner product %v", i, j, product)
					}
				}
			}
			for k, v := range x.Data {
				if (v > 0) != (y.Data[k] == 1) || (v <= 0) != (y.Data[k] == 0) {
					t.Errorf("value %v of %v", y.Data[k], v)
				}
			}
		}
	}
	if len(firsts) != 5 {
		t.Errorf("%d different examples of 5", len(firsts))
	}
	if n := testing.AllocsPerRun(10, func() { h.Example(training.Train, 1, &e) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestHeavisideRefuses(t *testing.T) {
	for want, sizes := range map[string][4]int{
		"tokens 8: must be from 2 to the dimension, 7, as they are orthonormal": {8, 7, 1, 1},
		"examples 3 and 0: must be at least 0 and 1":                            {5, 7, 3, 0},
		"examples 2000000 and 1: of 20 tokens of dimension 30 they have more than 268435456 numbers": {
			20, 30, 2000000, 1},
	} {
		_, err := NewHeaviside(sizes[0], sizes[1], int64(sizes[2]), int64(sizes[3]), 1)
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// If the number of examples is unlimited, every index is a new example, the same as in a task with a
// finite number of examples.
func TestEndlessHeaviside(t *testing.T) {
	endless, err := NewHeaviside(4, 6, 0, 2, 9)
	if err != nil {
		t.Fatal(err)
	}
	finite, err := NewHeaviside(4, 6, 3, 2, 9)
	if err != nil {
		t.Fatal(err)
	}
	if endless.Examples(training.Train) != 0 {
		t.Errorf("%d examples", endless.Examples(training.Train))
	}
	var a, b training.Example
	for _, split := range []training.Split{training.Train, training.Validation} {
		endless.Example(split, 1, &a)
		finite.Example(split, 1, &b)
		if !slices.Equal(a.Sequence.Vectors.Data, b.Sequence.Vectors.Data) {
			t.Errorf("split %v: other tokens", split)
		}
	}
	first := slices.Clone(a.Sequence.Vectors.Data)
	endless.Example(training.Train, 1_000_000, &a)
	if slices.Equal(a.Sequence.Vectors.Data, first) {
		t.Error("a later example is an earlier one")
	}
}
