package brownian

import (
	"fmt"

	"antipode/sde"
	"antipode/sde/internal/kernels"
)

// Coupled advances the tokens of several cells along one Brownian path from one start. The cells may differ
// in depth, scheme and law; some cells may be recursions, and other cells the limits of these recursions. The
// smallest depth is called the base, and every depth is the base times a power of two. The weights of an MLP
// are also increments of the path: the weights of a coarse step are the normalised sums of the weights of the
// fine steps that it contains. A Coupled must not be used concurrently, and does not allocate after its
// creation.
//
// The random numbers of trajectory k are a pure function of the seed, of the PathID of the cells of the
// smallest depth, and of k. The random numbers of a Coupled do not depend on the depths of the other cells.
type Coupled struct {
	cells    []sde.Cell
	steppers []sde.Stepper
	tokens   [][]float64
	levels   []int
	entries  []int // number of entries of an increment of each cell; 0 for a cell without noise
	path     *Path
	sequence *Sequence
	normals  kernels.NormalSequence
	stream   kernels.Stream
	finest   int
	sums     [][]float64 // for each level, the increment since the last step of that level
	scratch  []float64
	step     int64 // number of base steps done since the start
}

// NewCoupled returns cells that are coupled by the path of a seed. The error of NewCoupled names the setting
// in which the cells do not fit each other. Each cell must be valid, with one attention head and no random
// scores.
func NewCoupled(cells []sde.Cell, seed uint64) (*Coupled, error) {
	if len(cells) == 0 {
		return nil, fmt.Errorf("no cells")
	}
	base := cells[0].Depth
	for _, c := range cells {
		if err := validate(c); err != nil {
			return nil, err
		}
		base = min(base, c.Depth)
	}
	id := cells[0].PathID(base)
	for _, c := range cells {
		if c.PathID(base) != id {
			return nil, fmt.Errorf("coupled cells must differ in nothing but depth, scheme and law")
		}
	}
	return newCoupled(cells, NewPath(seed, id, base, cells[0].PathLen()), kernels.NewStream(seed, id))
}

// validate returns an error for a cell that no Brownian path can drive.
func validate(c sde.Cell) error {
	if c.Heads > 1 || c.Resampling.Spread != 0 {
		return fmt.Errorf("cells on one path have one head and no random scores: " +
			"the path is that of one value matrix")
	}
	return c.Validate()
}

// newCoupled returns cells that follow the given Brownian path. The stream generates the random numbers of
// their common start.
func newCoupled(cells []sde.Cell, path *Path, stream kernels.Stream) (*Coupled, error) {
	s := &Coupled{cells: cells, path: path, stream: stream, scratch: make([]float64, path.entries)}
	for _, c := range cells {
		level, err := s.path.Level(c.Depth)
		if err != nil {
			return nil, err
		}
		s.levels, s.finest = append(s.levels, level), max(s.finest, level)
		s.steppers = append(s.steppers, sde.NewStepper(c))
		s.tokens = append(s.tokens, make([]float64, c.Tokens*c.Dim))
		s.entries = append(s.entries, c.PathLen())
	}
	for range s.finest + 1 {
		s.sums = append(s.sums, make([]float64, path.entries))
	}
	s.sequence = s.path.Sequence(s.finest)
	return s, s.Restart(0)
}

// Restart puts the tokens of all cells at the start of the trajectory with the given number, from 0 to
// 2^40-1.
func (s *Coupled) Restart(trajectory int64) error {
	c := s.cells[0]
	s.normals.Restart(s.stream, kernels.Starts, trajectory, 0)
	if err := c.Start.Fill(s.tokens[0], c.Dim, trajectory, s.normals.Next); err != nil {
		return err
	}
	for _, x := range s.tokens[1:] {
		copy(x, s.tokens[0])
	}
	for _, sum := range s.sums {
		clear(sum)
	}
	s.sequence.Restart(trajectory)
	s.step = 0
	return nil
}

// Tokens returns the tokens (N×d) of a coupled cell, given by its index. The returned slice belongs to s and
// changes with each step.
func (s *Coupled) Tokens(cell int) []float64 { return s.tokens[cell] }

// Base returns the smallest depth of the cells, which is the number of base steps per unit of time.
func (s *Coupled) Base() int { return s.path.base }

// Advance advances all cells by one base step, which is one step of a cell of the smallest depth, and several
// steps of a deeper cell. After each step of each cell, observe, if not nil, is called with the number of
// steps of this cell since the start and with its tokens x (N×d).
func (s *Coupled) Advance(observe func(cell int, step int64, x []float64)) error {
	if s.step >= MaxBaseSteps {
		return fmt.Errorf("a Brownian path has %d steps of its smallest depth", int64(MaxBaseSteps))
	}
	for k := range int64(1) << s.finest {
		fine := s.sums[s.finest]
		s.sequence.Next(fine)
		for level := s.finest; level >= 0; level-- {
			if level < s.finest {
				for k, v := range fine {
					s.sums[level][k] += v // this sum is exact
				}
			}
			if (k+1)&(1<<(s.finest-level)-1) != 0 {
				continue
			}
			done := s.step<<level + (k+1)>>(s.finest-level)
			if err := s.advance(level, done, observe); err != nil {
				return err
			}
			if level < s.finest {
				clear(s.sums[level])
			}
		}
	}
	s.step++
	return nil
}

// advance advances the cells whose steps are those of a level of the path by one step.
func (s *Coupled) advance(level int, done int64, observe func(cell int, step int64, x []float64)) error {
	for i, c := range s.cells {
		if s.levels[i] != level {
			continue
		}
		increment := s.scratch[:s.entries[i]]
		c.FromBrownian(increment, s.sums[level][:len(increment)])
		if err := s.steppers[i].Step(s.tokens[i], increment); err != nil {
			return fmt.Errorf("cell %d, step %d: %w", i, done, err)
		}
		if observe != nil {
			observe(i, done, s.tokens[i])
		}
	}
	return nil
}
