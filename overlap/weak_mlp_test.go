package overlap

import (
	"testing"
	"time"

	"antipode/overlap/internal/line"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// The probabilities beside an MLP so weak that 1+z underflows before the MLP matters are found, and are those
// beside a somewhat stronger MLP. Near the end -1 the slope h' is smooth and has its limit.
func TestWeakestMLP(t *testing.T) {
	plain := must.Get(New(4, 2, Softmax, 1))(t)
	for _, a := range []activation.Activation{activation.ReLU, activation.GELU} {
		for _, strength := range []float64{1e-280, 1e-290, 1e-300, 1e-307, 1e-310, 5e-324} {
			d := must.Get(plain.WithMLP(MLP{a, strength, 1}))(t)
			begun := time.Now()
			if p := d.SingleUniform(); p.Value != 1 {
				t.Errorf("%v, strength %v: P(single) %v", a, strength, p)
			}
			s, reach := d.Line().Scale(), d.Line().Minus.Reach
			near(t, "rise", s.Rise(-5), plain.Line().Scale().Rise(-5), 1e-9)
			for _, u := range []float64{-340, -350, -355, -365, -reach} {
				slope := s.Slope(u)
				near(t, "smooth slope", s.Slope(u-1e-4), slope, 1e-3)
			}
			near(t, "limit", s.Slope(-reach), d.Line().Minus.Slope, 1e-9)
			_ = s.Rise(-reach)
			if took := time.Since(begun); took > time.Minute || !(reach < line.Asymptote+400) {
				t.Errorf("%v, strength %v: reach %v, took %v", a, strength, reach, took)
			}
		}
	}
}
