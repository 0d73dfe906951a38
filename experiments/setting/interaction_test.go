package setting

import (
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/experiments/parameter"
	"antipode/sde"
)

// A rotation by 90° maps each pair of coordinate axes to each other, and leaves the last axis in an odd
// dimension.
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
				if !(math.Abs(b[i*d+j]-want) <= 1e-15) {
					t.Errorf("d = %d: entry (%d, %d) is %v, want %v", d, i, j, b[i*d+j], want)
				}
			}
		}
	}
}

// A rotation by 30° has the cosine √3/2 and the sine ½ in each plane, and nothing between the planes.
func TestEntriesOfARotation(t *testing.T) {
	c, s := math.Sqrt(3)/2, 0.5
	for d, want := range map[int][]float64{
		2: {c, -s, s, c},
		3: {c, -s, 0, s, c, 0, 0, 0, 1},
		4: {c, -s, 0, 0, s, c, 0, 0, 0, 0, c, -s, 0, 0, s, c},
	} {
		for k, x := range rotation(d, 30) {
			if !(math.Abs(x-want[k]) <= 1e-15) {
				t.Errorf("d = %d: entry %d is %v, want %v", d, k, x, want[k])
			}
		}
	}
	if x, y := OnCircle(150); !(math.Abs(x+c) <= 1e-15 && math.Abs(y-s) <= 1e-15) {
		t.Errorf("150° is at %v, %v", x, y)
	}
}

func TestNamedMatrices(t *testing.T) {
	for text, want := range map[string]bool{
		"identity": true, "gaussian:0": true, "gaussian:2.5": true, "rotation:-90": true, "gaussian:": false,
		"gaussian:-1":  false,
		"gaussian:1,2": false, "rotation:x": false, "rotation:361": false, "": false,
	} {
		var b Interaction
		err := InteractionParameter(&b).Set(text)
		if (err == nil) != want || b.String() != text && (want || !b.Identity()) {
			t.Errorf("%q: %v, error %v", text, b, err)
		}
		caption := ", B = " + text
		if !want || text == "identity" {
			caption = ""
		}
		if b.Caption() != caption {
			t.Errorf("%q: caption %q", text, b.Caption())
		}
		if !want && !strings.Contains(err.Error(), "must be identity, gaussian:SCALE") {
			t.Errorf("%q: %v", text, err)
		}
	}
	gaussian, _ := ParseInteraction("gaussian:2")
	if b, err := gaussian.Matrix(3); err != nil || len(b) != 9 ||
		b[0] != 2*sde.GaussianInteraction(3, 1)[0] {
		t.Errorf("gaussian:2 is %v, error %v", b, err)
	}
	cells := []sde.Cell{{Model: sde.Transformer{}, Dim: 3, Tokens: 2, Beta: 600, Attention: sde.Unnormalized}}
	var problem *parameter.Error
	gaussian, _ = ParseInteraction("gaussian:100")
	if err := gaussian.Of(cells); !errors.As(err, &problem) ||
		problem.Parameter != "beta" {
		t.Errorf("an overflow: %v", err)
	}
}

// An interaction that is the same in all layers may be any other than that of random queries and keys.
func TestFixedInteractionParameter(t *testing.T) {
	for text, allowed := range map[string]bool{"identity": true, "gaussian:2": true, "rotation:30": true,
		"resampled:1": false, "resampled:1:4": false, "rotation:x": false} {
		var b Interaction
		p := FixedInteractionParameter(&b)
		err := p.Value.Set(text)
		if (err == nil) != allowed || allowed && (p.Value.String() != text || p.Value.Check() != nil) {
			t.Errorf("%s: %v, error %v", text, b, err)
		}
		if err != nil && strings.Contains(text, "resampled") && strings.Contains(err.Error(), "resampled") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}
