package sde

import (
	"context"
	"sync"
	"sync/atomic"
)

// waiting is the number of items that a worker may be ahead of the slowest.
const waiting = 16

// inOrder computes items 0 … count-1 on several workers and delivers the results
// in that order, from the calling goroutine. At most a few results a worker wait
// for their turn. newWorker is called once for each worker; a worker should give
// up early, with any result, when its argument returns true.
//
// The error is the first in the order of the items, as if they had been computed
// one after the other, or the context's.
func inOrder[Result any](
	ctx context.Context, workers int, count int64,
	newWorker func(stopped func() bool) func(item int64) (Result, error),
	deliver func(item int64, result Result) error,
) error {
	type outcome struct {
		item   int64
		result Result
		err    error
	}
	var stop atomic.Bool // everybody gives up
	release := context.AfterFunc(ctx, func() { stop.Store(true) })
	defer release()

	tickets := make(chan struct{}, workers*waiting)
	results := make(chan outcome, workers*waiting)
	quit := make(chan struct{}) // no new items
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			work := newWorker(stop.Load)
			for {
				select {
				case <-quit:
					return
				case tickets <- struct{}{}:
				}
				item := next.Add(1) - 1
				if item >= count || stop.Load() {
					return
				}
				result, err := work(item)
				results <- outcome{item, result, err}
				if err != nil {
					return
				}
			}
		})
	}
	go func() { group.Wait(); close(results) }()

	err := func() error {
		pending := map[int64]outcome{}
		for due := int64(0); due < count; {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case o, open := <-results:
				if !open {
					return ctx.Err()
				}
				pending[o.item] = o
			}
			for {
				o, ready := pending[due]
				if !ready {
					break
				}
				delete(pending, due)
				if err := ctx.Err(); err != nil {
					return err
				}
				if o.err != nil {
					return o.err
				}
				if err := deliver(due, o.result); err != nil {
					return err
				}
				due++
				<-tickets
			}
		}
		return nil
	}()
	stop.Store(true)
	close(quit)
	for range results { // until every worker has ended
	}
	return err
}
