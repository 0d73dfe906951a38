package experiments

import (
	"image/color"
	"math"
	"slices"
	"testing"

	"antipode/data"
	"antipode/experiments/experimenttest"
	"antipode/experiments/figure"
	"antipode/experiments/hybrid"
	"antipode/experiments/phase"
	"antipode/experiments/run"
	"antipode/experiments/theory"
	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/exactlaw"
	"antipode/overlap/finitedepth"
	"antipode/sde"
	"antipode/sphere/must"
)

// solidLine returns the x and y of the first line in a plot that has the colour and no dashes.
func solidLine(p *figure.Plot, c color.Color) (x, y []float64) {
	for _, m := range p.Marks {
		if line, is := m.(figure.Line); is && line.Color == c && line.Dashes == nil {
			return figure.Intervals{Points: line.Points}.XY()
		}
	}
	return nil, nil
}

// at returns the y of a line at x by linear interpolation.
func at(x float64, xs, ys []float64) float64 {
	k, _ := slices.BinarySearch(xs, x)
	k = max(1, min(k, len(xs)-1))
	return ys[k-1] + (x-xs[k-1])/(xs[k]-xs[k-1])*(ys[k]-ys[k-1])
}

// The line of the theory at the depth and the horizon is right also between the simulated β, and for the
// hybrid between the simulated ε. Straight lines from one simulated value to the next would be wrong by up to
// 0.05 and 0.5.
func TestTheoryIsDrawnBetweenWhatIsSimulated(t *testing.T) {
	longtest.Only(t)
	const depth = 50
	law := func(r *exactlaw.Recursion, err error, horizon float64) float64 {
		if err != nil {
			t.Fatal(err)
		}
		o := must.Get(r.Uniform(int(depth*horizon), 1e-3, 1e-4))(t)
		return o.Antipodal.Value
	}
	check := func(name string, p *figure.Plot, x, want float64) {
		t.Helper()
		xs, ys := solidLine(p, figure.SeriesColors[0])
		if got := at(x, xs, ys); !(math.Abs(got-want) < 0.005) {
			t.Errorf("%s: the line is at %.4f for %g, the theory at %.4f", name, got, x, want)
		}
	}
	for _, c := range []struct {
		beta    []float64
		horizon float64
	}{{[]float64{0.3, 1.5}, 50}, {[]float64{0, 0.1, 3}, 25}, {[]float64{0.8}, 25}} {
		p := phase.New()
		p.Dim, p.Beta, p.Trajectories, p.Depth, p.Horizon = []int{4}, c.beta, 10, depth, c.horizon
		rows := must.Get(data.RowsOf[phase.Row](experimenttest.Table(t, p, run.Options{Seed: 1})))(t)
		curves := p.Curves(rows, []float64{4}, &figure.Key{})
		low, high := theory.LineRange(c.beta)
		for _, share := range []float64{0.13, 0.52, 0.94} {
			beta := low + share*(high-low)
			r, err := exactlaw.Clusters(4, beta, overlap.Softmax, 1, 1, 1, depth)
			check("phase", curves, beta, law(r, err, c.horizon))
		}
	}
	h := hybrid.New()
	h.Attention, h.Beta, h.Epsilon = sde.Softmax, []float64{1}, []float64{0.5, 1.6}
	h.Trajectories, h.Depth, h.Horizon = 10, depth, 20
	rows := must.Get(data.RowsOf[hybrid.Row](experimenttest.Table(t, h, run.Options{Seed: 1})))(t)
	curves := h.Curves(rows, h.Beta, &figure.Key{})
	for _, epsilon := range []float64{0.93, 1.07, 1.22, 1.31, 1.48} {
		r, err := exactlaw.Hybrid(3, 1, overlap.Softmax, epsilon, finitedepth.Rademacher, depth)
		check("hybrid", curves, epsilon, law(r, err, 20))
	}
}
