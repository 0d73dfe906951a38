package clustering

import (
	"fmt"
	"math"

	"antipode/experiments/columns"
	"antipode/experiments/parameter"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/firstpassage"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// overlapPoint is what the theory says at one (d, β); NaN where that was not asked
// or is not defined.
type overlapPoint struct {
	diffusion                         *overlap.Diffusion
	boundary, boundaryDepth, lyapunov float64
	antipodal, single                 float64
	lifetime, logLifetime, decayTime  float64
	horizon                           horizonTheory
}

// diffusionAt is the overlap diffusion of the parameters.
func (o *Overlap) diffusionAt(d int, beta float64) (*overlap.Diffusion, error) {
	attention := overlap.Attention(o.attention().Index())
	switch {
	case o.Epsilon != nil:
		return overlap.NewHybrid(d, beta, attention, *o.Epsilon)
	case !o.equalMasses():
		return overlap.NewMasses(d, beta, attention, 1, o.Masses[0], o.Masses[1])
	}
	return overlap.New(d, beta, attention, 1)
}

func (o *Overlap) point(d int, beta float64) (*overlapPoint, error) {
	diffusion, err := o.diffusionAt(d, beta)
	if err != nil {
		return nil, err
	}
	nan := math.NaN()
	t := &overlapPoint{diffusion: diffusion, boundary: nan, boundaryDepth: nan, lyapunov: nan,
		lifetime: nan, logLifetime: nan, decayTime: nan, horizon: unknownHorizon}
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

func (o *Overlap) fillProbabilities(t *overlapPoint) error {
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
func (o *Overlap) fillBoundary(t *overlapPoint, d int, beta float64) error {
	pair := o.Epsilon == nil && o.equalMasses()
	if pair {
		t.boundary = criticalBeta(d)
	}
	if o.Depth == nil || !pair {
		if exponent, ok := t.diffusion.Lyapunov(); ok {
			t.lyapunov = exponent
		}
		return nil
	}
	attention := overlap.Attention(o.attention().Index())
	layer, err := finitedepth.Antipodal(d, beta, attention, 1, int(*o.Depth))
	if err != nil {
		return err
	}
	t.lyapunov = layer.Lyapunov()
	t.boundaryDepth, err = criticalBetaDepth(d, attention, *o.Depth)
	return err
}

// fillTimes fills in how long unequal clusters stay antipodal.
func (o *Overlap) fillTimes(t *overlapPoint) error {
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
func (o *Overlap) fillHorizon(t *overlapPoint) error {
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
	t.horizon = horizonOf(law[0], o.Tolerance)
	return nil
}

// criticalBeta is NaN where there is no threshold, for d = 2.
func criticalBeta(d int) float64 {
	if beta, exists := overlap.CriticalBeta(d); exists {
		return beta
	}
	return math.NaN()
}

// criticalBetaDepth is the same at finite depth, for Gaussian value matrices.
func criticalBetaDepth(d int, attention overlap.Attention, depth int64) (float64, error) {
	beta, exists, err := finitedepth.CriticalBeta(d, attention, 1, int(depth))
	if err != nil || exists {
		return beta, err
	}
	return math.NaN(), nil
}

// largestUnnormalizedBeta keeps the clock of unnormalised attention, which runs like
// e^2β, within the range of float64; the fields themselves reach further.
const largestUnnormalizedBeta = 340

// checkClock refuses β for which the times of unnormalised attention overflow.
func checkClock(attention string, betas []float64) error {
	for _, beta := range betas {
		if beta > largestUnnormalizedBeta && attention == sde.Unnormalized.String() {
			return &parameter.Error{Parameter: "beta", Value: parameter.FormatReal(beta),
				Problem: fmt.Sprintf("e^2β overflows in unnormalized attention; must be at most %d, or use softmax", largestUnnormalizedBeta)}
		}
	}
	return nil
}
