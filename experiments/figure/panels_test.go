package figure_test

import (
	"fmt"
	"testing"

	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/sphere/must"
)

// Panels are placed two in a row, in as many rows as needed.
func TestPairsStandTwoInARow(t *testing.T) {
	for n, size := range map[int][2]float64{1: {620, 415}, 2: {870, 415}, 3: {870, 700}, 4: {870, 700}} {
		var panels []figure.Panel
		for k := range n {
			panels = append(panels, figure.Panel{Plot: figure.NewPlot(fmt.Sprint("panel ", k), "", "")})
		}
		f := must.Get(figure.Pairs(panels, new(figure.Key), "caption"))(t)
		if got := [2]float64{f.Width, f.Height}; got != size {
			t.Errorf("%d panels are %v wide and high, want %v", n, got, size)
		}
		for _, text := range figuretest.Figure(f).Texts {
			var k int
			if _, err := fmt.Sscanf(text.Value, "panel %d", &k); err != nil {
				continue
			}
			center := 0.5 * float64(text.Place.Min.X+text.Place.Max.X)
			right, upper := center > f.Width/2, float64(text.Place.Min.Y) > f.Height*3/4
			if right != (k%2 == 1) && n > 1 || upper != (k < 2) {
				t.Errorf("panel %d of %d is at %v", k, n, text.Place)
			}
		}
	}
}
