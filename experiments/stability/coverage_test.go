package stability

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/experiments/experimenttest"

	"gonum.org/v1/gonum/stat/distuv"
)

// For exponential times, the interval of the final decay contains the decay time as often as the gamma law of
// the sum of k exponential times says: the times beyond the median, minus the median, are exponential again.
// The interval of the mean passage time, whose standard error is estimated, has nearly 95 % coverage.
func TestIntervalsOfTimesCover(t *testing.T) {
	const draws, depth, scale = 4000, 10, 1e7
	random := rand.New(rand.NewPCG(4, 44))
	for _, trajectories := range []int{8, 31, 200} {
		passages := make([]passage, trajectories)
		again := func() {
			for k := range passages {
				time := int64(scale * random.ExpFloat64())
				passages[k] = passage{Zero: time, End: time}
			}
		}
		truth := scale / depth
		got := experimenttest.Coverage(draws, func() (float64, float64) {
			again()
			return decayInterval(finalDecay(passages, depth), int64(trajectories))
		}, truth)
		k := float64(trajectories / 2)
		law, ratio := distuv.Gamma{Alpha: k, Beta: k}, math.Exp(1.959963984540054/math.Sqrt(k))
		experimenttest.CheckCoverage(t, "decay time", draws, got, law.CDF(ratio)-law.CDF(1/ratio))
		got = experimenttest.Coverage(draws, func() (float64, float64) {
			again()
			_, low, high := meanPassage(passages, depth)
			return low, high
		}, truth)
		if trajectories == 200 && !(math.Abs(got-0.95) <= 0.015) || got < 0.86 || got > 0.97 {
			t.Errorf("%d passage times: %.4f are covered", trajectories, got)
		}
	}
}
