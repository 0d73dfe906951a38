package lanes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/internal/longtest"
	"antipode/sphere/must"
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

// crowdSample returns atanh Z of two of four tokens after 200 layers, for each trajectory, bounded by the
// value for tokens that are 10^-9 apart.
func crowdSample(t *testing.T, l *vectorTokens, trajectories int) []float64 {
	t.Helper()
	const largest = 21
	values := make([]float64, 0, trajectories)
	for len(values) < trajectories {
		all := make([]Lane, PerVector)
		for k := range all {
			all[k].Trajectory = int64(len(values) + k)
			must.Do(t, l.Start(k, all[k].Trajectory))
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
// 16,000, whose greatest distance is above 0.0301 in one of 10^6 seeds. For the merging at 10^-2, which is
// noticed most easily, one sample has 2,000.
func TestMergedTokensHaveTheLawOfTokens(t *testing.T) {
	longtest.Only(t)
	const n, alarm = 16_000, 0.0301
	plain := crowdSample(t, newVectorTokens(crowd(4, 3, 1), PerVector, false), n)
	for _, test := range []struct {
		name   string
		n      int
		defect func(l *vectorTokens)
		alarm  bool
	}{
		{"merged", n, func(*vectorTokens) {}, false},
		{"merged at 0.01", n / 8, func(l *vectorTokens) { l.distance = 1e-2 }, true},
		{"without masses", n, func(l *vectorTokens) {
			equal, deviation := Clusters{Process: l.of.Process}, *l.of.PairDeviation
			l.pairs.alone = newGaussianChain(equal, deviation, 1, true)
			l.pairs.together = newGaussianChain(equal, deviation, PerVector, true)
		}, true},
	} {
		l := newVectorTokens(crowd(4, 3, 2), PerVector, true)
		test.defect(l)
		distance := greatestDistance(plain, crowdSample(t, l, test.n))
		t.Logf("%s: distance %.4f", test.name, distance)
		if (distance > alarm) != test.alarm {
			t.Errorf("%s: distance %.4f", test.name, distance)
		}
	}
}

// greatestDistance returns the Kolmogorov-Smirnov distance of two samples.
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

// Many atoms, found in a grid, are joined as by a comparison of all pairs: tokens in clumps of several widths
// about the distance, on both sides of 0.
func TestManyAtomsMergeAsByAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 4))
	for _, d := range []int{2, 3, 5} {
		const n, distance = 3000, 1e-3
		x, a := make([]float64, n*d), newAtoms(n)
		a.reset()
		for i := range n {
			width := []float64{1, 1e-1, 1e-2, 1e-3}[i%4]
			for k := range d {
				x[i*d+k] = width * (2*r.Float64() - 1)
			}
		}
		var kept [][]float64
		of := make([]int32, n)
		for i := range n {
			y := x[i*d : (i+1)*d]
			at := slices.IndexFunc(kept, func(z []float64) bool { return within(distance, z, y) })
			if at < 0 {
				at, kept = len(kept), append(kept, slices.Clone(y))
			}
			of[i] = int32(at)
		}
		a.merge(x, d, d, distance)
		if !slices.Equal(a.of, of) || !slices.Equal(x[:len(kept)*d], slices.Concat(kept...)) {
			t.Errorf("d=%d: %d atoms, want %d", d, len(a.masses), len(kept))
		}
		if len(kept) > n-100 {
			t.Errorf("d=%d: %d of %d tokens are left, a test of nothing", d, len(kept), n)
		}
	}
}
