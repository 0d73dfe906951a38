package lanes

import (
	"fmt"

	"antipode/sde/internal/kernels"
)

// Stepper advances the tokens of one trajectory (N×d) by a layer, given the random increment of the layer.
type Stepper interface {
	IncrementLen() int
	Step(x, increment []float64) error
}

// Draw samples the increment of a layer of a trajectory; layers are counted from 0.
type Draw func(increment []float64, stream kernels.Stream, trajectory, layer int64)

// NewStepped returns count lanes of tokens that the stepper advances, one lane at a time. With merge, tokens
// that coincide become one atom if the stepper is a MassStepper.
func NewStepped(p Process, stepper Stepper, draw Draw, count int, merge bool) Lanes {
	l := &steppedTokens{
		process: p, stepper: stepper, draw: draw,
		tokens:    make([]float64, count*p.Count*p.Dim),
		increment: make([]float64, stepper.IncrementLen()),
	}
	if stepper, ok := stepper.(MassStepper); ok && merge {
		return newSteppedAtoms(l, stepper, count)
	}
	return l
}

// steppedTokens are Lanes of tokens that a Stepper advances, one trajectory at a time.
type steppedTokens struct {
	process   Process
	stepper   Stepper
	draw      Draw
	normals   kernels.NormalSequence
	tokens    []float64 // N×d for each lane, one lane after the other
	increment []float64
}

func (l *steppedTokens) Tokens(k int) []float64 {
	size := l.process.Count * l.process.Dim
	return l.tokens[k*size : (k+1)*size]
}

func (*steppedTokens) Pair(int) (p Pair, ok bool) { return p, false }

func (l *steppedTokens) Move(k, from int) { copy(l.Tokens(k), l.Tokens(from)) }

func (l *steppedTokens) Copy(k, from int) { l.Move(k, from) }

func (l *steppedTokens) Start(k int, trajectory int64) error {
	l.normals.Restart(l.process.Stream, kernels.Starts, trajectory, 0)
	return l.process.Start(l.Tokens(k), l.process.Dim, trajectory, l.normals.Next)
}

func (l *steppedTokens) Advance(all []Lane, layers int64) {
	for k := range all {
		at, x := &all[k], l.Tokens(k)
		for end := at.Layer + layers; at.Layer < end && at.Err == nil; {
			l.step(at, x)
		}
	}
}

// step advances the tokens x of the trajectory at by one layer.
func (l *steppedTokens) step(at *Lane, x []float64) {
	l.draw(l.increment, l.process.Stream, at.Trajectory, at.Layer)
	if err := l.stepper.Step(x, l.increment); err != nil {
		at.Err = fmt.Errorf("layer %d: %w", at.Layer+1, err)
		return
	}
	at.Layer++
}
