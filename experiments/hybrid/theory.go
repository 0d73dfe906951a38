package hybrid

import (
	"math"

	"antipode/experiments/internal/interaction"
	"antipode/experiments/internal/theory"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// hasTheory reports whether the theory speaks of the cells.
func (h *Experiment) hasTheory() bool { return h.Interaction == interaction.Identity }

// cellTheory is what the theory says of a cell.
type cellTheory struct {
	limit             float64 // probability of the antipodal outcome
	horizon           theory.Horizon
	single, antipodal float64 // the thresholds in ε
}

func (h *Experiment) theory(cell sde.Cell) (cellTheory, error) {
	if !theory.Holds(cell) {
		nan := math.NaN()
		return cellTheory{nan, theory.Unknown, nan, nan}, nil
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
	c.single, c.antipodal = overlap.HybridThresholds(cell.Beta, theory.Attention(h.Attention))
	return c, nil
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
