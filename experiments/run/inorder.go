package run

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// InOrder computes results 0 to n-1 on several workers, 0 for one per processor, and delivers
// them in that order, from the calling goroutine. Work is called once for each worker and
// returns what computes a result, so that it may keep memory. However many results there are,
// few wait for their turn. The error is the first in their order, or the context's; no
// goroutine is left when it returns.
func InOrder[T any](ctx context.Context, n, workers int, work func() func(ctx context.Context, k int) (T, error), deliver func(k int, result T) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, n)
	const each = 16 // results that wait, for each worker
	type result struct {
		value T
		err   error
	}
	waiting := make([]chan result, each*workers) // that of result k is k modulo their number
	for k := range waiting {
		waiting[k] = make(chan result, 1)
	}
	tickets := make(chan struct{}, len(waiting)) // of results that are begun and not yet delivered
	var begun atomic.Int64
	var group sync.WaitGroup
	defer group.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range workers {
		group.Go(func() {
			compute := work()
			for {
				select {
				case <-ctx.Done():
					return
				case tickets <- struct{}{}:
				}
				k := int(begun.Add(1)) - 1
				if k >= n || ctx.Err() != nil {
					return
				}
				value, err := compute(ctx, k)
				waiting[k%len(waiting)] <- result{value, err}
			}
		})
	}
	for k := range n {
		var r result
		select {
		case <-ctx.Done():
			return ctx.Err()
		case r = <-waiting[k%len(waiting)]:
		}
		if r.err == nil {
			r.err = deliver(k, r.value)
		}
		if r.err != nil {
			return r.err
		}
		<-tickets
	}
	return nil
}
