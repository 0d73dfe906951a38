package stability

import (
	"math"
	"slices"

	"antipode/experiments/internal/statistics"
	"antipode/experiments/run"
	"antipode/internal/lists"
	"antipode/sphere/elementary"
)

// passageCodec encodes passages for a journal, in at most passageBytes each.
var passageCodec = run.Codec[passage]{
	Append: func(bytes []byte, p passage) []byte {
		bytes = run.AppendInt(run.AppendInt(bytes, p.Zero), p.End)
		return run.AppendFloat(run.AppendFloat(bytes, p.Within), p.Between)
	},
	Read: func(d *run.Decoder) passage {
		return passage{Zero: d.Int(), End: d.Int(), Within: d.Float(), Between: d.Float()}
	},
}

const passageBytes = 36

// meanPassage returns the mean time at which the overlap of trajectories first reaches 0, with its 95 %
// confidence interval. The interval is computed from the standard error of the logarithm of the mean, because
// these times are skewed. Long passage times are nearly exponential.
func meanPassage(passages []passage, depth int64) (mean, low, high float64) {
	sum := int64(0)
	for _, p := range passages {
		sum += p.Zero
	}
	n := float64(len(passages))
	layers := float64(sum) / n
	squares := 0.0
	for _, p := range passages {
		difference := float64(p.Zero) - layers
		squares += float64(difference * difference)
	}
	mean = layers / float64(depth)
	if n < 2 {
		return mean, math.NaN(), math.NaN()
	}
	ratio := elementary.Exp(statistics.Quantile95 * math.Sqrt(squares/(n-1)/n) / layers)
	return mean, mean / ratio, mean * ratio
}

// finalDecay returns the decay time of the slower half of the trajectories: the mean time by which their
// merging times exceed the median. For an exponential tail this is the maximum likelihood estimate, whatever
// the law of the faster half. The tail beyond the median is exponential only if clusters last much longer
// than the overlap takes from 0 to 1-τ: otherwise the result depends on τ, and is not the decay time of the
// theory. The result is NaN for a single trajectory.
func finalDecay(passages []passage, depth int64) float64 {
	ends := lists.Map(passages, func(p passage) int64 { return p.End })
	slices.Sort(ends)
	slower := slowerHalf(int64(len(ends)))
	if slower == 0 {
		return math.NaN()
	}
	first := len(ends) - int(slower)
	sum := int64(0)
	for _, end := range ends[first:] {
		sum += end - ends[first-1]
	}
	return float64(sum) / float64(slower) / float64(depth)
}

// slowerHalf returns the number of trajectories whose merging time is beyond the median.
func slowerHalf(trajectories int64) int64 { return trajectories / 2 }

// decayInterval returns the 95 % confidence interval of a decay time. The standard error of the logarithm of
// the mean of k exponential times is 1/√k.
func decayInterval(decayTime float64, trajectories int64) (low, high float64) {
	ratio := elementary.Exp(statistics.Quantile95 / math.Sqrt(float64(slowerHalf(trajectories))))
	return decayTime / ratio, decayTime * ratio
}
