package stability

import (
	"math"
	"testing"

	"antipode/experiments/internal/outcomes"
)

// The mean with its interval, and the decay time, of a few times whose mean, deviation and tail are known.
func TestPassageTimes(t *testing.T) {
	passages := []passage{{Zero: 10, End: 40}, {Zero: 30, End: 30}, {Zero: 20, End: 100}, {Zero: 40, End: 60},
		{Zero: 50, End: 20}}
	mean, low, high := meanPassage(passages, 10)
	ratio := math.Exp(1.959963984540054 * math.Sqrt(250./5) / 30)
	if mean != 3 || !(math.Abs(low*ratio-3) <= 1e-14) || !(math.Abs(high/ratio-3) <= 1e-14) {
		t.Errorf("mean %v, from %v to %v", mean, low, high)
	}
	// The median of the ends 20, 30, 40, 60, 100 is 40. The two later ones exceed it by 20 and 60 layers.
	if decay := finalDecay(passages, 10); decay != 4 {
		t.Errorf("decay time %v", decay)
	}
	if _, low, high := meanPassage(passages[:1], 10); low == low || high == high {
		t.Errorf("one time has an interval, %v to %v", low, high)
	}
	if decay := finalDecay(passages[:1], 10); decay == decay {
		t.Errorf("one time has a decay time, %v", decay)
	}
	// Exponential times, at their quantiles: the mean excess over the median is the mean of all.
	var exponential []passage
	const n, scale = 100_000, 1e9
	for k := range n {
		exponential = append(exponential, passage{End: int64(-scale * math.Log((float64(k)+0.5)/n))})
	}
	if decay := finalDecay(exponential, 1); !(math.Abs(decay/scale-1) <= 1e-3) {
		t.Errorf("decay time %v of exponential times", decay/scale)
	}
}

// The encoded result of a trajectory takes at most the number of bytes that is planned for it.
func TestWhatTrajectoriesLeave(t *testing.T) {
	const most = math.MaxInt64
	for _, p := range []passage{{}, {Zero: 5, End: 7}, {Zero: 1 << 44}, {Zero: most, End: most},
		{Within: -1.2, Between: 0.3}} {
		bytes := passageCodec.Append(nil, p)
		if len(bytes) > passageBytes || passageBytes != 36 {
			t.Errorf("%+v takes %d bytes, %d are reckoned with", p, len(bytes), passageBytes)
		}
	}
	for _, d := range []outcomes.Decision{{}, {Early: true, ErrorBound: 1e-10},
		{Seen: outcomes.Seen{Outcome: 2, Pair: true, Clusters: 1e6, Largest: 1e6 - 1}, Early: true,
			ErrorBound: math.NaN()}} {
		bytes := outcomes.DecisionCodec.Append(nil, d)
		if len(bytes) > outcomes.DecisionBytes || outcomes.DecisionBytes != 15 {
			t.Errorf("%+v takes %d bytes, %d are reckoned with", d, len(bytes), outcomes.DecisionBytes)
		}
	}
}
