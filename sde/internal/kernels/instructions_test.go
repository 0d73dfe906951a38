package kernels

import (
	"math/rand/v2"
	"testing"

	"antipode/internal/instructionset"
	"antipode/sde/internal/runtest"
)

// withEach runs a test in every instruction set of the machine.
func withEach(t *testing.T, test func(t *testing.T)) {
	defer instructionset.Select(instructionset.Active())
	for _, name := range instructionset.Available() {
		instructionset.Select(name)
		t.Run(name, test)
	}
}

// benchmarkEach does the same for a benchmark.
func benchmarkEach(b *testing.B, benchmark func(b *testing.B)) {
	defer instructionset.Select(instructionset.Active())
	for _, name := range instructionset.Available() {
		instructionset.Select(name)
		b.Run(name, benchmark)
	}
}

// These are shared with tests of other packages.
var (
	perLane  = runtest.PerLane
	sameBits = runtest.SameBits
)

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
