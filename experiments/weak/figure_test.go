package weak

import (
	"slices"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
)

// What names the series of weak covers no dots or intervals.
func TestWeakKeyIsOutsideThePlots(t *testing.T) {
	w := New()
	w.Dim, w.Depth, w.Trajectories = 3, []int{8, 16, 32, 64}, 200
	drawn, err := w.Draw(experimenttest.Table(t, w, run.Options{Seed: 1}))
	if err != nil {
		t.Fatal(err)
	}
	r := figuretest.Figure(drawn)
	k := slices.IndexFunc(r.Texts,
		func(text figuretest.Text) bool { return text.Value == "recursion, gaussian" })
	if k < 0 {
		t.Fatalf("the recursion has no name in %q", r.Strings())
	}
	place := r.Texts[k].Place
	for _, line := range r.Lines {
		for _, point := range line.Points {
			if place.Min.X < point.X && point.X < place.Max.X && place.Min.Y < point.Y &&
				point.Y < place.Max.Y {
				t.Fatalf("a line passes %v, within the name at %v", point, place)
			}
		}
	}
	for _, text := range r.Texts {
		if text.Value == "|error|" && text.Place.Min.Y < place.Max.Y {
			t.Errorf("a plot at %v reaches down to the key at %v", text.Place, place)
		}
	}
}
