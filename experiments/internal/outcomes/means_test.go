package outcomes

import (
	"math"
	"testing"

	"antipode/sphere"
)

// Means over five trajectories of seven tokens: two opposite clusters of 4 and 3, 6 and 1, and 6 and 1
// tokens, one cluster of all, and three clusters of 3, 3 and 1. The sums can be recovered from the means
// without rounding errors, so that those of shards can be added.
func TestMeansOfClusters(t *testing.T) {
	tally := newTallies(1)[0]
	for _, s := range []Seen{{sphere.Antipodal, true, 2, 4}, {sphere.Antipodal, true, 2, 6}, Together(7),
		{sphere.Antipodal, true, 2, 6}, {sphere.Unclustered, false, 3, 3}} {
		tally.add(s, 7)
	}
	m := tally.Means(7)
	near := func(got, want float64) bool { return math.Abs(got-want) < 1e-15 }
	if m.Clusters != 2 || m.Largest != 5.2 || !near(m.Imbalance, 11./21) || !near(m.Square, 51./147) {
		t.Errorf("%+v", m)
	}
	if sums := m.Masses(5, 3, 7); sums != tally.Masses {
		t.Errorf("%+v, want %+v", sums, tally.Masses)
	}
	// The sample standard deviation of 1/7, 5/7, 5/7 is 4/(7√3).
	low, high := m.ImbalanceInterval(3)
	half := 1.959963984540054 * 4 / (7 * math.Sqrt(3)) / math.Sqrt(3)
	if !near(low, max(0, 11./21-half)) || !near(high, 11./21+half) {
		t.Errorf("from %v to %v, want ±%v", low, high, half)
	}
	none := newTallies(1)[0]
	if m := none.Means(7); m.Imbalance == m.Imbalance || m.Masses(0, 0, 7) != (Masses{}) {
		t.Errorf("%+v of nothing", m)
	}
	if _, high := m.ImbalanceInterval(1); high == high {
		t.Error("one trajectory has an interval")
	}
}

// An observation of a million tokens is encoded in at most 1+seenBytes bytes, and its imbalance is that of
// package sphere.
func TestSeenIsKept(t *testing.T) {
	for _, s := range []Seen{{sphere.Unclustered, true, 1e6, 1}, {sphere.Antipodal, true, 2, 1e6 - 1}} {
		if bytes := SeenCodec.Append(nil, []Seen{s}); len(bytes) > 1+seenBytes {
			t.Errorf("%+v takes %d bytes", s, len(bytes))
		}
		largest := int(s.Largest)
		want := sphere.PairMasses(largest, 1e6-largest, s.Outcome).Imbalance
		if got := s.Imbalance(1e6); got != want && (got == got || want == want) {
			t.Errorf("%+v has the imbalance %v, want %v", s, got, want)
		}
	}
}
