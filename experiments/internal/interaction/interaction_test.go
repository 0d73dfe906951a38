package interaction

import (
	"errors"
	"math"
	"testing"

	"antipode/experiments/parameter"
	"antipode/sde"
)

// A rotation keeps lengths, and turns by the angle in each of its planes.
func TestRotation(t *testing.T) {
	for _, d := range []int{2, 5} {
		b := rotation(d, 90)
		for i := range d {
			for j := range d {
				want := 0.
				switch {
				case d%2 == 1 && i == d-1 && j == i:
					want = 1
				case i == j+1 && j%2 == 0 && i < d-d%2:
					want = 1
				case j == i+1 && i%2 == 0 && j < d-d%2:
					want = -1
				}
				if math.Abs(b[i*d+j]-want) > 1e-15 {
					t.Errorf("d = %d: entry (%d, %d) is %v, want %v", d, i, j, b[i*d+j], want)
				}
			}
		}
	}
}

func TestNamedMatrices(t *testing.T) {
	for text, want := range map[string]bool{
		"identity": true, "gaussian:0": true, "gaussian:2.5": true, "rotation:-90": true, "gaussian:": false,
		"gaussian:-1":  false,
		"gaussian:1,2": false, "rotation:x": false, "rotation:361": false, "": false,
	} {
		field := Identity
		if err := (choice{&field}).Set(text); (err == nil) != want ||
			(err == nil) != (field == text) && text != Identity {
			t.Errorf("%q: %q, error %v", text, field, err)
		}
		if err := (choice{&text}).Check(); (err == nil) != want {
			t.Errorf("check of %q: %v", text, err)
		}
	}
	if b, err := Matrix("gaussian:2", 3); err != nil || len(b) != 9 ||
		b[0] != 2*sde.GaussianInteraction(3, 1)[0] {
		t.Errorf("gaussian:2 is %v, error %v", b, err)
	}
	cells := []sde.Cell{{Model: sde.Transformer{}, Dim: 3, Tokens: 2, Beta: 600, Attention: sde.Unnormalized}}
	var problem *parameter.Error
	if err := SetInteractions(cells, "gaussian:100"); !errors.As(err, &problem) ||
		problem.Parameter != "beta" {
		t.Errorf("an overflow: %v", err)
	}
}
