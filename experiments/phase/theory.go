package phase

import (
	"math"
	"sync"

	"antipode/experiments/theory"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// cellTheory is what the theory says of a cell; NaN where it says nothing.
type cellTheory struct {
	limit, horizon          float64 // probabilities of the antipodal outcome
	horizonError            float64 // of the latter
	depth                   theory.Depth
	boundary, boundaryDepth float64 // in β
}

// hasTheory reports whether the theory speaks of the cells.
func (p *Experiment) hasTheory() bool { return p.Interaction.HasTheory() }

// theories computes the theory of cells.
type theories struct {
	phase         *Experiment
	layers        int64
	boundaryDepth map[int]func() (float64, error)
}

func (p *Experiment) theories(cells []sde.Cell, layers int64) *theory.Beside[cellTheory] {
	t := &theories{phase: p, layers: layers, boundaryDepth: map[int]func() (float64, error){}}
	for _, d := range p.Dim {
		t.boundaryDepth[d] = sync.OnceValues(func() (float64, error) {
			if p.Law != sde.Gaussian || !p.Interaction.Identity() {
				return math.NaN(), nil
			}
			return theory.CriticalBetaDepth(d, theory.Attention(p.Attention), p.Sigma, p.Covariance,
				p.Depth)
		})
	}
	return theory.NewBeside(len(cells), func(cell int) (cellTheory, error) { return t.of(cells[cell]) })
}

func (t *theories) of(cell sde.Cell) (cellTheory, error) {
	if !theory.Holds(cell) {
		nan := math.NaN()
		return cellTheory{nan, nan, nan, theory.UnknownDepth, nan, nan}, nil
	}
	diffusion, err := theory.Diffusion(cell)
	if err != nil {
		return cellTheory{}, err
	}
	const accuracy = 1e-5
	law, err := fokkerplanck.Uniform(diffusion, []float64{t.phase.Horizon}, accuracy)
	if err != nil {
		return cellTheory{}, err
	}
	boundaryDepth, err := t.boundaryDepth[cell.Dim]()
	if err != nil {
		return cellTheory{}, err
	}
	horizon := theory.Known(law[0].Antipodal(t.phase.Tolerance))
	return cellTheory{
		limit:   diffusion.AntipodalUniform().Value,
		horizon: horizon.Value, horizonError: horizon.Error,
		depth:    theory.AtDepth(cell, t.layers, t.phase.Tolerance),
		boundary: t.phase.boundary(cell.Dim), boundaryDepth: boundaryDepth,
	}, nil
}

// boundary is the largest critical β of a dimension, NaN where there is none, or none is known.
func (p *Experiment) boundary(d int) float64 {
	if !p.Interaction.Identity() {
		return math.NaN()
	}
	return theory.CriticalBeta(d, p.Covariance)
}
