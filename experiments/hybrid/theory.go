package hybrid

import (
	"math"

	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// hasTheory reports whether the theory speaks of the cells.
func (h *Experiment) hasTheory() bool { return h.Interaction.Identity() }

// cellTheory is what the theory says of a cell.
type cellTheory struct {
	limit             float64 // probability of the antipodal outcome
	horizon           theory.Horizon
	depth             theory.Depth
	single, antipodal float64 // the thresholds in ε
}

func (h *Experiment) theory(cell sde.Cell, layers int64) (cellTheory, error) {
	if !theory.Holds(cell) {
		nan := math.NaN()
		return cellTheory{nan, theory.Unknown, theory.UnknownDepth, nan, nan}, nil
	}
	diffusion, err := theory.Diffusion(cell)
	if err != nil {
		return cellTheory{}, err
	}
	c := cellTheory{limit: diffusion.AntipodalUniform().Value, horizon: theory.Unknown}
	const accuracy = 1e-5
	law, err := fokkerplanck.Uniform(diffusion, []float64{h.Horizon}, accuracy)
	if err == nil { // else its clock is out of range
		c.horizon = theory.HorizonOf(law[0], h.Tolerance)
	}
	c.depth = theory.AtDepth(cell, layers, h.Tolerance)
	c.single, c.antipodal = overlap.HybridThresholds(cell.Beta, theory.Attention(h.Attention))
	return c, nil
}

// curves are the theory of some β over a range of ε.
func (h *Experiment) curves(betas []float64, low, high float64) ([]theory.Curves, error) {
	layers, err := setting.Layers(h.Depth, h.Horizon)
	if err != nil {
		return nil, err
	}
	var families []func(epsilon float64) sde.Cell
	for _, beta := range betas {
		families = append(families, func(epsilon float64) sde.Cell { return h.cell(beta, epsilon) })
	}
	return theory.Trace(families, low, high, layers, h.Horizon, h.Tolerance), nil
}
