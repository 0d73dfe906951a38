package stability

import (
	"math"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/figure/figuretest"
	"antipode/overlap"
	"antipode/overlap/firstpassage"
	"antipode/sphere/must"
)

// An axis begins and ends at multiples of a third of a decade, or at powers of ten if it would contain none
// of those.
func TestDecades(t *testing.T) {
	for _, c := range []struct{ low, high, wantLow, wantHigh float64 }{
		{3, 40, math.Pow(10, 1./3), math.Pow(10, 5./3)},
		{1.6, 60, 1, 100},
		{2, 8, 1, 10},
		{20, 30, 10, 100},
		{0.5, 1, math.Pow(10, -1./3), 1},
		{5, 5, 0.5, 50},
	} {
		low, high := decades(c.low, c.high)
		if !(math.Abs(low/c.wantLow-1) <= 1e-12) || !(math.Abs(high/c.wantHigh-1) <= 1e-12) {
			t.Errorf("from %g to %g: axis from %g to %g, want %g to %g", c.low, c.high, low, high, c.wantLow,
				c.wantHigh)
		}
	}
}

// The dots on the left are lifetimes with their intervals, and those on the right decay times with intervals
// for a mean of exponential times. The lines are the theory for the same masses over the range of β.
func TestFigureOfLives(t *testing.T) {
	s := New()
	s.Masses, s.Dim, s.Beta = [][2]int{{1, 2}}, []int{4}, []float64{1, 2}
	row := func(beta, life, decay float64) Row {
		return Row{Clusters: Clusters{1, 2, 4, beta}, Trajectories: 100, Lifetime: life,
			LifetimeLow:  0.9 * life,
			LifetimeHigh: 1.2 * life, DecayTime: decay}
	}
	drawn := figuretest.Draw(t, s, experimenttest.TableOf(t, s, row(1, 2.5, 1.5), row(2, 20, 9)))
	line := figure.Stroke{Color: figure.SeriesColors[0], Width: 1.2}
	theory := func(mean func(d *overlap.Diffusion) (firstpassage.Time, error)) func(beta float64) float64 {
		return func(beta float64) float64 {
			d := must.Get(overlap.NewMasses(4, beta, overlap.Softmax, 1, 1, 2))(t)
			time := must.Get(mean(d))(t)
			return time.Value
		}
	}
	left := figuretest.Read(t, drawn, 0, "Lifetime: mean time of the overlap from -1 to 0",
		"inverse temperature β", "units of time")
	left.Has(figuretest.DotsOf(0, 1, 2.5, 2.25, 3, 2, 20, 18, 24))
	left.Follows(line, 1, 2, 1e-6, theory(firstpassage.Lifetime))
	right := figuretest.Read(t, drawn, 1, "Decay time: inverse of the final rate at which clusters merge",
		"inverse temperature β", "units of time")
	right.Follows(line, 1, 2, 1e-6, theory(firstpassage.DecayTime))
	for _, p := range []figuretest.Panel{left, right} {
		p.Logarithmic(false, true)
		p.Count(2)
	}
	if left.Y.Low != right.Y.Low || left.Y.High != right.Y.High {
		t.Errorf("axes from %g to %g and from %g to %g", left.Y.Low, left.Y.High, right.Y.Low, right.Y.High)
	}
	figuretest.Key(t, drawn.Key, drawn.Panels, "1 and 2 tokens")
}

// Dots are exponents with 95 % intervals. Lines are the theory, at the depth if the entries are Gaussian.
func TestFigureOfEqualClusters(t *testing.T) {
	s := New()
	s.Masses, s.Dim, s.Beta = [][2]int{{2, 2}}, []int{4, 5}, []float64{1, 2}
	var rows []Row
	for _, dim := range []int32{4, 5} {
		for _, beta := range []float64{1, 2} {
			x := float64(dim) + beta/10
			rows = append(rows, Row{Clusters: Clusters{2, 2, dim, beta}, Trajectories: 10, Within: -x,
				WithinError: 0.1, Between: x, BetweenError: 0.2})
		}
	}
	drawn := figuretest.Draw(t, s, experimenttest.TableOf(t, s, rows...))
	within := figuretest.Read(t, drawn, 0, "Exponent within each cluster", "inverse temperature β",
		"per unit of time")
	within.Has(figuretest.DotsOf(1, 1, -5.1, -5.1-0.1*quantile, -5.1+0.1*quantile,
		2, -5.2, -5.2-0.1*quantile, -5.2+0.1*quantile))
	between := figuretest.Read(t, drawn, 1, "Exponent between them: they attract below 0",
		"inverse temperature β", "per unit of time")
	between.Has(figuretest.DotsOf(0, 1, 4.1, 4.1-0.2*quantile, 4.1+0.2*quantile,
		2, 4.2, 4.2-0.2*quantile, 4.2+0.2*quantile))
	within.Count(4)
	between.Count(4)
	figuretest.Key(t, drawn.Key, drawn.Panels, "2 and 2 tokens, d = 4", "2 and 2 tokens, d = 5")
}

// quantile is the 97.5 % point of the standard normal law.
const quantile = 1.959963984540054
