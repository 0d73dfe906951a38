package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

// withEach runs a test in every instruction set of the machine.
func withEach(t *testing.T, test func(t *testing.T)) {
	before := active
	defer func() { active = before }()
	for _, set := range available() {
		active = set
		t.Run(set.name, test)
	}
}

// benchmarkEach does the same for a benchmark.
func benchmarkEach(b *testing.B, benchmark func(b *testing.B)) {
	before := active
	defer func() { active = before }()
	for _, set := range available() {
		active = set
		b.Run(set.name, benchmark)
	}
}

// perLane reports the time of an operation on n numbers as one of each.
func perLane(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), unit)
	b.ReportMetric(0, "ns/op")
}

// sameBits fails the test at the first number that differs in its bits, any NaN being
// like any other.
func sameBits(t *testing.T, what string, got, want []Vector) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d Vectors, want %d", what, len(got), len(want))
	}
	for v := range want {
		for k, w := range want[v] {
			g := got[v][k]
			if math.Float64bits(g) != math.Float64bits(w) && (g == g || w == w) {
				t.Fatalf("%s: Vector %d lane %d: %v (%#x), want %v (%#x)",
					what, v, k, g, math.Float64bits(g), w, math.Float64bits(w))
			}
		}
	}
}

// scattered returns lanes at random addresses, those at the ends of the ranges too.
func scattered(r *rand.Rand, vectors int) (l *Lanes, trajectories, steps []int64) {
	l = NewLanes(NewStream(r.Uint64(), r.Uint64()), vectors)
	for lane := range 8 * vectors {
		trajectory, step := r.Int64N(MaxTrajectories), r.Int64N(MaxSteps-1)
		switch r.IntN(4) {
		case 0:
			trajectory, step = r.Int64N(8), r.Int64N(8)
		case 1:
			trajectory, step = MaxTrajectories-1, 1<<32-1
		}
		l.Set(lane, Increments, trajectory, step)
		trajectories, steps = append(trajectories, trajectory), append(steps, step)
	}
	return l, trajectories, steps
}

func TestSelectRefusesUnknownNames(t *testing.T) {
	before := active
	defer func() { active = before }()
	for _, name := range Available() {
		if err := Select(name); err != nil || Active() != name {
			t.Errorf("%s: %v, %s is active", name, err, Active())
		}
	}
	if err := Select("sse"); err == nil || Active() != Available()[len(Available())-1] {
		t.Errorf("sse: %v, %s is active", err, Active())
	}
}
