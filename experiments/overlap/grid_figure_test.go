package overlap

import (
	"image/color"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// Every dimension has lines in its colour in both panels, which are to the left and to the right of the
// middle.
func TestEverySeriesOfAGridIsInEveryPanel(t *testing.T) {
	o := New()
	o.Dim, o.Beta = []int{3, 4, 5}, []float64{0, 1, 2, 3}
	f := must.Get(o.Draw(experimenttest.Table(t, o, run.Options{Seed: 1})))(t)
	r := figuretest.Figure(f)
	same := func(a, b color.Color) bool {
		r1, g1, b1, _ := a.RGBA()
		r2, g2, b2, _ := b.RGBA()
		return r1 == r2 && g1 == g2 && b1 == b2
	}
	for i, dim := range o.Dim {
		var left, right int
		for _, line := range r.Lines {
			if !same(line.Color, figure.SeriesColors[i]) || len(line.Points) < 4 {
				continue
			}
			if line.Points[0].X < r.Width/2 {
				left++
			} else {
				right++
			}
		}
		if left == 0 || right == 0 {
			t.Errorf("d = %d has %d lines on the left and %d on the right", dim, left, right)
		}
	}
}
