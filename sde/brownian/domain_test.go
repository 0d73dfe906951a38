package brownian

import (
	"testing"

	"antipode/internal/domaintest"
	"antipode/sde"
)

// The domains of an ensemble end where the comments say. A run may need exactly sde.LargestMemory: the memory
// is that of all cells together, for each worker.
func TestDomains(t *testing.T) {
	cells := coupledCells(sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: 3, Beta: 1,
		Start: sde.UniformStart{}}, 4, 8)
	of := func(change func(e *Ensemble[coupledRow])) error {
		e := ensembleOf(cells, new([]coupledRow))
		e.Workers = 1
		change(e)
		return e.validate()
	}
	domaintest.Check(t, "trajectories", func(n int64) error {
		return of(func(e *Ensemble[coupledRow]) { e.Trajectories = n })
	}, []int64{1, 1 << 40}, []int64{0, 1<<40 + 1})
	domaintest.Check(t, "steps", func(n int64) error {
		return of(func(e *Ensemble[coupledRow]) { e.Steps = n })
	}, []int64{1, 1 << 20}, []int64{0, 1<<20 + 1})
	domaintest.Check(t, "workers", func(n int) error {
		return of(func(e *Ensemble[coupledRow]) { e.Workers = n })
	}, []int{0, 1}, []int{-1})
	domaintest.Check(t, "cells", func(n int) error {
		return of(func(e *Ensemble[coupledRow]) { e.Cells = cells[:n] })
	}, []int{1, 2}, []int{0})
	domaintest.Check(t, "part", func(p sde.Part) error {
		return of(func(e *Ensemble[coupledRow]) { e.Part = p })
	}, []sde.Part{{}, {Number: 2, Of: 3}}, []sde.Part{{Number: 3, Of: 3}, {Number: -1, Of: 1}})

	each := cells[0].Memory() + cells[1].Memory()
	for _, workers := range []int{1, 3} {
		e := ensembleOf(cells[:2], new([]coupledRow))
		e.Workers = workers
		if got := e.Memory(); got != each*float64(workers) {
			t.Errorf("%d workers: %v bytes, want %v each", workers, got, each)
		}
	}
	most := int(sde.LargestMemory / cells[0].Memory())
	domaintest.Check(t, "workers up to the memory", func(n int) error {
		return of(func(e *Ensemble[coupledRow]) { e.Cells, e.Workers = cells[:1], n })
	}, []int{most}, []int{most + 1})

	path := NewPath(1, 2, 3, 1)
	domaintest.Check(t, "depth", func(depth int) error {
		_, err := path.Level(depth)
		return err
	}, []int{3, 6, 3 << 24}, []int{0, 1, 2, 4, 9, 3 << 25})
}
