package sde

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
)

// sampling says what is sampled: f at the depth of a cell, and if refined also at twice
// that depth on the same path; if antithetic, there the mean over two paths.
type sampling struct {
	cell       Cell
	steps      int64 // at the depth of the cell
	refined    bool
	antithetic bool
}

// largestValue is that of a function of which four powers are finite.
const largestValue = 1e60

// maxSamples is the number of samples of one kind at one depth. The trajectories from it
// on are those at one depth, so that their numbers are not those of a pair.
const maxSamples = kernels.MaxTrajectories / 2

// work is the number of steps that a sample takes.
func (s sampling) work() float64 {
	switch {
	case s.antithetic:
		return 5 * float64(s.steps)
	case s.refined:
		return 3 * float64(s.steps)
	}
	return float64(s.steps)
}

// sampler draws the samples of one sampling. The smaller depth is the base of its Brownian
// path, and so its numbers have nothing in common with those at other depths. It
// serves one goroutine and does not allocate after its creation.
type sampler struct {
	sampling
	function func(x []float64) float64
	stream   kernels.Stream
	normals  kernels.NormalSequence
	path     *BrownianSequence
	fineCell Cell

	coarseStepper, fineStepper Stepper
	coarse, fine, swapped      []float64 // tokens
	left, right, whole         []float64 // Brownian increments
	increment                  []float64
}

func newSampler(of sampling, seed uint64, function func(x []float64) float64) *sampler {
	base, fine := of.cell.Depth, of.cell
	fine.Depth = 2 * base
	id, entries, size := of.cell.PathID(base), of.cell.IncrementLen(), of.cell.Tokens*of.cell.Dim
	level := 0
	if of.refined {
		level = 1
	}
	numbers := func(n int) []float64 { return make([]float64, n) }
	return &sampler{
		sampling: of, function: function, stream: kernels.NewStream(seed, id), fineCell: fine,
		path:          NewBrownianPath(seed, id, base, entries).Sequence(level),
		coarseStepper: NewStepper(of.cell), fineStepper: NewStepper(fine),
		coarse: numbers(size), fine: numbers(size), swapped: numbers(size),
		left: numbers(entries), right: numbers(entries), whole: numbers(entries), increment: numbers(entries),
	}
}

// sample returns a sample; after the run was stopped, anything.
func (s *sampler) sample(number int64, stopped func() bool) (sample, error) {
	trajectory := number
	if !s.refined {
		trajectory += maxSamples
	}
	s.normals.Restart(s.stream, kernels.Starts, trajectory, 0)
	if err := s.cell.Start.Fill(s.coarse, s.cell.Dim, trajectory, s.normals.Next); err != nil {
		return sample{}, err
	}
	copy(s.fine, s.coarse)
	copy(s.swapped, s.coarse)
	s.path.Restart(trajectory)
	for k := int64(0); k < s.steps && !stopped(); k++ {
		if err := s.step(); err != nil {
			return sample{}, fmt.Errorf("depth %d, trajectory %d, step %d: %w", s.cell.Depth, trajectory, k+1, err)
		}
	}
	return s.values(trajectory)
}

// step takes all tokens over a step of the smaller depth.
func (s *sampler) step() error {
	if !s.refined {
		s.path.Next(s.whole)
		return s.advance(s.coarseStepper, s.cell, s.coarse, s.whole)
	}
	s.path.Next(s.left)
	s.path.Next(s.right)
	copy(s.whole, s.left)
	addScaled(s.whole, 1, s.right) // exact
	if err := s.advance(s.coarseStepper, s.cell, s.coarse, s.whole); err != nil {
		return err
	}
	if err := s.advanceTwice(s.fine, s.left, s.right); err != nil || !s.antithetic {
		return err
	}
	return s.advanceTwice(s.swapped, s.right, s.left)
}

func (s *sampler) advanceTwice(x, first, second []float64) error {
	if err := s.advance(s.fineStepper, s.fineCell, x, first); err != nil {
		return err
	}
	return s.advance(s.fineStepper, s.fineCell, x, second)
}

func (s *sampler) advance(stepper Stepper, cell Cell, x, brownian []float64) error {
	cell.FromBrownian(s.increment, brownian)
	return stepper.Step(x, s.increment)
}

// values returns f of the tokens.
func (s *sampler) values(trajectory int64) (v sample, err error) {
	v.coarse = s.function(s.coarse)
	v.fine = v.coarse
	if s.refined {
		v.fine = s.function(s.fine)
	}
	if s.antithetic {
		v.fine = float64(0.5*v.fine) + float64(0.5*s.function(s.swapped))
	}
	for _, value := range [...]float64{v.coarse, v.fine} {
		if !(math.Abs(value) <= largestValue) {
			return v, fmt.Errorf("depth %d, trajectory %d: the function is %v; must lie in ±%g", s.cell.Depth, trajectory, value, largestValue)
		}
	}
	return v, nil
}
