package brownian

import (
	"math"
	"slices"
	"testing"
)

// Halves add up to the whole exactly, over 20 levels, on sampled steps.
func TestHalvesAddUpToTheWhole(t *testing.T) {
	const entries = 5
	for _, base := range []int{1, 3, 100} {
		path := NewPath(1, 2, base, entries)
		whole, left, right := make([]float64, entries), make([]float64, entries), make([]float64, entries)
		for level := range 20 {
			for trajectory := range int64(20) {
				k := trajectory * 7919 % (3 << level)
				path.Increment(whole, trajectory, level, k)
				path.Increment(left, trajectory, level+1, 2*k)
				path.Increment(right, trajectory, level+1, 2*k+1)
				for e := range entries {
					if left[e]+right[e] != whole[e] || left[e] == right[e] {
						t.Fatalf("base %d level %d step %d: %v + %v is not %v", base, level, k, left[e],
							right[e], whole[e])
					}
				}
			}
		}
	}
}

// 2^12 increments, in any order, add up to the three of level 0; a sequence gives the
// bits of the increments by address, also after it was moved to another trajectory.
func TestSequenceEqualsIncrementsByAddress(t *testing.T) {
	const entries, level = 3, 12
	path := NewPath(4, 5, 10, entries)
	sequence := path.Sequence(level)
	got, want := make([]float64, entries), make([]float64, entries)
	for _, trajectory := range []int64{0, 9} {
		sequence.Restart(trajectory)
		sum := make([]float64, entries)
		for k := range int64(3 << level) {
			sequence.Next(got)
			if k%97 < 2 {
				if path.Increment(want, trajectory, level, k); !slices.Equal(got, want) {
					t.Fatalf("trajectory %d step %d: %v, want %v", trajectory, k, got, want)
				}
			}
			for e, v := range got {
				sum[e] += v
			}
		}
		for k := range int64(3) {
			path.Increment(want, trajectory, 0, k)
			for e, v := range want {
				sum[e] -= v
			}
		}
		for _, v := range sum {
			if v != 0 {
				t.Errorf("trajectory %d: the increments of level %d differ from those of level 0 by %v",
					trajectory, level, sum)
			}
		}
	}
}

// The increments of each level are independent standard normal numbers, times √Δt:
// four moments, and the correlations of neighbours and of entries, each within 5
// standard errors of 10^5 numbers. A false alarm in some 10^4 seeds.
func TestIncrementsAreIndependentAndNormal(t *testing.T) {
	const n, base = 100_000, 8
	path := NewPath(6, 7, base, 2)
	for _, level := range []int{0, 1, 2, 5, 16, maxLevel} {
		deviation := math.Sqrt(1 / math.Ldexp(base, level))
		sequence := path.Sequence(level)
		var moments [5]float64
		neighbours, entries, before := 0.0, 0.0, 0.0
		for trajectory := range int64(n / 1000) {
			sequence.Restart(trajectory)
			increment := make([]float64, 2)
			for range 1000 {
				sequence.Next(increment)
				g, h := increment[0]/deviation, increment[1]/deviation
				for power, p := 0, 1.0; power < 5; power, p = power+1, p*g {
					moments[power] += p / n
				}
				neighbours += g * before / n
				entries += g * h / n
				before = g
			}
		}
		want := []float64{1, 0, 1, 0, 3}
		variance := []float64{1, 1, 2, 15, 96} // of the powers of a normal number
		for power, m := range moments {
			if !(math.Abs(m-want[power]) <= 5*math.Sqrt(variance[power]/n)) {
				t.Errorf("level %d: moment %d is %v", level, power, m)
			}
		}
		if bound := 5 / math.Sqrt(n); !(math.Abs(neighbours) <= bound) || !(math.Abs(entries) <= bound) {
			t.Errorf("level %d: correlations %v and %v", level, neighbours, entries)
		}
	}
}

func TestPathsOfOtherAddressesDiffer(t *testing.T) {
	first := func(seed, identity uint64, trajectory int64) float64 {
		dst := make([]float64, 1)
		NewPath(seed, identity, 1, 1).Increment(dst, trajectory, 3, 5)
		return dst[0]
	}
	a := []float64{first(1, 1, 0), first(2, 1, 0), first(1, 2, 0), first(1, 1, 1)}
	slices.Sort(a)
	if len(slices.Compact(a)) != 4 {
		t.Errorf("increments %v", a)
	}
	// The first two entries do not depend on how many there are.
	short, long := make([]float64, 2), make([]float64, 7)
	NewPath(1, 1, 1, 2).Increment(short, 0, 3, 5)
	NewPath(1, 1, 1, 7).Increment(long, 0, 3, 5)
	if !slices.Equal(short, long[:2]) {
		t.Errorf("%v and %v", short, long)
	}
}

func TestLevelOfADepth(t *testing.T) {
	path := NewPath(1, 1, 10, 1)
	for depth, want := range map[int]int{10: 0, 20: 1, 10 << 24: 24} {
		if level, err := path.Level(depth); err != nil || level != want {
			t.Errorf("depth %d: level %d, error %v", depth, level, err)
		}
	}
	for _, depth := range []int{0, 5, 12, 30, 10 << 25} {
		if _, err := path.Level(depth); err == nil {
			t.Errorf("depth %d: accepted", depth)
		}
	}
}

func TestSequenceDoesNotAllocate(t *testing.T) {
	sequence, increment := NewPath(1, 1, 4, 9).Sequence(10), make([]float64, 9)
	if n := testing.AllocsPerRun(1000, func() { sequence.Next(increment) }); n != 0 {
		t.Errorf("%v allocations for an increment", n)
	}
}

func BenchmarkSequence(b *testing.B) {
	const entries = 16
	sequence, increment := NewPath(1, 1, 1, entries).Sequence(20), make([]float64, entries)
	for range b.N {
		sequence.Next(increment)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*entries), "ns/entry")
}
