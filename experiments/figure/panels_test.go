package figure_test

import (
	"fmt"
	"testing"

	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Panels stand two in a row, and take no more rows than that needs.
func TestPanelsStandTwoInARow(t *testing.T) {
	for n, size := range map[int][2]vg.Length{1: {620, 415}, 2: {870, 415}, 3: {870, 700}, 4: {870, 700}} {
		var panels []figure.Panel
		for k := range n {
			p := plot.New()
			p.Title.Text = fmt.Sprint("panel ", k)
			panels = append(panels, figure.Panel{Plot: p})
		}
		f := figure.Panels(panels, new(figure.Key), "caption")
		if got := [2]vg.Length{f.Width, f.Height}; got != size {
			t.Errorf("%d panels are %v wide and high, want %v", n, got, size)
		}
		for _, text := range figuretest.Figure(f).Texts {
			var k int
			if _, err := fmt.Sscanf(text.Value, "panel %d", &k); err != nil {
				continue
			}
			center := 0.5 * (text.Place.Min.X + text.Place.Max.X)
			right, upper := center > f.Width/2, text.Place.Min.Y > f.Height*3/4
			if right != (k%2 == 1) && n > 1 || upper != (k < 2) {
				t.Errorf("panel %d of %d is at %v", k, n, text.Place)
			}
		}
	}
}
