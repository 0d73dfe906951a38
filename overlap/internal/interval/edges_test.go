package interval

import (
	"math"
	"testing"
)

// Where an operation is undefined, or leaves the range of float64, its result is as wide as it must be; next
// to these arguments it is not.
func TestEdges(t *testing.T) {
	inf, nan, tiny := math.Inf(1), math.NaN(), math.SmallestNonzeroFloat64
	for what, c := range map[string]struct{ got, want Interval }{
		"1/0":                  {Of(1).Div(Of(0)), All},
		"1/[0, 1]":             {Of(1).Div(Interval{0, 1}), All},
		"1/[-1, 0]":            {Of(1).Div(Interval{-1, 0}), All},
		"1/NaN":                {Of(1).Div(Of(nan)), All},
		"0·∞":                  {Of(0).Mul(Of(inf)), All},
		"[-1, 0]·∞":            {Interval{-1, 0}.Mul(Of(inf)), All},
		"∞-∞":                  {Of(inf).Sub(Of(inf)), All},
		"NaN+1":                {Of(nan).Add(Of(1)), All},
		"log 0":                {Of(0).Log(), All},
		"log -1":               {Of(-1).Log(), All},
		"log ∞":                {Of(inf).Log(), Interval{709, inf}},
		"exp NaN":              {Of(nan).Exp(), Interval{0, inf}},
		"exp -∞":               {Of(-inf).Exp(), Interval{0, 0x1p-1060}},
		"exp below -740":       {Of(down(-740)).Exp(), Interval{0, 0x1p-1060}},
		"exp above 709":        {Of(up(709)).Exp(), Interval{math.MaxFloat64 / 8, inf}},
		"tanh below -300":      {Of(down(-300)).Tanh(), Interval{-1, -1 + 0x1p-50}},
		"tanh above 300":       {Of(up(300)).Tanh(), Interval{1 - 0x1p-50, 1}},
		"root of [-1, 0]":      {Interval{-1, 0}.Sqrt(), Interval{0, tiny}},
		"non-negative part":    {Interval{-2, 3}.NotNegative(), Interval{0, 3}},
		"hull":                 {Interval{1, 3}.Hull(Interval{-1, 2}), Interval{-1, 3}},
		"hull, the other way":  {Interval{-1, 2}.Hull(Interval{1, 3}), Interval{-1, 3}},
		"size of [-3, 2]":      {Interval{-3, 2}.Abs(), Interval{0, 3}},
		"size of [-2, 3]":      {Interval{-2, 3}.Abs(), Interval{0, 3}},
		"size of [-3, -2]":     {Interval{-3, -2}.Abs(), Interval{2, 3}},
		"negative":             {Interval{-3, 2}.Neg(), Interval{-2, 3}},
		"1/cosh of [-0.5, 1]":  {Of(Interval{-0.5, 1}.Sech().High), Of(1)},
		"tanh of everything":   {All.Tanh(), Interval{-1, 1}},
		"1/cosh of everything": {All.Sech(), Interval{0, 1}},
	} {
		if c.got != c.want {
			t.Errorf("%s is %v, want %v", what, c.got, c.want)
		}
	}
	for what, c := range map[string]struct {
		got       Interval
		low, high float64
	}{
		"exp -740": {Of(-740).Exp(), 0, 1e-320}, "exp 709": {Of(709).Exp(), 8.218407e307, 8.218408e307},
		"tanh -300": {Of(-300).Tanh(), -1, -1 + 1e-12}, "tanh 300": {Of(300).Tanh(), 1 - 1e-12, 1},
		"1/[tiny, 1]": {Of(1).Div(Interval{tiny, 1}), down(1), inf},
	} {
		if !(c.low <= c.got.Low && c.got.High <= c.high) {
			t.Errorf("%s is %v, want within [%v, %v]", what, c.got, c.low, c.high)
		}
	}
	if w := (Interval{1, 3}).Width(); w != up(2) {
		t.Errorf("the width of [1, 3] is %v", w)
	}
	for x, want := range map[float64]bool{1: true, 2: true, 3: true, down(1): false, up(3): false} {
		if (Interval{1, 3}).Contains(x) != want {
			t.Errorf("[1, 3] contains %v: %v", x, !want)
		}
	}
}
