package phase

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"antipode/experiments/internal/theory"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sde/ordered"
)

// phaseTheory is what the theory says of a cell of Phase; NaN where it says nothing.
type phaseTheory struct {
	limit, horizon          float64 // probabilities of the antipodal outcome
	horizonError            float64 // of the latter
	boundary, boundaryDepth float64 // in β
}

// phaseTheories computes the theory of every cell once, beside the simulation: the first
// worker that enters a cell does, while others advance its trajectories.
type phaseTheories struct {
	phase         *Phase
	cells         []sde.Cell
	claimed       []atomic.Bool
	results       []chan phaseResult // of one place each
	boundaryDepth map[int]func() (float64, error)
}

type phaseResult struct {
	theory phaseTheory
	err    error
}

func newPhaseTheories(p *Phase, cells []sde.Cell) *phaseTheories {
	t := &phaseTheories{p, cells, make([]atomic.Bool, len(cells)), make([]chan phaseResult, len(cells)), map[int]func() (float64, error){}}
	for k := range t.results {
		t.results[k] = make(chan phaseResult, 1)
	}
	for _, d := range p.Dim {
		t.boundaryDepth[d] = sync.OnceValues(func() (float64, error) {
			if p.Law != sde.Gaussian {
				return math.NaN(), nil
			}
			return theory.CriticalBetaDepth(d, theory.Attention(p.Attention), p.Depth)
		})
	}
	return t
}

// enter computes the theory of a cell, unless that has begun elsewhere.
func (t *phaseTheories) enter(cell int) {
	if !t.claimed[cell].Swap(true) {
		theory, err := t.compute(t.cells[cell])
		t.results[cell] <- phaseResult{theory, err}
	}
}

// begin has all cells entered in the background, on several workers, 0 for one per processor. end
// enters no more, and returns when those that are entered are done.
func (t *phaseTheories) begin(ctx context.Context, workers int) (end func()) {
	type none = struct{}
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() {
		_ = ordered.Each(ctx, workers, int64(len(t.cells)), nil, func() func(context.Context, int64) (none, error) {
			return func(_ context.Context, cell int64) (none, error) {
				t.enter(int(cell))
				return none{}, nil
			}
		}, func(int64, none) error { return nil })
	})
	return func() { cancel(); group.Wait() }
}

// take waits for the theory of a cell, or computes it if nobody has entered the cell, and
// forgets it.
func (t *phaseTheories) take(cell int) (phaseTheory, error) {
	t.enter(cell)
	result := <-t.results[cell]
	return result.theory, result.err
}

func (t *phaseTheories) compute(cell sde.Cell) (phaseTheory, error) {
	diffusion, err := theory.Diffusion(cell)
	if err != nil {
		return phaseTheory{}, err
	}
	const accuracy = 1e-5
	law, err := fokkerplanck.Uniform(diffusion, []float64{t.phase.Horizon}, accuracy)
	if err != nil {
		return phaseTheory{}, err
	}
	boundaryDepth, err := t.boundaryDepth[cell.Dim]()
	if err != nil {
		return phaseTheory{}, err
	}
	horizon := theory.Known(law[0].Antipodal(t.phase.Tolerance))
	return phaseTheory{
		limit:   diffusion.AntipodalUniform().Value,
		horizon: horizon.Value, horizonError: horizon.Error,
		boundary: theory.CriticalBeta(cell.Dim), boundaryDepth: boundaryDepth,
	}, nil
}
