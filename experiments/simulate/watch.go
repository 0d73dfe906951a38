package simulate

import (
	"context"
	"math"

	"antipode/experiments/parameter"
	"antipode/sde"
	"antipode/sphere"
)

// Frame is a trajectory at one layer.
type Frame struct {
	Layer    int64
	Outcome  sphere.Outcome
	Pair     bool      // whether at least one pair of tokens is antipodal
	Energy   float64   // Σ e^{β(⟨x,y⟩-1)} / N² over all ordered pairs of tokens: 1 of a single cluster
	Overlaps []float64 // of all tokens with the first
	Tokens   []float64 // N×d
}

// Watched is the experiment that saves what Watch shows: the states of the first trajectory at every layer.
// It is an error if something varies.
func (s *Experiment) Watched() (*Experiment, error) {
	if axes := s.axes(); len(axes) > 0 {
		name := axes[0].column.Name
		return nil, &parameter.Error{
			Parameter: name,
			Value:     s.textOf(name),
			Problem:   "must be one value, to watch one trajectory",
		}
	}
	w := *s
	w.Save, w.Interpolate, w.Trajectories, w.Every = saveStates, false, 1, 1/float64(s.Depth)
	w.Numbers.last = w.Numbers.first
	return &w, w.Validate()
}

// Watch runs the first trajectory of the run with a seed, and shows its layers from the start to the horizon
// as they are computed, from one goroutine. Those that wanted refuses are not looked at, which saves time. An
// error of see ends it. The tokens are, bit for bit, the states that the Watched experiment saves. What see
// is given is valid during the call.
func (s *Experiment) Watch(
	ctx context.Context,
	seed uint64,
	wanted func(layer int64) bool,
	see func(*Frame) error,
) error {
	w, err := s.Watched()
	if err != nil {
		return err
	}
	p, err := w.prepare()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	frame := &Frame{Overlaps: make([]float64, s.Tokens)}
	type none struct{}
	err = (&sde.Ensemble[none]{
		Cells: []sde.Cell{p.cell}, Trajectories: 1, First: s.Numbers.first, Layers: p.horizon,
		Times: layersOf(p.moments),
		Seed:  seed, Workers: 1,
		Observer: func(int) func(*none, *sde.View) {
			return func(_ *none, v *sde.View) {
				if ctx.Err() != nil || !wanted(v.Layer) {
					return
				}
				s.look(frame, v)
				if err := see(frame); err != nil {
					cancel(err)
				}
			}
		},
		Stop:   func(int) func(*sde.View) bool { return func(*sde.View) bool { return ctx.Err() != nil } },
		Reduce: func(int, int64, none) error { return nil },
	}).Run(ctx)
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// look fills in what is seen.
func (s *Experiment) look(frame *Frame, v *sde.View) {
	frame.Layer, frame.Tokens = v.Layer, v.Tokens()
	frame.Outcome, frame.Pair = v.Outcome(s.Tolerance)
	n := int(s.Tokens)
	sum := float64(n)
	for i := range n {
		for j := range i {
			z := v.Overlap(j, i)
			if j == 0 {
				frame.Overlaps[i] = z
			}
			sum += 2 * math.Exp(s.Beta*(z-1))
		}
	}
	frame.Overlaps[0] = 1
	frame.Energy = sum / (float64(n) * float64(n))
}
