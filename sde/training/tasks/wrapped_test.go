package tasks

import (
	"math"
	"testing"

	"antipode/sde/network"
	"antipode/sde/training"
)

// Patches of another size contain the values of the same pixels, up to the scale, and every pixel is in
// exactly one patch.
func TestRecut(t *testing.T) {
	task, err := NewPlaces(PlaceLaw{4, 3}, 5)
	if err != nil {
		t.Fatal(err)
	}
	var whole training.Example
	task.Example(training.Train, 7, &whole)
	if Recut(task, PatchSide) != training.Task(task) {
		t.Error("patches of the same side are cut anew")
	}
	for _, c := range []struct{ side, patches, features int }{{2, 256, 12}, {4, 64, 48}, {16, 4, 768}} {
		cut := Recut(task, c.side)
		var e training.Example
		for range 2 { // the second example reuses the memory of the first
			cut.Example(training.Train, 7, &e)
		}
		n := cut.Fit(network.Network{})
		v := e.Sequence.Vectors
		if v.Rows != c.patches || v.Cols != c.features || n.Tokens != c.patches+1 ||
			n.Embedding.Features != c.features || len(e.Classes) != n.Tokens ||
			e.Classes[0] != whole.Classes[0] || e.Classes[1] != training.NotAsked {
			t.Errorf("side %d: %d × %d, %d tokens, %d classes", c.side, v.Rows, v.Cols, n.Tokens,
				len(e.Classes))
		}
		// The pixel of colour 2 in line 21 and column 13, computed by hand.
		patch := 21/c.side*(32/c.side) + 13/c.side
		at := patch*c.features + 2*c.side*c.side + 21%c.side*c.side + 13%c.side
		got := v.Data[at] * math.Sqrt(float64(c.features))
		want := whole.Sequence.Vectors.Data[(2*4+1)*192+2*64+5*8+5] * math.Sqrt(192)
		if !(math.Abs(got-want) <= 1e-14) {
			t.Errorf("side %d: %v, want %v", c.side, got, want)
		}
		squares, sum := inner(v.Data, v.Data)*float64(c.features), whole.Sequence.Vectors.Data
		if want := inner(sum, sum) * 192; !(math.Abs(squares/want-1) <= 1e-13) {
			t.Errorf("side %d: squares %v, want %v", c.side, squares, want)
		}
		if blindOf(cut) != task.Blind() {
			t.Errorf("side %d: blind %v", c.side, blindOf(cut))
		}
	}
}

// The training examples are the first ones of the task; validation examples are not restricted.
func TestFirst(t *testing.T) {
	task := First(Reverse{Digits: 5, Kinds: 7, Seed: 3}, 12)
	if task.Examples(training.Train) != 12 || task.Examples(training.Validation) != 0 {
		t.Errorf("%d and %d examples", task.Examples(training.Train), task.Examples(training.Validation))
	}
	if got := blindOf(task); !(math.Abs(got-math.Log(7)) <= 1e-15) {
		t.Errorf("blind %v", got)
	}
	textures, err := NewTextures(TextureLaw{3, 2, 0}, 9, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := First(textures, 20).Examples(training.Train); n != 9 {
		t.Errorf("the first 20 of 9 are %d", n)
	}
}
