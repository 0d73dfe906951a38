package sde

import (
	"fmt"

	"antipode/sde/internal/kernels"
)

// lane is a trajectory that is being advanced.
type lane struct {
	trajectory int64
	layer      int64 // at which it is
	err        error // why it cannot go on
}

// lanes advance trajectories of one cell side by side. A trajectory does not depend on
// the lane that it is in, or on the others.
type lanes interface {
	// start puts a trajectory into a lane, at layer 0.
	start(k int, trajectory int64) error
	// advance takes the trajectories of the first lanes so many layers further. One that
	// fails stays where it is.
	advance(all []lane, layers int64)
	// see returns the tokens of a lane, until the next call of any method; nil of a chain.
	see(k int) []float64
	// pair returns what is known of a lane of which only the overlap of two clusters is.
	pair(k int) (p Pair, ok bool)
	// move gives lane k the trajectory of another lane.
	move(k, from int)
}

// newLanes returns lanes for a cell, which must be valid.
func newLanes(c Cell, seed uint64, count int, merge bool) lanes {
	if c.Method == Chain {
		return c.Model.recursion().chainLanes(c, seed, count)
	}
	if c.inVectors() {
		return newVectorTokenLanes(c, seed, count, merge)
	}
	l := newTokenLanes(c, seed, count)
	if stepper, ok := l.stepper.(massStepper); ok && merge {
		return newAtomLanes(l, stepper, count)
	}
	return l
}

// tokenLanes are lanes of tokens that a Stepper advances, one lane after the other.
type tokenLanes struct {
	cell      Cell
	stream    kernels.Stream
	stepper   Stepper
	normals   kernels.NormalSequence
	tokens    []float64 // N×d of each lane, one after the other
	increment []float64
}

func newTokenLanes(c Cell, seed uint64, count int) *tokenLanes {
	stepper := NewStepper(c)
	return &tokenLanes{
		cell: c, stream: c.stream(seed), stepper: stepper,
		tokens:    make([]float64, count*c.Tokens*c.Dim),
		increment: make([]float64, stepper.IncrementLen()),
	}
}

func (l *tokenLanes) see(k int) []float64 {
	size := l.cell.Tokens * l.cell.Dim
	return l.tokens[k*size : (k+1)*size]
}

func (*tokenLanes) pair(int) (p Pair, ok bool) { return p, false }

func (l *tokenLanes) move(k, from int) { copy(l.see(k), l.see(from)) }

func (l *tokenLanes) start(k int, trajectory int64) error {
	l.normals.Restart(l.stream, kernels.Starts, trajectory, 0)
	return l.cell.Start.Fill(l.see(k), l.cell.Dim, trajectory, l.normals.Next)
}

func (l *tokenLanes) advance(all []lane, layers int64) {
	for k := range all {
		at, x := &all[k], l.see(k)
		for end := at.layer + layers; at.layer < end && at.err == nil; {
			l.step(at, x)
		}
	}
}

// step takes the tokens of a lane to the next layer.
func (l *tokenLanes) step(at *lane, x []float64) {
	l.cell.Model.draw(l.increment, l.cell.Depth, l.stream, at.trajectory, at.layer)
	if err := l.stepper.Step(x, l.increment); err != nil {
		at.err = fmt.Errorf("layer %d: %w", at.layer+1, err)
		return
	}
	at.layer++
}
