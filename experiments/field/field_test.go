package field

import (
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/parameter"
	"antipode/experiments/run"
	"antipode/sde"
)

func TestFieldValidateNamesTheParameter(t *testing.T) {
	for _, c := range []struct {
		parameter, problem string
		change             func(f *Field)
	}{
		{"beta", "must be a number from 0", func(f *Field) { f.Beta = math.NaN() }},
		{"beta", "e^β overflows", func(f *Field) { f.Beta = 800 }},
		{"attention", "must be softmax or unnormalized", func(f *Field) { f.Attention = -1 }},
		{"angles", "no values", func(f *Field) { f.Angles = nil }},
		{"angles", "361 is out of bounds", func(f *Field) { f.Angles = []float64{0, 361} }},
		{"angles", "must be at most 100", func(f *Field) {
			f.Angles = make([]float64, 101)
			for k := range f.Angles {
				f.Angles[k] = float64(k)
			}
		}},
		{"points", "must be a whole number from 1", func(f *Field) { f.Points = 0 }},
	} {
		f := New()
		c.change(f)
		err := f.Run(t.Context(), run.Options{}, nil)
		var problem *parameter.Error
		if !errors.As(err, &problem) || problem.Parameter != c.parameter || !strings.Contains(problem.Problem, c.problem) {
			t.Errorf("error %v, want %s: %s", err, c.parameter, c.problem)
		}
	}
}

// The field is that of eq. (3) or (2), written out for three tokens, and its
// projection is tangent.
func TestFieldIsTheFormula(t *testing.T) {
	for _, attention := range []sde.Attention{sde.Softmax, sde.Unnormalized} {
		f := New()
		f.Attention, f.Beta = attention, 1.7
		a, err := readArrows(experimenttest.Table(t, f, run.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		if len(a.x) != 24 {
			t.Fatalf("%d points", len(a.x))
		}
		for k := range a.x {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 24)
			tokens := [][2]float64{{cos, sin}}
			for _, angle := range f.Angles {
				sin, cos := math.Sincos(angle * math.Pi / 180)
				tokens = append(tokens, [2]float64{cos, sin})
			}
			var ax, ay, total float64
			for _, y := range tokens {
				weight := math.Exp(1.7 * (cos*y[0] + sin*y[1]))
				ax, ay, total = ax+weight*y[0], ay+weight*y[1], total+weight
			}
			if attention == sde.Unnormalized {
				total = 3
			}
			ax, ay = ax/total, ay/total
			along := ax*cos + ay*sin
			for _, pair := range [][2]float64{{a.x[k], cos}, {a.y[k], sin}, {a.ax[k], ax}, {a.ay[k], ay}, {a.px[k], ax - along*cos}, {a.py[k], ay - along*sin}} {
				if math.Abs(pair[0]-pair[1]) > 1e-14 {
					t.Fatalf("%s, point %d: %v, want %v", attention, k, pair[0], pair[1])
				}
			}
		}
	}
}
