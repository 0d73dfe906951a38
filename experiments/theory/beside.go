package theory

import (
	"context"
	"sync"
	"sync/atomic"

	"antipode/sde/ordered"
)

// Beside computes something of every cell once, beside the simulation: the first worker that enters a cell
// does, and those that enter it later do it for cells to come.
type Beside[T any] struct {
	compute func(cell int) (T, error)
	claimed []atomic.Bool
	next    atomic.Int64     // the first cell that may not be claimed
	results []chan result[T] // of one place each
}

type result[T any] struct {
	value T
	err   error
}

// NewBeside returns what computes something of a number of cells.
func NewBeside[T any](cells int, compute func(cell int) (T, error)) *Beside[T] {
	b := &Beside[T]{
		compute: compute, claimed: make([]atomic.Bool, cells), results: make([]chan result[T], cells),
	}
	for k := range b.results {
		b.results[k] = make(chan result[T], 1)
	}
	return b
}

// Enter computes what is wanted of a cell or, if that has begun elsewhere, of the next one of which it has
// not.
func (b *Beside[T]) Enter(cell int) {
	for begun := b.begin(cell); !begun; begun = b.begin(cell) {
		if cell = int(b.next.Add(1) - 1); cell >= len(b.results) {
			return
		}
	}
}

// begin computes what is wanted of a cell, unless that has begun elsewhere.
func (b *Beside[T]) begin(cell int) (begun bool) {
	if b.claimed[cell].Swap(true) {
		return false
	}
	value, err := b.compute(cell)
	b.results[cell] <- result[T]{value, err}
	return true
}

// Begin has all cells entered in the background, on several workers, 0 for one per processor. end
// enters no more, and returns when those that are entered are done.
func (b *Beside[T]) Begin(ctx context.Context, workers int) (end func()) {
	type none = struct{}
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() {
		enter := func(_ context.Context, cell int64) (none, error) {
			b.begin(int(cell))
			return none{}, nil
		}
		_ = ordered.Each(ctx, workers, int64(len(b.results)), nil,
			func() func(context.Context, int64) (none, error) { return enter },
			func(int64, none) error { return nil })
	})
	return func() { cancel(); group.Wait() }
}

// Take waits for what is computed of a cell, or computes it if nobody has entered the cell, and
// forgets it.
func (b *Beside[T]) Take(cell int) (T, error) {
	b.begin(cell)
	r := <-b.results[cell]
	return r.value, r.err
}
