package overlap

import (
	"math"

	"antipode/data"
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/firstpassage"
	"antipode/sde"
)

// cell returns two tokens at a point (d, β) of the grid, with all sublayers.
func (o *Experiment) cell(d int, beta float64) sde.Cell {
	c := o.beside().With(sde.Cell{
		Model: sde.Transformer{Sigma: 1, Covariance: o.Covariance}, Attention: o.Attention,
		Tokens: 2, Dim: d, Beta: beta, Resampling: o.Interaction.Resampling(),
	})
	if o.Epsilon != nil {
		c.Model, c.Resampling = sde.Hybrid{Law: o.Law, Epsilon: o.Epsilon[0]}, sde.Resampling{}
	}
	if o.Depth != nil {
		c.Depth = int(*o.Depth)
	}
	return c
}

// diffusionAt returns the diffusion of the overlap at a point (d, β) of the grid, with all sublayers.
func (o *Experiment) diffusionAt(d int, beta float64) (*overlap.Diffusion, error) {
	return theory.ClustersDiffusion(o.cell(d, beta), o.Masses)
}

// row returns the row of a point (d, β) of the grid.
func (o *Experiment) row(d int, beta float64) (fullRow, error) {
	r := data.NullRow[fullRow]()
	r.Dim, r.Beta = int32(d), beta
	diffusion, err := o.diffusionAt(d, beta)
	if err != nil {
		return r, err
	}
	r.PlusOne, r.MinusOne = diffusion.PlusOne(), diffusion.MinusOne()
	o.fillProbabilities(&r.Row, diffusion)
	o.fillTimes(&r.Row, diffusion)
	o.fillHorizon(&r.Row, diffusion)
	if err := o.fillBoundary(&r.Row, diffusion); err != nil {
		return r, err
	}
	o.fillDepth(&r.Row)
	o.fillDerivatives(&r, diffusion)
	o.fillCertificate(&r)
	o.fillThree(&r)
	if law, exists := diffusion.Stationary(); exists {
		r.LimitMean = law.Mean()
	}
	if time, exists := firstpassage.RelaxationTime(diffusion); exists {
		r.Relaxation = data.FiniteOrNaN(time.Value)
	}
	return r, nil
}

// fillProbabilities sets in a row the start of the overlap and the probabilities of the outcomes at infinite
// depth and horizon.
func (o *Experiment) fillProbabilities(r *Row, diffusion *overlap.Diffusion) {
	antipodal, single := diffusion.AntipodalUniform(), diffusion.SingleUniform()
	if o.Z0 != nil {
		r.Z0 = *o.Z0
		antipodal, _ = diffusion.AntipodalFrom(*o.Z0) // Validate has refused what is not an overlap
		single, _ = diffusion.SingleFrom(*o.Z0)
	}
	r.Antipodal, r.Single = antipodal.Value, single.Value
}

// fillBoundary sets in a row the critical β and the Lyapunov exponent for clusters of equal size under random
// value matrices, at the depth if one is given. fillBoundary also sets the exponents of distances within and
// between two opposite clusters of equal size.
func (o *Experiment) fillBoundary(r *Row, diffusion *overlap.Diffusion) error {
	if o.equalMasses() {
		if exponent, ok := diffusion.Within(); ok {
			r.Within = data.FiniteOrNaN(exponent)
		}
		if exponent, ok := diffusion.Lyapunov(); ok {
			r.Between = data.FiniteOrNaN(exponent)
		}
	}
	if o.showsBoundary() && !o.showsBlockBoundary() {
		r.SpreadC = o.spreadC(int(r.Dim), r.Beta)
	}
	switch {
	case !o.hasBoundary() || o.resampled():
	case o.beside().None():
		r.BetaC = theory.CriticalBeta(int(r.Dim), o.Covariance)
	default:
		var err error
		r.BetaC, err = theory.CriticalBetaOf(func(beta float64) (*overlap.Diffusion, error) {
			return o.diffusionAt(int(r.Dim), beta)
		})
		if err != nil {
			return err
		}
	}
	if o.Depth == nil || !o.hasExponents() {
		if exponent, ok := diffusion.Lyapunov(); ok {
			r.Lyapunov = data.FiniteOrNaN(exponent)
		}
		return nil
	}
	return o.fillAtDepth(r)
}

// fillAtDepth sets in a row the Lyapunov exponent of two opposite tokens at the depth.
func (o *Experiment) fillAtDepth(r *Row) error {
	var err error
	r.Lyapunov, err = theory.LyapunovDepth(finitedepth.Isotropic{
		Dim: int(r.Dim), Beta: r.Beta, Attention: theory.Attention(o.Attention), Sigma: 1,
		Covariance: o.Covariance, Depth: int(*o.Depth),
		Spread: o.Interaction.Resampling().Spread,
	})
	return err
}

// criticalAtDepth returns the critical β at the depth of the experiment, or NaN if it is not known.
func (o *Experiment) criticalAtDepth(d int) (float64, error) {
	if o.Depth == nil || !o.hasExponents() || o.resampled() {
		return math.NaN(), nil
	}
	return theory.CriticalBetaDepth(d, theory.Attention(o.Attention), 1, o.Covariance, *o.Depth)
}

// fillTimes sets in a row how long clusters of unequal size stay antipodal. If these times cannot be
// computed, their columns stay null.
func (o *Experiment) fillTimes(r *Row, diffusion *overlap.Diffusion) {
	if r.MinusOne == overlap.Attracting || r.MinusOne == overlap.NonAttracting {
		return
	}
	if lifetime, err := firstpassage.Lifetime(diffusion); err == nil {
		r.Lifetime, r.LogLifetime = data.FiniteOrNaN(lifetime.Value), lifetime.Log
	}
	if decay, err := firstpassage.DecayTime(diffusion); err == nil {
		r.DecayTime = data.FiniteOrNaN(decay.Value)
	}
}

// fillHorizon sets in a row the probabilities of the outcomes at the horizon. If these probabilities cannot
// be computed, their columns stay null.
func (o *Experiment) fillHorizon(r *Row, diffusion *overlap.Diffusion) {
	if o.Horizon == nil {
		return
	}
	const accuracy = 1e-5
	if law, err := theory.LawAt(diffusion, o.Z0, *o.Horizon, accuracy); err == nil {
		at := theory.HorizonOf(law, o.Tolerance)
		r.AntipodalHorizon, r.SingleHorizon, r.HorizonError = at.Antipodal, at.Single, at.Error
	}
}
