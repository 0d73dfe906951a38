// Package brownian drives tokens by Brownian paths that can be refined: several cells of
// different depths, schemes and laws follow one path, so that they differ only by the effect of
// the depth, the scheme or the law.
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

// Path is a standard Brownian path of several independent entries, drawn at
// the steps h·2^-m of the levels m = 0 … maxLevel, h = 1/base the base step in units
// of time. Its increment over [k, k+1]·h·2^-m is a pure function of the path (seed and
// identity), of the trajectory, of m, k and the entry: nothing is stored, and the
// levels share one path.
//
// The increments of level 0 are independent. A refinement is Lévy's: given the
// increment D over a step of length s, the left half has increment D/2 + (√s/2)·g
// with g a standard normal number of its own, at the address of the step, and the
// right half has the rest, D minus that. All increments are multiples of one power of
// two, at most √h·2^-46, to which the left half is rounded. So halves add up to the whole
// exactly, at every level and in any order of summation; and the law is discrete with
// a grain of at most √s·2^-34.
//
// Only the steps h·2^-m exist: Level refuses all others. A path on [0, 1] at steps
// 2^-m is the one with base 1.
//
// There are no increments of low rank. V A needs V on the span of the fields alone, but
// that span belongs to the state of one level at one time: of the sum of two fine
// increments a coarse step would need the part on its own span, of which the fine
// levels have seen their own parts only, each on another span, so that halves would
// not add up unless rank d is drawn. What is consistent is a path of d×N entries G
// with increments G R, R the Cholesky factor of the Gram matrix of the fields: the
// same law, but another path than the others' W, and R is not Lipschitz where
// tokens come together, which they do.
type Path struct {
	stream    kernels.Stream
	entries   int
	base      int
	deviation float64 // √h
	rounder   float64 // adding and subtracting it rounds to the grain
}

const (
	// maxLevel is the finest level of a Brownian path.
	maxLevel = 24
	// MaxBaseSteps is the number of base steps that a Brownian path has.
	MaxBaseSteps = kernels.MaxSteps >> maxLevel
)

// NewPath returns the path of an identity under a seed, with base ≥ 1 base
// steps per unit of time and the given number of entries.
func NewPath(seed, identity uint64, base, entries int) *Path {
	deviation := math.Sqrt(1 / float64(base))
	// No increment exceeds 8.6·√h, the largest normal number. The sum of it and of
	// 1.5·2^52 grains is rounded to a grain if it stays below 2^51 grains.
	_, exponent := math.Frexp(deviation)
	const room = 4 // 2^4 > 8.6
	return &Path{
		stream:  kernels.NewStream(seed, identity),
		entries: entries, base: base, deviation: deviation,
		rounder: math.Ldexp(1.5, exponent+room+1),
	}
}

// Level returns the level of the steps 1/depth. It refuses a depth that is not
// base·2^m with m from 0 to maxLevel.
func (p *Path) Level(depth int) (int, error) {
	for level := range maxLevel + 1 {
		if depth == p.base<<level {
			return level, nil
		}
	}
	return 0, fmt.Errorf("depth %d: must be %d·2^m with m from 0 to %d, to be on one path with depth %d",
		depth, p.base, maxLevel, p.base)
}

// Increment writes the increment over [k, k+1]·h·2^-level to dst, which has a number for each
// entry. It costs level+1 normal numbers for each entry; a Sequence costs one. Arguments
// out of range panic: k ≥ 0 must lie below MaxBaseSteps·2^level.
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

// draw writes the increment of a base step.
func (p *Path) draw(dst []float64, trajectory, step int64) {
	p.stream.Normals(dst, p.deviation, kernels.Paths, trajectory, step<<maxLevel)
	for e, v := range dst {
		dst[e] = v + p.rounder - p.rounder
	}
}

// split replaces the increment over the k-th step of a level by that of its left
// half, and writes that of the right half to right.
func (p *Path) split(whole, right []float64, trajectory int64, level int, k int64) {
	// Within its base step, a step has the number that it would have in a heap, from 1.
	within := int64(1)<<level | k&(1<<level-1)
	address := k>>level<<maxLevel | within
	p.stream.Normals(right, math.Sqrt(math.Ldexp(1/float64(p.base), -level-2)), kernels.Paths, trajectory,
		address)
	for e, d := range whole {
		left := math.FMA(0.5, d, right[e]) + p.rounder - p.rounder
		whole[e], right[e] = left, d-left
	}
}

// Sequence generates the increments of one level of a path in order, at a cost of one
// normal number for each entry and step. It keeps level·entries
// numbers, serves one goroutine and does not allocate after its creation.
type Sequence struct {
	path       *Path
	level      int
	trajectory int64
	next       int64
	waiting    [][]float64 // the right halves of levels 1 … level that are yet to come
}

// Sequence returns the sequence of a level's increments, for trajectory 0 from time 0.
func (p *Path) Sequence(level int) *Sequence {
	s := &Sequence{path: p, level: level, waiting: make([][]float64, level)}
	for m := range s.waiting {
		s.waiting[m] = make([]float64, p.entries)
	}
	return s
}

// Restart goes to time 0 of a trajectory.
func (s *Sequence) Restart(trajectory int64) { s.trajectory, s.next = trajectory, 0 }

// Next writes the next increment to dst. It has the bits of Path.Increment.
func (s *Sequence) Next(dst []float64) {
	s.path.check(dst, s.level)
	k := s.next
	s.next++
	level := 0 // of the increment in dst
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
