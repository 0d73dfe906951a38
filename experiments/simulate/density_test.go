package simulate

import (
	"math"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/run"
	"antipode/sphere/must"
)

// The cells count the tokens of the states with the same seed: at each time a cell counts the tokens whose
// third coordinate and longitude are within half a cell of its centre.
func TestDensityCountsStates(t *testing.T) {
	states, density := smallSimulation(saveStates), smallSimulation(saveDensity)
	for _, s := range []*Experiment{states, density} {
		s.Tokens, s.Dim, s.Beta, s.Trajectories, s.Every, s.Interpolate = 700, 3, 3, 2, 1.2, false
	}
	want := must.Get(data.RowsOf[StateRow](experimenttest.Table(t, states, run.Options{Seed: 4})))(t)
	rows, err := data.RowsOf[DensityRow](experimenttest.Table(t, density, run.Options{Seed: 4}))
	if err != nil || len(rows) != len(want)*90*180 {
		t.Fatalf("%d rows for %d times, error %v", len(rows), len(want), err)
	}
	several := 0
	for k, state := range want {
		cells, total := rows[k*90*180:(k+1)*90*180], int32(0)
		for _, r := range cells {
			if r.Moment != state.Moment || !(math.Abs(r.Density-float64(r.Tokens)*16_200/700) <= 1e-12) {
				t.Fatalf("%+v at %+v", r, state.Moment)
			}
			total += r.Tokens
			if r.Tokens == 0 {
				continue
			}
			found := int32(0)
			for _, x := range state.Tokens {
				longitude := math.Atan2(x[1], x[0]) * 180 / math.Pi
				if math.Abs(longitude-r.Longitude) <= 1+1e-9 && math.Abs(x[2]-r.Height) <= 1./90+1e-12 {
					found++
				}
			}
			if found != r.Tokens {
				t.Errorf("%+v: %d tokens of the states", r, found)
			}
			if r.Tokens > 1 {
				several++
			}
		}
		if total != 700 {
			t.Errorf("%+v: %d tokens", state.Moment, total)
		}
	}
	if several < 10 {
		t.Errorf("only %d cells with several tokens", several)
	}
}

// The poles and the meridian of 180 degrees belong to cells at the edges.
func TestSphereCell(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want int
	}{
		{[]float64{0, 0, 1}, 90*90 + 89}, {[]float64{0, 0, -1}, 90 * 90}, {[]float64{-1, 0, 0}, 179*90 + 45},
		{[]float64{-1, -1e-17, -0.001}, 44}, {[]float64{0, 1, 0}, 135*90 + 45},
	} {
		if got := sphereCell(c.x); got != c.want {
			t.Errorf("%v: cell %d, want %d", c.x, got, c.want)
		}
	}
}

// The figure has one map for each of up to six times; its colours are the logarithm of the density.
func TestDensityFigure(t *testing.T) {
	s := smallSimulation(saveDensity)
	s.Tokens, s.Dim, s.Trajectories, s.Every, s.Depth, s.Horizon = 50, 3, 1, 0.1, 10, 4
	table := experimenttest.Table(t, s, run.Options{Seed: 4})
	drawn, err := s.Draw(table)
	if err != nil || len(drawn.Panels) != 6 {
		t.Fatalf("%+v, error %v", drawn, err)
	}
	rows := must.Get(data.RowsOf[DensityRow](table))(t)
	heat := drawn.Panels[5].Plot.Marks[0].(figure.HeatMap)
	for k, r := range rows[40*90*180:] {
		got := heat.Value(89-k%90, k/90)
		if r.Tokens == 0 != math.IsNaN(got) ||
			r.Tokens > 0 && !(math.Abs(got-math.Log10(r.Density)) <= 1e-12) {
			t.Fatalf("%+v: %v", r, got)
		}
	}
	least, most := math.Inf(1), 0.0 // of all six maps
	for _, k := range []int{0, 2, 3, 5, 10, 40} {
		for _, r := range rows[k*90*180 : (k+1)*90*180] {
			if r.Tokens > 0 {
				least, most = min(least, r.Density), max(most, r.Density)
			}
		}
	}
	if !(math.Abs(heat.Low+0.2-math.Log10(least)) <= 1e-12) || heat.High < math.Log10(most) {
		t.Errorf("colours from %v to %v, densities from %v to %v", heat.Low, heat.High, least, most)
	}
	var text strings.Builder
	if err := s.Describe(&text, table); err != nil ||
		!strings.Contains(text.String(), "At time 4 the 50 tokens of trajectory 0 are in ") {
		t.Errorf("%q, error %v", text.String(), err)
	}
}

func TestDensityNeedsThreeDimensions(t *testing.T) {
	s := smallSimulation(saveDensity)
	s.Dim = 4
	experimenttest.CheckRefused(t, s.Validate(), "save", "with --dim 3")
}
