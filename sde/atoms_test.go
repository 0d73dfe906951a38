package sde

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"antipode/sphere"
)

func TestMerge(t *testing.T) {
	x := []float64{1, 0, 0, 1, 1, 1e-10, -1, 0, -1e-10, 1, 1, 1e-8}
	a := atoms{make([]float64, 6), make([]int32, 6)}
	a.reset()
	a.merge(x, 2, mergeDistance)
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

// Atoms of several tokens move as those tokens do, bit for bit but for the order of sums.
func TestAtomsMoveAsTheirTokens(t *testing.T) {
	for _, c := range models(5, 3) {
		if c.Model.recursion() == nil { // whose tokens do not merge
			continue
		}
		if m, is := c.Model.(Transformer); is && m.Law == Gaussian { // two atoms go on as a chain, on other numbers
			c.Model = withLaw(c.Model, Uniform)
		}
		c.Start = OppositeStart{2, 3}
		merged := newLanes(c, 2, 1, true)
		plain := newLanes(c, 2, 1, false)
		one, other := make([]lane, 1), make([]lane, 1)
		if err := merged.start(0, 0); err != nil {
			t.Fatal(err)
		}
		if err := plain.start(0, 0); err != nil {
			t.Fatal(err)
		}
		merged.advance(one, 48)
		plain.advance(other, 48)
		if n := countAtoms(merged); n < 1 || n > 2 {
			t.Errorf("%s: %d atoms", name(c), n)
		}
		for k, v := range numbers(plain, 0) {
			if math.Abs(v-numbers(merged, 0)[k]) > 1e-8 {
				t.Fatalf("%s: tokens %v, of atoms %v", name(c), numbers(plain, 0), numbers(merged, 0))
			}
		}
	}
}

// countAtoms is the number of atoms of lane 0.
func countAtoms(l lanes) int {
	switch l := l.(type) {
	case *atomLanes:
		return len(l.atoms[0].masses)
	case *vectorTokenLanes:
		return len(l.atoms[0].masses)
	}
	return 0
}

// crowd is a cell whose tokens come together in groups.
func crowd(n, d int) Cell {
	return Cell{Model: Transformer{Sigma: 1}, Tokens: n, Dim: d, Beta: 4, Depth: 10, Start: UniformStart{}}
}

// Merging changes no outcome, nor the antipodal pairs, of any trajectory: the draws are the
// same, under a law for which two atoms are no chain.
func TestMergingChangesNoOutcome(t *testing.T) {
	const trajectories = 60
	uniform := func(c Cell) Cell {
		c.Model = withLaw(c.Model, Uniform)
		return c
	}
	run := func(merge bool) (seen []string) {
		e := &Ensemble[string]{
			Cells: []Cell{uniform(crowd(16, 3)), uniform(crowd(12, 4))}, Trajectories: trajectories, Layers: 600, Seed: 3,
			Times: []int64{100, 200, 300, 400, 500, 600}, Merge: merge,
			Observer: func(cell int) func(*string, *View) {
				c := sphere.NewClassifier(16, 1e-3)
				return func(row *string, v *View) {
					outcome, pair := c.Classify(v.Tokens(), 3+cell)
					*row += fmt.Sprint(outcome, pair, " ")
				}
			},
			Reduce: func(_ int, _ int64, row string) error { seen = append(seen, row); return nil },
		}
		if err := e.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return seen
	}
	merged := run(true)
	for k, row := range run(false) {
		if merged[k] != row {
			t.Errorf("trajectory %d: %s, merged %s", k, row, merged[k])
		}
	}
}

// crowdSample is atanh Z of two of four tokens after 200 layers of so many trajectories. It is
// cut where tokens are 10^-9 apart.
func crowdSample(t *testing.T, l *vectorTokenLanes, trajectories int) []float64 {
	t.Helper()
	const largest = 21
	values := make([]float64, 0, trajectories)
	for len(values) < trajectories {
		all := make([]lane, lanesOfVector)
		for k := range all {
			all[k].trajectory = int64(len(values) + k)
			if err := l.start(k, all[k].trajectory); err != nil {
				t.Fatal(err)
			}
		}
		l.advance(all, 200)
		for k := range all {
			p := squaresOf(numbers(l, k)[:3], numbers(l, k)[3:6])
			values = append(values, max(-largest, min(largest, math.Log(p.above/p.below)/2)))
		}
	}
	return values
}

// The law of merged tokens, which go on as a chain once they are two atoms, is that of tokens;
// a merging at 10^-2 is noticed, and a chain that takes the masses for equal: two samples of
// 16,000, whose greatest distance is above 0.0301 in one of 10^6 seeds.
func TestMergedTokensHaveTheLawOfTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("samples of 16,000")
	}
	const n, alarm = 16_000, 0.0301
	c := crowd(4, 3)
	plain := crowdSample(t, newVectorTokenLanes(c, 1, lanesOfVector, false), n)
	for _, test := range []struct {
		name   string
		defect func(l *vectorTokenLanes)
		alarm  bool
	}{
		{"merged", func(*vectorTokenLanes) {}, false},
		{"merged at 0.01", func(l *vectorTokenLanes) { l.distance = 1e-2 }, true},
		{"without masses", func(l *vectorTokenLanes) {
			l.pairs.alone, l.pairs.together = newVectorChainLanes(c, 1, l.stream, 1, true), newVectorChainLanes(c, 1, l.stream, lanesOfVector, true)
		}, true},
	} {
		l := newVectorTokenLanes(c, 2, lanesOfVector, true)
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

// Where a lane is does not matter to its trajectory, nor do the others: in a crowd that is
// arranged as it goes each has the bits of a trajectory alone.
func TestArrangedLanesAreTrajectoriesAlone(t *testing.T) {
	c, moved := crowd(16, 3), false
	l := newVectorTokenLanes(c, 5, 3*lanesOfVector, true)
	all := make([]lane, 3*lanesOfVector-3)
	for k := range all {
		all[k].trajectory = int64(k)
		if err := l.start(k, all[k].trajectory); err != nil {
			t.Fatal(err)
		}
	}
	for all[0].layer < 480 {
		l.advance(all, 32)
		moved = moved || !slices.IsSorted(l.places)
	}
	if !moved {
		t.Error("lanes were not arranged")
	}
	for k := range all {
		alone, one := newVectorTokenLanes(c, 5, 1, true), []lane{{trajectory: int64(k)}}
		if err := alone.start(0, int64(k)); err != nil {
			t.Fatal(err)
		}
		alone.advance(one, 480)
		if !slices.Equal(numbers(alone, 0), numbers(l, k)) {
			t.Errorf("trajectory %d: %v, alone %v", k, numbers(l, k), numbers(alone, 0))
		}
	}
}
