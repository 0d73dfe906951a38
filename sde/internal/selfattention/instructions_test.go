package selfattention

import (
	"math/rand/v2"
	"testing"

	"antipode/internal/instructionset"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/runtest"
)

// withEach runs a test in every instruction set of the machine.
func withEach(t *testing.T, test func(t *testing.T)) {
	for _, name := range instructionset.Available() {
		t.Run(name, func(t *testing.T) { in(name, func() { test(t) }) })
	}
}

// benchmarkEach does the same for a benchmark.
func benchmarkEach(b *testing.B, benchmark func(b *testing.B)) {
	for _, name := range instructionset.Available() {
		b.Run(name, func(b *testing.B) { in(name, func() { benchmark(b) }) })
	}
}

// in does something in the instruction set of that name.
func in(name string, do func()) {
	before := instructionset.Active()
	defer instructionset.Select(before)
	if err := instructionset.Select(name); err != nil {
		panic(err)
	}
	do()
}

// inGeneric returns what a run gives without vector instructions.
func inGeneric(run func() []Vector) (want []Vector) {
	in("generic", func() { want = run() })
	return want
}

// anywhere returns lanes at different addresses.
func anywhere(r *rand.Rand) *kernels.Lanes {
	l := kernels.NewLanes(kernels.NewStream(r.Uint64(), r.Uint64()), 1)
	for lane := range 8 {
		l.Set(lane, kernels.Increments, r.Int64N(kernels.MaxTrajectories), r.Int64N(kernels.MaxSteps-1))
	}
	return l
}

// Each instruction set of the machine has its own kernels here, in the order of their levels.
func TestLevels(t *testing.T) {
	seen := map[*instructions]bool{}
	for _, name := range instructionset.Available() {
		in(name, func() { seen[active()] = true })
	}
	if len(seen) != len(instructionset.Available()) {
		t.Errorf("%d of %v differ", len(seen), instructionset.Available())
	}
}

// The weights of a row have the bits of their version in Go, at every length.
func TestWeightsHaveTheBitsOfTheirTwin(t *testing.T) {
	withEach(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 3))
		for n := range 20 {
			got, want := make([]Vector, n), make([]Vector, n)
			for v := range got {
				for lane := range got[v] {
					got[v][lane] = r.NormFloat64()
				}
			}
			copy(want, got)
			law := NewAttention(2.7, 5, n%2 == 0).law
			active().weights(got, &law)
			weightsGeneric(want, &law)
			runtest.SameBits(t, "weights", got, want)
		}
	})
}
