package simulate

import (
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/experiments/run"
)

// The overlaps of several trajectories have the colours of the key.
func TestOverlapsHaveTheColoursOfTheirTrajectories(t *testing.T) {
	s := New()
	s.Save, s.Tokens, s.Trajectories, s.Depth, s.Horizon = saveOverlaps, 3, 30, 10, 5
	drawn, err := s.Draw(experimenttest.Table(t, s, run.Options{Seed: 1}))
	if err != nil {
		t.Fatal(err)
	}
	r := figuretest.Figure(drawn)
	for k, c := range figure.SeriesColors {
		lines := 0
		for _, line := range r.Lines {
			if line.Color == c && len(line.Points) == 6 { // at times 0 to 5
				lines++
			}
		}
		if lines != 3 {
			t.Errorf("trajectory %d has %d lines in its colour, not those of 3 pairs", k, lines)
		}
	}
}
