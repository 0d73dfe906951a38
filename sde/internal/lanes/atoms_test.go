package lanes

import (
	"math"
	"slices"
	"testing"
)

func TestMerge(t *testing.T) {
	x := []float64{1, 0, 0, 1, 1, 1e-10, -1, 0, -1e-10, 1, 1, 1e-8}
	a := newAtoms(6)
	a.reset()
	a.merge(x, 2, 2, mergeDistance)
	if !slices.Equal(a.masses, []float64{2, 2, 1, 1}) || !slices.Equal(a.of, []int32{0, 1, 0, 2, 1, 3}) {
		t.Errorf("masses %v, atoms %v", a.masses, a.of)
	}
	if !slices.Equal(x[:8], []float64{1, 0, 0, 1, -1, 0, 1, 1e-8}) {
		t.Errorf("positions %v", x[:8])
	}
	a.reset()
	if len(a.masses) != 6 || a.of[5] != 5 {
		t.Errorf("reset: %v, %v", a.masses, a.of)
	}
}

// crowdSample is atanh Z of two of four tokens after 200 layers of each trajectory, cut
// where tokens are 10^-9 apart.
func crowdSample(t *testing.T, l *vectorTokens, trajectories int) []float64 {
	t.Helper()
	const largest = 21
	values := make([]float64, 0, trajectories)
	for len(values) < trajectories {
		all := make([]Lane, PerVector)
		for k := range all {
			all[k].Trajectory = int64(len(values) + k)
			if err := l.Start(k, all[k].Trajectory); err != nil {
				t.Fatal(err)
			}
		}
		l.Advance(all, 200)
		for k := range all {
			x := l.Tokens(k)
			p := squaresOf(x[:3], x[3:6])
			values = append(values, max(-largest, min(largest, math.Log(p.above/p.below)/2)))
		}
	}
	return values
}

// The law of merged tokens, which continue as a chain once they are two atoms, is that of tokens;
// a merging at 10^-2 is noticed, and a chain that takes the masses for equal: two samples of
// 16,000, whose greatest distance is above 0.0301 in one of 10^6 seeds.
func TestMergedTokensHaveTheLawOfTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("samples of 16,000")
	}
	const n, alarm = 16_000, 0.0301
	plain := crowdSample(t, newVectorTokens(crowd(4, 3, 1), PerVector, false), n)
	for _, test := range []struct {
		name   string
		defect func(l *vectorTokens)
		alarm  bool
	}{
		{"merged", func(*vectorTokens) {}, false},
		{"merged at 0.01", func(l *vectorTokens) { l.distance = 1e-2 }, true},
		{"without masses", func(l *vectorTokens) {
			equal, deviation := Clusters{Process: l.of.Process}, *l.of.PairDeviation
			l.pairs.alone = newGaussianChain(equal, deviation, 1, true)
			l.pairs.together = newGaussianChain(equal, deviation, PerVector, true)
		}, true},
	} {
		l := newVectorTokens(crowd(4, 3, 2), PerVector, true)
		test.defect(l)
		distance := greatestDistance(plain, crowdSample(t, l, n))
		t.Logf("%s: distance %.4f", test.name, distance)
		if (distance > alarm) != test.alarm {
			t.Errorf("%s: distance %.4f", test.name, distance)
		}
	}
}

// greatestDistance is the Kolmogorov-Smirnov distance of two samples.
func greatestDistance(a, b []float64) (distance float64) {
	slices.Sort(a)
	slices.Sort(b)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		at := min(a[i], b[j])
		for i < len(a) && a[i] == at {
			i++
		}
		for j < len(b) && b[j] == at {
			j++
		}
		distance = max(distance, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return distance
}
