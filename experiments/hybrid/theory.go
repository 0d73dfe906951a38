package hybrid

import (
	"antipode/experiments/internal/interaction"
	"antipode/experiments/internal/outcomes"
	"antipode/experiments/internal/theory"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// hasTheory reports whether the theory speaks of the cells.
func (h *Experiment) hasTheory() bool { return h.Interaction == interaction.Identity }

// estimated is the row of a cell with fractions of what was counted, and the theory.
func (h *Experiment) estimated(r Row, cell sde.Cell) (Row, error) {
	r.PSingle = float64(r.Single) / float64(r.Trajectories)
	r.PAntipodal = float64(r.Antipodal) / float64(r.Trajectories)
	r.Low, r.High = outcomes.Wilson(r.Antipodal, r.Trajectories)
	if !theory.Holds(cell) {
		return r, nil
	}
	diffusion, err := theory.Diffusion(cell)
	if err != nil {
		return r, err
	}
	horizon := theory.Unknown
	const accuracy = 1e-5
	law, err := fokkerplanck.Uniform(diffusion, []float64{h.Horizon}, accuracy)
	if err == nil { // else its clock is out of range
		horizon = theory.HorizonOf(law[0], h.Tolerance)
	}
	r.Limit = diffusion.AntipodalUniform().Value
	r.AntipodalHorizon, r.SingleHorizon, r.HorizonError = horizon.Antipodal, horizon.Single, horizon.Error
	r.EpsilonSingle, r.EpsilonAntipodal = overlap.HybridThresholds(cell.Beta, theory.Attention(h.Attention))
	return r, nil
}

// curves are the theory of some β over a range of ε.
func (h *Experiment) curves(betas []float64, low, high float64) []theory.Curves {
	var families []func(epsilon float64) (*overlap.Diffusion, error)
	for _, beta := range betas {
		families = append(families, func(epsilon float64) (*overlap.Diffusion, error) {
			return overlap.NewHybrid(int(h.Dim), beta, theory.Attention(h.Attention), epsilon)
		})
	}
	return theory.Trace(families, low, high, h.Horizon, h.Tolerance)
}
