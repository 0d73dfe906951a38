package simulate

import (
	"context"
	"fmt"

	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/sde"
	"antipode/sde/energy"
	"antipode/sphere"
)

// Frame is the state of a trajectory after one layer, which Watch shows.
type Frame struct {
	Layer    int64
	Outcome  sphere.Outcome
	Pair     bool      // whether some two tokens are antipodal
	Energy   float64   // see package energy: 1 for one cluster; 0 if not computed
	Overlaps []float64 // overlap of each token with the first token
	Tokens   []float64 // N×d
	Weights  []float64 // N×N attention matrix of the next layer, if wanted

	energies *energy.Energy
}

// mostEnergy is the greatest number of tokens for which the energy is computed as a sum over all pairs.
const mostEnergy = 1000

// Look says how Watch shows a trajectory.
type Look struct {
	Seed      uint64
	Attention bool // whether a Frame has the attention matrix
	// Wanted reports whether a layer is shown; the function must not be nil. Skipping layers saves time.
	Wanted func(layer int64) bool
}

// Watched returns the experiment that saves what Watch shows: the states of the first trajectory at every
// layer. If the states are too large to be saved, the experiment saves outcomes. It is an error if a
// parameter varies, or if the method is the chain, which has no tokens.
func (s *Experiment) Watched() (*Experiment, error) {
	if s.Method == sde.Chain {
		return nil, s.refusedMethod("the chain has no tokens to watch; must be tokens")
	}
	if axes := s.axes(); len(axes) > 0 {
		name := axes[0].column.Name
		return nil, parameter.Errorf(name, s.textOf(name), "must be one value, to watch one trajectory")
	}
	w := *s
	w.Save, w.Interpolate, w.Trajectories, w.Every = saveStates, false, 1, 1/float64(s.Depth)
	w.Numbers.last = w.Numbers.first
	table := &stateTable{tokens: int(w.Tokens), dim: int(w.Dim)}
	if w.Tokens > mostStates || w.checkSize(table, w.Horizon*float64(w.Depth)+1) != nil {
		w.Save = saveOutcomes
	}
	return &w, w.Validate()
}

// From returns the experiment that starts from the given positions of the tokens (N×d), whose norms must be
// within 10^-6 of 1.
func (s *Experiment) From(tokens []float64) (*Experiment, error) {
	if len(tokens) != int(s.Tokens*s.Dim) {
		return nil, parameter.Errorf("start", fmt.Sprintf("%d numbers", len(tokens)), "must be %d numbers, "+
			"for %d tokens of dimension %d", s.Tokens*s.Dim, s.Tokens, s.Dim)
	}
	states, err := sde.NewStatesStart(tokens, int(s.Tokens), int(s.Dim))
	if err != nil {
		return nil, parameter.Errorf("start", "tokens", "%v", err)
	}
	from := *s
	from.Start = setting.StartAt(states)
	return &from, nil
}

// Watch runs the first trajectory with a seed. Watch calls see with the frame of each layer, from the start
// to the horizon, as soon as the layer is computed, from one goroutine. Layers that are not wanted are
// skipped, which saves time. An error of see ends the run. The tokens have the same bits as the tokens of the
// Watched experiment. A frame is valid only during the call of see.
func (s *Experiment) Watch(ctx context.Context, look Look, see func(*Frame) error) error {
	p, err := s.prepareWatch(look)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	frame := &Frame{}
	type none struct{}
	err = (&sde.Ensemble[none]{
		Cells: []sde.Cell{p.cell}, Trajectories: 1, First: s.Numbers.first, Layers: p.horizon,
		Times: layersOf(p.moments),
		Seed:  look.Seed, Workers: 1,
		Observer: func(int) func(*none, *sde.View) {
			return func(_ *none, v *sde.View) {
				if ctx.Err() != nil || !look.Wanted(v.Layer) {
					return
				}
				s.look(frame, v, p.cell, look)
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

// prepareWatch returns what a run of the Watched experiment needs.
func (s *Experiment) prepareWatch(look Look) (p prepared, err error) {
	w, err := s.Watched()
	if err != nil {
		return p, err
	}
	if p, err = w.prepare(); err != nil {
		return p, err
	}
	return p, s.checkLook(look, p.cell)
}

// checkLook returns an error if attention matrices are requested that a trajectory does not have.
func (s *Experiment) checkLook(look Look, cell sde.Cell) error {
	switch {
	case look.Attention && s.Tokens > mostAttended:
		return parameter.Errorf("tokens", s.Tokens, "must be at most %d, to see attention matrices",
			mostAttended)
	case look.Attention && cell.Resampling.Spread > 0:
		return s.Interaction.Refused("the matrices of queries and keys that are drawn anew in each layer " +
			"are not kept; must be left out, to see attention matrices")
	}
	return nil
}

// look sets the frame to the present state of the tokens, which v shows.
func (s *Experiment) look(frame *Frame, v *sde.View, cell sde.Cell, look Look) {
	n := int(s.Tokens)
	if frame.Overlaps == nil {
		frame.Overlaps, frame.energies = make([]float64, n), energy.New(cell)
	}
	frame.Layer, frame.Tokens = v.Layer, v.Tokens()
	frame.Outcome, frame.Pair = v.Outcome(s.Tolerance)
	frame.Overlaps[0] = 1
	for i := 1; i < n; i++ {
		frame.Overlaps[i] = v.Overlap(0, i)
	}
	if n <= mostEnergy || frame.energies.ByHarmonics() {
		frame.Energy = frame.energies.Of(frame.Tokens)
	}
	if look.Attention {
		if frame.Weights == nil {
			frame.Weights = make([]float64, n*n)
		}
		cell.Weights(frame.Weights, frame.Tokens)
	}
}
