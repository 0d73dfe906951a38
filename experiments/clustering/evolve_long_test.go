//go:build long

package clustering

import (
	"math"
	"slices"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sphere"
)

// Three tokens are antipodal for a while: their fraction at four times agrees with that
// of another program, whose standard errors stand beside. Four comparisons at 4.5
// standard errors of the difference: a false alarm in 3·10^4 seeds.
func TestEvolveThreeTokensDecay(t *testing.T) {
	e := NewEvolve()
	e.Tokens, e.Beta, e.Depth, e.Horizon, e.Trajectories = 3, []float64{2.5}, 100, 400, 800
	_, lines, err := readEvolve(experimenttest.Table(t, e, run.Options{Seed: 1}))
	if err != nil {
		t.Fatal(err)
	}
	l := lines[0]
	for _, want := range []struct{ time, fraction, deviation float64 }{
		{20, 0.260, 0.005}, {100, 0.129, 0.005}, {200, 0.047, 0.003}, {400, 0.0070, 0.0013},
	} {
		k := slices.Index(l.time, want.time)
		fraction := l.fraction(l.outcomes[sphere.Antipodal], k)
		own := math.Sqrt(want.fraction * (1 - want.fraction) / float64(l.trajectories))
		off := math.Abs(fraction-want.fraction) / math.Hypot(own, want.deviation)
		t.Logf("time %g: %.4f antipodal, %.1f standard errors from %.4f", want.time, fraction, off, want.fraction)
		if off > 4.5 {
			t.Errorf("time %g: %.4f antipodal, want %.4f", want.time, fraction, want.fraction)
		}
	}
}
