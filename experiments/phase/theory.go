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

// cellTheory is what the theory says of a cell; NaN where it says nothing.
type cellTheory struct {
	limit, horizon          float64 // probabilities of the antipodal outcome
	horizonError            float64 // of the latter
	depth                   theory.Depth
	boundary, boundaryDepth float64 // in β
}

// theories computes the theory of every cell once, beside the simulation: the first
// worker that enters a cell does, while others advance its trajectories.
type theories struct {
	phase         *Experiment
	layers        int64
	cells         []sde.Cell
	claimed       []atomic.Bool
	results       []chan result // of one place each
	boundaryDepth map[int]func() (float64, error)
}

type result struct {
	theory cellTheory
	err    error
}

func newTheories(p *Experiment, cells []sde.Cell, layers int64) *theories {
	t := &theories{
		phase: p, layers: layers, cells: cells, claimed: make([]atomic.Bool, len(cells)),
		results: make([]chan result, len(cells)), boundaryDepth: map[int]func() (float64, error){},
	}
	for k := range t.results {
		t.results[k] = make(chan result, 1)
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
func (t *theories) enter(cell int) {
	if !t.claimed[cell].Swap(true) {
		theory, err := t.compute(t.cells[cell])
		t.results[cell] <- result{theory, err}
	}
}

// begin has all cells entered in the background, on several workers, 0 for one per processor. end
// enters no more, and returns when those that are entered are done.
func (t *theories) begin(ctx context.Context, workers int) (end func()) {
	type none = struct{}
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() {
		enter := func(_ context.Context, cell int64) (none, error) {
			t.enter(int(cell))
			return none{}, nil
		}
		_ = ordered.Each(ctx, workers, int64(len(t.cells)), nil,
			func() func(context.Context, int64) (none, error) { return enter },
			func(int64, none) error { return nil })
	})
	return func() { cancel(); group.Wait() }
}

// take waits for the theory of a cell, or computes it if nobody has entered the cell, and
// forgets it.
func (t *theories) take(cell int) (cellTheory, error) {
	t.enter(cell)
	r := <-t.results[cell]
	return r.theory, r.err
}

func (t *theories) compute(cell sde.Cell) (cellTheory, error) {
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
		boundary: theory.CriticalBeta(cell.Dim), boundaryDepth: boundaryDepth,
	}, nil
}
