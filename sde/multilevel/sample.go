package multilevel

import (
	"context"
	"fmt"
	"math"

	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sde/internal/kernels"
)

// sampling says what is sampled: f at the depth of a cell, and at a multiple of that depth on
// the same path; if antithetic, there the mean over two paths.
type sampling struct {
	cell       sde.Cell
	steps      int64 // at the depth of the cell
	doublings  int   // of the depth; 0 for f at one depth
	antithetic bool
}

// refined reports whether f is sampled at two depths.
func (s sampling) refined() bool { return s.doublings > 0 }

// largestValue is that of a function of which four powers are finite.
const largestValue = 1e60

// maxSamples is the number of samples of one kind at one depth. The trajectories from it
// on are those at one depth, so that their numbers are not those of a pair.
const maxSamples = kernels.MaxTrajectories / 2

// work is the number of steps that a sample takes.
func (s sampling) work() float64 {
	fine := float64(s.steps << s.doublings)
	switch {
	case s.antithetic:
		return float64(s.steps) + float64(2*fine)
	case s.refined():
		return float64(s.steps) + fine
	}
	return fine
}

// sampler draws the samples of one sampling. The smaller depth is the base of its Brownian
// path, and so its numbers have nothing in common with those at other depths. It
// serves one goroutine and does not allocate after its creation.
type sampler struct {
	sampling
	function func(x []float64) float64
	stream   kernels.Stream
	normals  kernels.NormalSequence
	path     *brownian.Sequence
	fineCell sde.Cell

	coarseStepper, fineStepper sde.Stepper
	coarse, fine, reversed     []float64   // tokens
	parts                      [][]float64 // Brownian increments of the steps within one of the smaller depth
	whole                      []float64   // their sum
	increment                  []float64
}

func newSampler(of sampling, seed uint64, function func(x []float64) float64) *sampler {
	base, fine := of.cell.Depth, of.cell
	fine.Depth = base << of.doublings
	id, entries, size := of.cell.PathID(base), of.cell.IncrementLen(), of.cell.Tokens*of.cell.Dim
	numbers := func(n int) []float64 { return make([]float64, n) }
	parts := make([][]float64, 1<<of.doublings)
	for k := range parts {
		parts[k] = numbers(entries)
	}
	return &sampler{
		sampling: of, function: function, stream: kernels.NewStream(seed, id), fineCell: fine,
		path:          brownian.NewPath(seed, id, base, entries).Sequence(of.doublings),
		coarseStepper: sde.NewStepper(of.cell), fineStepper: sde.NewStepper(fine),
		coarse: numbers(size), fine: numbers(size), reversed: numbers(size),
		parts: parts, whole: numbers(entries), increment: numbers(entries),
	}
}

// sample returns a sample; after the run was stopped, anything.
func (s *sampler) sample(ctx context.Context, number int64) (sample, error) {
	trajectory := number
	if !s.refined() {
		trajectory += maxSamples
	}
	s.normals.Restart(s.stream, kernels.Starts, trajectory, 0)
	if err := s.cell.Start.Fill(s.coarse, s.cell.Dim, trajectory, s.normals.Next); err != nil {
		return sample{}, err
	}
	copy(s.fine, s.coarse)
	copy(s.reversed, s.coarse)
	s.path.Restart(trajectory)
	for k := int64(0); k < s.steps && ctx.Err() == nil; k++ {
		if err := s.step(); err != nil {
			return sample{}, fmt.Errorf("depth %d, trajectory %d, step %d: %w", s.cell.Depth, trajectory, k+1, err)
		}
	}
	return s.values(trajectory)
}

// step takes all tokens over a step of the smaller depth.
func (s *sampler) step() error {
	clear(s.whole)
	for _, part := range s.parts {
		s.path.Next(part)
		for k, v := range part {
			s.whole[k] += v // exact
		}
	}
	if err := s.advance(s.coarseStepper, s.cell, s.coarse, s.whole); err != nil {
		return err
	}
	for k := range s.parts {
		if s.refined() {
			if err := s.advance(s.fineStepper, s.fineCell, s.fine, s.parts[k]); err != nil {
				return err
			}
		}
		if s.antithetic {
			if err := s.advance(s.fineStepper, s.fineCell, s.reversed, s.parts[len(s.parts)-1-k]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *sampler) advance(stepper sde.Stepper, cell sde.Cell, x, brownian []float64) error {
	cell.FromBrownian(s.increment, brownian)
	return stepper.Step(x, s.increment)
}

// values returns f of the tokens.
func (s *sampler) values(trajectory int64) (v sample, err error) {
	v.coarse = s.function(s.coarse)
	v.fine = v.coarse
	if s.refined() {
		v.fine = s.function(s.fine)
		v.slope = s.slope(v.fine - v.coarse)
	}
	if s.antithetic {
		v.fine = float64(0.5*v.fine) + float64(0.5*s.function(s.reversed))
	}
	for _, value := range [...]float64{v.coarse, v.fine} {
		if !(math.Abs(value) <= largestValue) {
			return v, fmt.Errorf("depth %d, trajectory %d: the function is %v; must lie in ±%g", s.cell.Depth, trajectory, value, largestValue)
		}
	}
	return v, nil
}

// slope is the square of a difference of f over that of the distance of the tokens at the two
// depths.
func (s *sampler) slope(difference float64) float64 {
	const rounding = 1e-20 // the distance at which f may differ by rounding errors
	square := rounding
	for k, x := range s.fine {
		change := x - s.coarse[k]
		square += float64(change * change)
	}
	return float64(difference*difference) / square
}
