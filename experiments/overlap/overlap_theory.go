package overlap

import (
	"math"

	"antipode/experiments/columns"
	"antipode/experiments/internal/theory"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/firstpassage"
	"antipode/overlap/fokkerplanck"
)

// overlapPoint is what the theory says at one (d, β); NaN where that was not asked
// or is not defined.
type overlapPoint struct {
	diffusion                         *overlap.Diffusion
	boundary, boundaryDepth, lyapunov float64
	antipodal, single                 float64
	lifetime, logLifetime, decayTime  float64
	horizon                           theory.Horizon
}

// diffusionAt is the overlap diffusion of the parameters.
func (o *Experiment) diffusionAt(d int, beta float64) (*overlap.Diffusion, error) {
	attention := theory.Attention(o.Attention)
	switch {
	case o.Epsilon != nil:
		return overlap.NewHybrid(d, beta, attention, *o.Epsilon)
	case !o.equalMasses():
		return overlap.NewMasses(d, beta, attention, 1, o.Masses[0], o.Masses[1])
	}
	return overlap.New(d, beta, attention, 1)
}

func (o *Experiment) point(d int, beta float64) (*overlapPoint, error) {
	diffusion, err := o.diffusionAt(d, beta)
	if err != nil {
		return nil, err
	}
	nan := math.NaN()
	t := &overlapPoint{diffusion: diffusion, boundary: nan, boundaryDepth: nan, lyapunov: nan,
		lifetime: nan, logLifetime: nan, decayTime: nan, horizon: theory.Unknown}
	for _, fill := range []func(*overlapPoint) error{
		o.fillProbabilities, o.fillTimes, o.fillHorizon,
		func(t *overlapPoint) error { return o.fillBoundary(t, d, beta) },
	} {
		if err := fill(t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (o *Experiment) fillProbabilities(t *overlapPoint) error {
	antipodal, single := t.diffusion.AntipodalUniform(), t.diffusion.SingleUniform()
	if o.Z0 != nil {
		var err error
		if antipodal, err = t.diffusion.AntipodalFrom(*o.Z0); err != nil {
			return err
		}
		if single, err = t.diffusion.SingleFrom(*o.Z0); err != nil {
			return err
		}
	}
	t.antipodal, t.single = antipodal.Value, single.Value
	return nil
}

// fillBoundary fills in the boundary in β and the Lyapunov exponent, of equal clusters under random
// value matrices at the depth, if one is given.
func (o *Experiment) fillBoundary(t *overlapPoint, d int, beta float64) error {
	pair := o.Epsilon == nil && o.equalMasses()
	if pair {
		t.boundary = theory.CriticalBeta(d)
	}
	if o.Depth == nil || !pair {
		if exponent, ok := t.diffusion.Lyapunov(); ok {
			t.lyapunov = exponent
		}
		return nil
	}
	attention := theory.Attention(o.Attention)
	layer, err := finitedepth.Antipodal(d, beta, attention, 1, int(*o.Depth))
	if err != nil {
		return err
	}
	t.lyapunov = layer.Lyapunov()
	t.boundaryDepth, err = theory.CriticalBetaDepth(d, attention, *o.Depth)
	return err
}

// fillTimes fills in how long unequal clusters stay antipodal.
func (o *Experiment) fillTimes(t *overlapPoint) error {
	if o.equalMasses() {
		return nil
	}
	lifetime, err := firstpassage.Lifetime(t.diffusion)
	if err != nil {
		return err
	}
	t.lifetime, t.logLifetime = columns.FiniteOrNaN(lifetime.Value), lifetime.Log
	// Where the decay time is refused it stays null.
	if decay, err := firstpassage.DecayTime(t.diffusion); err == nil {
		t.decayTime = columns.FiniteOrNaN(decay.Value)
	}
	return nil
}

// fillHorizon fills in the probabilities at the horizon.
func (o *Experiment) fillHorizon(t *overlapPoint) error {
	if o.Horizon == nil {
		return nil
	}
	const accuracy = 1e-5
	var law []fokkerplanck.Distribution
	var err error
	if times := []float64{*o.Horizon}; o.Z0 == nil {
		law, err = fokkerplanck.Uniform(t.diffusion, times, accuracy)
	} else {
		law, err = fokkerplanck.From(t.diffusion, *o.Z0, times, accuracy)
	}
	if err != nil {
		return err
	}
	t.horizon = theory.HorizonOf(law[0], o.Tolerance)
	return nil
}
