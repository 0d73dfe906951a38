// Package brownian drives tokens by Brownian paths that can be refined: several cells of different depths,
// schemes and laws follow one Brownian path, so that the difference between their tokens is the effect of the
// depth, the scheme or the law alone.
//
//	coarse := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1, Depth: 64,
//		Start: sde.UniformStart{}}
//	fine := coarse
//	fine.Depth = 256
//	ensemble := brownian.Ensemble[[2]float64]{
//		Cells: []sde.Cell{coarse, fine}, Trajectories: 100, Steps: 64, Seed: 1, // to time 1
//		Observer: func() func(overlaps *[2]float64, cell int, step int64, x []float64) {
//		return func(overlaps *[2]float64, cell int, step int64, x []float64) {
//			overlaps[cell] = sphere.Dot(x[:3], x[3:])
//		}
//		},
//		Reduce: func(_ int64, overlaps [2]float64) error {
//			distance += math.Abs(overlaps[0]-overlaps[1]) / 100
//			return nil
//		},
//	}
//	err := ensemble.Run(context.Background())
package brownian

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
)

// Path is a standard Brownian path with several independent entries. Let h = 1/base be the length of a base
// step, in units of time. At level m, from 0 to maxLevel, the path has steps of length h·2^-m. The increment
// over the time interval from k·h·2^-m to (k+1)·h·2^-m is a pure function of the seed and the identity of the
// path, the trajectory, the level m, the step k and the entry. A Path stores no increments, and all levels
// share one path.
//
// The increments of the path over steps of level 0 are independent. Finer levels refine the path by Lévy's
// method. Let D be the increment over a step of length s, and let g be the standard normal number that
// belongs to this step. The increment over the left half of the step is D/2 + (√s/2)·g, and the increment
// over the right half is the remainder of D. All increments are multiples of one power of two, the grain,
// which is at most √h·2^-46; the increment over a left half is rounded to such a multiple. So the increments
// over both halves of a step add up exactly to the increment over the step, at every level and in any order
// of summation. The law of an increment over a step of length s is therefore discrete, with a grain of at
// most √s·2^-34.
//
// Only steps of the lengths h·2^-m exist: Path.Level returns an error for other lengths of steps. A path on
// [0, 1] with steps 2^-m is a path with base 1.
//
// A value matrix V is always drawn in full, with rank d, although a step needs V only on the linear span of
// the attention of its tokens. The span of the attention differs between levels of the path and between
// times. A coarse step needs the sum of two fine increments on the span of its own tokens. If each fine step
// sampled its increment only on the span of its own tokens, the increments over the halves of the coarse step
// would not add up to the increment over the coarse step.
//
// A consistent alternative exists for N tokens: a path G of d×N entries, where a step uses the increment of G
// times the Cholesky factor R of the Gram matrix of the attention of the tokens. The tokens have the same law
// on the path G as with full value matrices. But the path G is not the Brownian motion W of cells with full
// value matrices, and R is not a Lipschitz function of the tokens where tokens come together, which
// clustering makes them do.
type Path struct {
	stream    kernels.Stream
	entries   int
	base      int
	deviation float64 // standard deviation √h of a base increment
	rounder   float64 // a number is rounded to the grain by adding and subtracting it
}

const (
	// maxLevel is the number of the finest level of a Brownian path.
	maxLevel = 24
	// MaxBaseSteps is the number of base steps of a Brownian path.
	MaxBaseSteps = kernels.MaxSteps >> maxLevel
)

// NewPath returns the Brownian path that is determined by an identity and a seed, with base ≥ 1 base steps
// per unit of time and the given number of entries.
func NewPath(seed, identity uint64, base, entries int) *Path {
	deviation := math.Sqrt(1 / float64(base))
	// No increment of the path exceeds 8.6·√h, where h is the base step, because no sampled standard normal
	// number exceeds 8.6. If an increment is below 2^51 grains, its sum with 1.5·2^52 grains is rounded to a
	// multiple of the grain.
	_, exponent := math.Frexp(deviation)
	const room = 4 // the largest normal number 8.6 is below 2^4
	return &Path{
		stream:  kernels.NewStream(seed, identity),
		entries: entries, base: base, deviation: deviation,
		rounder: math.Ldexp(1.5, exponent+room+1),
	}
}

// Level returns the level of the path at which steps have the length 1/depth. Level returns an error if depth
// is not base·2^m with m from 0 to maxLevel.
func (p *Path) Level(depth int) (int, error) {
	for level := range maxLevel + 1 {
		if depth == p.base<<level {
			return level, nil
		}
	}
	return 0, fmt.Errorf("depth %d: must be %d·2^m with m from 0 to %d, to be on one path with depth %d",
		depth, p.base, maxLevel, p.base)
}

// Increment writes the increment of the path over step k of a level, from time k·h·2^-level to
// (k+1)·h·2^-level with the base step h, to dst, which has a number for each entry. Increment samples level+1
// normal numbers for each entry, whereas a Sequence samples one. Increment panics if an argument is out of
// range; k must be at least 0 and below MaxBaseSteps·2^level.
func (p *Path) Increment(dst []float64, trajectory int64, level int, k int64) {
	p.check(dst, level)
	p.draw(dst, trajectory, k>>level)
	right := make([]float64, p.entries)
	for m := range level {
		p.split(dst, right, trajectory, m, k>>(level-m))
		if k>>(level-m-1)&1 == 1 {
			copy(dst, right)
		}
	}
}

func (p *Path) check(dst []float64, level int) {
	if len(dst) != p.entries || level < 0 || level > maxLevel {
		panic(fmt.Sprintf("brownian: %d entries of level %d asked from a Brownian path of %d",
			len(dst), level, p.entries))
	}
}

// draw samples the increment over a base step, and writes it to dst.
func (p *Path) draw(dst []float64, trajectory, step int64) {
	p.stream.Normals(dst, p.deviation, kernels.Paths, trajectory, step<<maxLevel)
	for e, v := range dst {
		dst[e] = v + p.rounder - p.rounder
	}
}

// split divides step k of a level. split replaces the increment over the step, which is whole, by the
// increment over the left half, and writes the increment over the right half to right.
func (p *Path) split(whole, right []float64, trajectory int64, level int, k int64) {
	// The steps of all levels within a base step are numbered like the nodes of a heap, from 1.
	within := int64(1)<<level | k&(1<<level-1)
	address := k>>level<<maxLevel | within
	p.stream.Normals(right, math.Sqrt(math.Ldexp(1/float64(p.base), -level-2)), kernels.Paths, trajectory,
		address)
	for e, d := range whole {
		left := math.FMA(0.5, d, right[e]) + p.rounder - p.rounder
		whole[e], right[e] = left, d-left
	}
}

// Sequence generates the increments of one level of a path in order. A Sequence samples one normal number for
// each entry and step. A Sequence stores level·entries numbers, must not be used concurrently, and does not
// allocate after its creation.
type Sequence struct {
	path       *Path
	level      int
	trajectory int64
	next       int64
	waiting    [][]float64 // increments over the right halves that are still to come, for levels 1 … level
}

// Sequence returns the sequence of the increments of a level of the path, for trajectory 0 from time 0.
func (p *Path) Sequence(level int) *Sequence {
	s := &Sequence{path: p, level: level, waiting: make([][]float64, level)}
	for m := range s.waiting {
		s.waiting[m] = make([]float64, p.entries)
	}
	return s
}

// Restart moves the sequence to time 0 of a trajectory.
func (s *Sequence) Restart(trajectory int64) { s.trajectory, s.next = trajectory, 0 }

// Next writes the next increment of the sequence to dst, equal bit for bit to the result of Path.Increment.
func (s *Sequence) Next(dst []float64) {
	s.path.check(dst, s.level)
	k := s.next
	s.next++
	level := 0 // level of the increment in dst so far
	if k&(1<<s.level-1) == 0 {
		s.path.draw(dst, s.trajectory, k>>s.level)
	} else {
		for level = s.level; k>>(s.level-level)&1 == 0; {
			level--
		}
		copy(dst, s.waiting[level-1])
	}
	for ; level < s.level; level++ {
		s.path.split(dst, s.waiting[level], s.trajectory, level, k>>(s.level-level))
	}
}
