package field

import (
	"math"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sde"
	"antipode/sphere/must"
)

func TestFieldValidateNamesTheParameter(t *testing.T) {
	experimenttest.Refuse(t, New, []struct {
		Name, Problem string
		Change        func(e *Experiment)
	}{
		{"beta", "must be a number from 0", func(f *Experiment) { f.Beta = math.NaN() }},
		{"beta", "e^β overflows", func(f *Experiment) { f.Beta = 800 }},
		{"attention", "must be softmax or unnormalized", func(f *Experiment) { f.Attention = -1 }},
		{"angles", "no values", func(f *Experiment) { f.Angles = nil }},
		{"angles", "361 is out of bounds", func(f *Experiment) { f.Angles = []float64{0, 361} }},
		{"angles", "must be at most 100", func(f *Experiment) {
			f.Angles = make([]float64, 101)
			for k := range f.Angles {
				f.Angles[k] = float64(k)
			}
		}},
		{"points", "must be a whole number from 1", func(f *Experiment) { f.Points = 0 }},
	})
}

// The field is that of eq. (3) or (2), here written out for three tokens, and its projection is tangent.
func TestFieldIsTheFormula(t *testing.T) {
	for _, attention := range []sde.Attention{sde.Softmax, sde.Unnormalized} {
		f := New()
		f.Attention, f.Beta = attention, 1.7
		rows := must.Get(data.RowsOf[Row](experimenttest.Table(t, f, run.Options{})))(t)
		if len(rows) != 24 {
			t.Fatalf("%d points", len(rows))
		}
		for k, r := range rows {
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
			for _, pair := range [][2]float64{{r.X, cos}, {r.Y, sin}, {r.FieldX, ax}, {r.FieldY, ay},
				{r.TangentX, ax - along*cos}, {r.TangentY, ay - along*sin}} {
				if !(math.Abs(pair[0]-pair[1]) <= 1e-14) {
					t.Fatalf("%s, point %d: %v, want %v", attention, k, pair[0], pair[1])
				}
			}
		}
	}
}
