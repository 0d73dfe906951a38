package hybrid

import (
	"antipode/experiments/internal/grids"
	"antipode/experiments/internal/theory"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// estimated is the row of a cell with fractions of what was counted, and the theory.
func (h *Experiment) estimated(r Row, cell sde.Cell, layers int64) (Row, error) {
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
	r.PSingle = float64(r.Single) / float64(r.Trajectories)
	r.PAntipodal = float64(r.Antipodal) / float64(r.Trajectories)
	r.Limit = diffusion.AntipodalUniform().Value
	r.AntipodalHorizon, r.SingleHorizon, r.HorizonError = horizon.Antipodal, horizon.Single, horizon.Error
	depth := theory.AtDepth(cell, layers, h.Tolerance)
	r.DepthAntipodal, r.DepthSingle, r.DepthError = depth.Antipodal, depth.Single, depth.Error
	r.EpsilonSingle, r.EpsilonAntipodal = overlap.HybridThresholds(cell.Beta, theory.Attention(h.Attention))
	return r, nil
}

// curves are the theory of some β over a range of ε.
func (h *Experiment) curves(betas []float64, low, high float64) ([]theory.Curves, error) {
	layers, err := grids.Layers(h.Depth, h.Horizon)
	if err != nil {
		return nil, err
	}
	var families []func(epsilon float64) sde.Cell
	for _, beta := range betas {
		families = append(families, func(epsilon float64) sde.Cell { return h.cell(beta, epsilon) })
	}
	return theory.Trace(families, low, high, layers, h.Horizon, h.Tolerance), nil
}
