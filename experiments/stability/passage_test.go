package stability

import (
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/internal/outcomes"
	"antipode/sde"
	"antipode/sphere/must"
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

// A life ends when the overlap of the clusters comes within the tolerance of 1; before, it is noted when the
// overlap is first 0 or more. Overlaps of exactly 0 and 1-τ count.
func TestPassagesOfALife(t *testing.T) {
	s := New()
	s.Tolerance = 0.5
	cell := sde.Cell{Dim: 2, Tokens: 3, Start: sde.OppositeStart{First: 1, Second: 2}}
	e := &sde.Ensemble[passage]{}
	life{job: job{s: s, cell: cell, layers: 4}}.watch(e)
	if !slices.Equal(e.Times, []int64{1, 2, 3, 4}) {
		t.Errorf("looks at layers %v", e.Times)
	}
	observe, stop := e.Observer(0), e.Stop(0)
	var p passage
	for k, c := range []struct {
		x, y      float64
		zero, end int64
	}{{-1, 0, 0, 0}, {0, 1, 2, 0}, {-0.6, 0.8, 2, 0}, {0.6, 0.8, 2, 4}, {0.8, 0.6, 2, 5}} {
		v := sde.NewView(0, int64(k+1), []float64{1, 0, c.x, c.y, c.x, c.y}, 2)
		observe(&p, v)
		if p.Zero != c.zero || p.End != c.end || stop(v) != (c.end > 0) || !math.IsNaN(p.Within) {
			t.Errorf("layer %d: %+v, stops %v", k+1, p, stop(v))
		}
		if err := (life{job: job{s: s, cell: cell, layers: 4}}).ended(0, p); (err == nil) != (c.end > 0) {
			t.Errorf("layer %d: %v", k+1, err)
		}
	}
}

// The mean of n passage times has an interval from the standard error of their logarithm, and a single time
// has none. The slower half are those beyond the median.
func TestFewPassages(t *testing.T) {
	mean, low, high := meanPassage([]passage{{Zero: 6}}, 2)
	if mean != 3 || !math.IsNaN(low) || !math.IsNaN(high) || !math.IsNaN(finalDecay([]passage{{End: 6}}, 2)) {
		t.Errorf("one passage: %v, %v, %v", mean, low, high)
	}
	for n, want := range map[int64]int64{1: 0, 2: 1, 3: 1, 4: 2} {
		if got := slowerHalf(n); got != want {
			t.Errorf("of %d %d are slow", n, got)
		}
	}
	// Of 2, 3, 5, 9 and 11 layers the slower two exceed the median by 4 and 6.
	ends := []passage{{End: 9}, {End: 2}, {End: 11}, {End: 5}, {End: 3}}
	if got := finalDecay(ends, 10); !(math.Abs(got-0.5) <= 1e-15) {
		t.Errorf("decay time %v", got)
	}
}

// If half as many clusters end in the first of two windows w as in the second, a fraction 1-e^(-w/τ) of the
// others ends in the second, where τ is the lifetime. There is none if nothing ends. The time to settle is 20
// and twice a logarithm, rounded up.
func TestMeanLifeOfWindows(t *testing.T) {
	for _, life := range []float64{30, 1000} {
		ends := 1 - math.Exp(-10/life)
		if got := meanLife(ends/(1+ends/2), 10); !(math.Abs(got/life-1) <= 1e-12) {
			t.Errorf("%v, want %v", got, life)
		}
	}
	if got := meanLife(0, 10); !math.IsNaN(got) {
		t.Errorf("%v where nothing ends", got)
	}
	if settling(0) != 20 || settling(math.E-1) != 22 || settling(math.E) != 23 {
		t.Errorf("%v, %v, %v", settling(0), settling(math.E-1), settling(math.E))
	}
}

// The report says why the theoretical decay time is outside the interval, if it is.
func TestReportOnDecayTimesThatAreNotThoseOfTheTheory(t *testing.T) {
	s := New()
	s.Masses, s.Dim, s.Beta, s.Trajectories = [][2]int{{1, 2}}, []int{5}, []float64{0.5}, 4000
	for theory, want := range map[float64]bool{0.656: true, 1.26: false, 1.4: true, math.NaN(): false} {
		r := data.NullRow[Row]()
		r.Clusters, r.Trajectories = Clusters{1, 2, 5, 0.5}, s.Trajectories
		r.DecayTime, r.DecayTimeTheory = 1.27, theory
		var text strings.Builder
		must.Do(t, s.describeLives(&text, []Row{r}))
		const sentence = "In 1 of 1 cell the decay time of the theory is outside the interval."
		if got := strings.Contains(strings.Join(strings.Fields(text.String()), " "), sentence); got != want {
			t.Errorf("theory %v: %s", theory, &text)
		}
	}
}
