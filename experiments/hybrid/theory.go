package hybrid

import (
	"antipode/experiments/setting"
	"antipode/experiments/theory"
	"antipode/sde"
)

// hasTheory reports whether the theory applies to the cells.
func (h *Experiment) hasTheory() bool { return h.Interaction.Identity() }

// curves returns the theory at some β over a range of ε.
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
