// Package ordered computes items on several workers, and delivers the results in the order of the items, as
// if they had been computed one after the other.
//
//	err := ordered.Each(context.Background(), 4, 10, nil, // workers, items, no checkpoint
//		func() func(context.Context, int64) (int64, error) { // for each worker
//			return func(_ context.Context, item int64) (int64, error) { return item * item, nil }
//		},
//		func(item, square int64) error { // in the order of items
//			_, err := fmt.Print(square, " ")
//			return err
//		})
package ordered

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Queue gives the items 0 … count-1 to workers and receives their results.
type Queue[Result any] struct {
	count      int64
	next       atomic.Int64
	running    context.Context // context that is done when the run ends
	quit       chan struct{}   // closed as soon as no more items are handed out
	tickets    chan struct{}   // one ticket for each item that is taken and not yet delivered
	results    chan delivery[Result]
	checkpoint Checkpoint[Result]
}

// Checkpoint holds the results of earlier runs of the same items, and stores the results of this run.
type Checkpoint[Result any] interface {
	// Has reports whether the checkpoint has a result of the item. Has is called by several workers
	// concurrently.
	Has(item int64) bool
	// Read returns the result of an item for which Has reports true.
	Read(item int64) (Result, error)
	// Keep stores the result of an item as soon as it is computed, in any order of the items. Keep is called
	// by several workers concurrently. An error of Keep ends the run.
	Keep(item int64, result Result) error
}

type delivery[Result any] struct {
	item   int64
	result Result
	err    error
}

// Stopped reports whether the run has ended, so that no further results of items are needed.
func (q *Queue[Result]) Stopped() bool { return q.running.Err() != nil }

// Take returns the next item of the queue and true. Take returns false if no item is left, or if the run has
// ended. The number of items that are taken and not yet delivered has a limit. If this limit is reached, Take
// waits if wait is set, and otherwise returns false.
func (q *Queue[Result]) Take(wait bool) (item int64, ok bool) {
	select {
	case <-q.quit:
		return 0, false
	default:
	}
	if wait {
		select {
		case <-q.quit:
			return 0, false
		case q.tickets <- struct{}{}:
		}
	} else {
		select {
		case q.tickets <- struct{}{}:
		default:
			return 0, false
		}
	}
	item = q.next.Add(1) - 1
	for item < q.count && q.known(item) {
		item = q.next.Add(1) - 1
	}
	if item >= q.count {
		<-q.tickets
		return 0, false
	}
	return item, !q.Stopped()
}

// Put hands over the result of an item to the queue for delivery. If err is nil, Put first stores the result
// in the checkpoint.
func (q *Queue[Result]) Put(item int64, result Result, err error) {
	if q.checkpoint != nil && err == nil {
		err = q.checkpoint.Keep(item, result)
	}
	q.results <- delivery[Result]{item, result, err}
}

func (q *Queue[Result]) known(item int64) bool {
	return q.checkpoint != nil && q.checkpoint.Has(item)
}

// Run computes the items 0 … count-1 on several workers (one for each processor if workers is 0), or reads
// them from the checkpoint, which may be nil. Run calls deliver with the results in the order of the items,
// from the calling goroutine. At most ahead items for each worker are taken and not yet delivered. Run calls
// the function work once for each worker. The function work takes items from the queue, any number at a time,
// and puts their results into the queue. The function work should return when it has no items left and Take
// returns false, and return early, without putting its results, when the queue is stopped.
//
// Each result is stored in the checkpoint as soon as it is computed, even if the result is never delivered.
// If an item has an error, the result of this item is delivered before the run ends with the error. Run
// returns the first error in the order of the items, as if they had been computed one after the other, or the
// error of the context. When Run returns, all its goroutines have ended.
func Run[Result any](
	ctx context.Context, workers int, count int64, ahead int, checkpoint Checkpoint[Result],
	work func(q *Queue[Result]),
	deliver func(item int64, result Result) error,
) error {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	q := &Queue[Result]{
		running:    running,
		count:      count,
		quit:       make(chan struct{}),
		tickets:    make(chan struct{}, workers*ahead),
		results:    make(chan delivery[Result], workers*ahead),
		checkpoint: checkpoint,
	}
	var group sync.WaitGroup
	for range min(int64(workers), max(count, 1)) {
		group.Go(func() { work(q) })
	}
	go func() { group.Wait(); close(q.results) }()

	err := q.deliverAll(ctx, deliver)
	stop()
	close(q.quit)
	for range q.results { // wait until every worker has ended
	}
	return err
}

// deliverAll delivers the results in the order of the items. deliverAll keeps results that come early until
// all earlier items have been delivered.
func (q *Queue[Result]) deliverAll(ctx context.Context, deliver func(item int64, result Result) error) error {
	pending := map[int64]delivery[Result]{}
	for due := int64(0); due < q.count; {
		r, computed := pending[due]
		switch {
		case computed:
			delete(pending, due)
		case q.known(due):
			r.result, r.err = q.checkpoint.Read(due)
		default:
			r, err := q.collect(ctx)
			if err != nil {
				return err
			}
			pending[r.item] = r
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := deliver(due, r.result); err != nil {
			return err
		}
		if r.err != nil {
			return r.err
		}
		due++
		if computed {
			<-q.tickets
		}
	}
	return nil
}

// collect waits for the result of any item, in whatever order the items are computed.
func (q *Queue[Result]) collect(ctx context.Context) (delivery[Result], error) {
	select {
	case <-ctx.Done():
		return delivery[Result]{}, ctx.Err()
	case r, open := <-q.results:
		if !open {
			return r, ctx.Err()
		}
		return r, nil
	}
}
