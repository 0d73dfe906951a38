package lanes

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sphere/must"
)

// With random scores, unequal clusters leave overlap -1 by steps whose squares are near the end of float64.
// Each layer adds an independent step, so that the square of the sum grows like the number of layers, from
// 1 to 100. The mean over 64 lanes of this logarithm has a standard error of about 0.17: a false alarm in one
// of 10^5 seeds.
func TestUnequalClustersEscapeBySmallSteps(t *testing.T) {
	const lanes, layers = 64, 100
	opposite := -1.0
	process := Process{Count: 3, Dim: 4, Beta: 120, Softmax: true, Stream: kernels.NewStream(36, 1)}
	for _, masses := range [][2]float64{{1, 2}, {2, 1}} {
		plane := Plane{A: 1, Deviation: 0.01, Spread: 1e-6}
		l := NewPlaneChain(Clusters{process, masses, &opposite}, plane, lanes)
		all := make([]Lane, lanes)
		for k := range all {
			all[k] = Lane{Trajectory: int64(k)}
			must.Do(t, l.Start(k, all[k].Trajectory))
		}
		mean := func() (sum float64) {
			for k := range all {
				p, _ := l.Pair(k)
				sum += p.Above / lanes
			}
			return sum
		}
		l.Advance(all, 1)
		first := mean()
		if !(first > -1000 && first < -450) {
			t.Errorf("masses %v: the first step has the logarithm %v", masses, first)
		}
		l.Advance(all, layers-1)
		if got := mean() - first; !(math.Abs(got-math.Log(layers)) <= 0.8) {
			t.Errorf("masses %v: the logarithm grows by %v, want %v", masses, got, math.Log(layers))
		}
	}
}
