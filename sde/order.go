package sde

import (
	"context"
	"sync"
	"sync/atomic"
)

// A queue hands out the items 0 … count-1 to workers and takes their results.
type queue[Result any] struct {
	count   int64
	next    atomic.Int64
	stop    atomic.Bool   // everybody gives up
	quit    chan struct{} // no new items
	tickets chan struct{} // one for each item that was handed out and not yet delivered
	results chan itemResult[Result]
	history history[Result]
}

// A history is what earlier runs have left of the same items, and takes what this one
// leaves. The zero value has nothing and takes nothing; else there are all three.
type history[Result any] struct {
	has  func(item int64) bool // from any goroutine
	read func(item int64) (Result, error)
	keep func(item int64, result Result) error // in any order, from any goroutine
}

func (h *history[Result]) knows(item int64) bool { return h.has != nil && h.has(item) }

type itemResult[Result any] struct {
	item   int64
	result Result
	err    error
}

// take returns the next item, and false if there is none. If so many items are ahead of
// the slowest that it must wait, it does only if it may.
func (q *queue[Result]) take(wait bool) (item int64, ok bool) {
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
	for item < q.count && q.history.knows(item) {
		item = q.next.Add(1) - 1
	}
	if item >= q.count {
		<-q.tickets
		return 0, false
	}
	return item, !q.stop.Load()
}

// put hands in the result of an item, and at once to the history if it has no error.
func (q *queue[Result]) put(item int64, result Result, err error) {
	if q.history.keep != nil && err == nil {
		err = q.history.keep(item, result)
	}
	q.results <- itemResult[Result]{item, result, err}
}

// inOrder computes items 0 … count-1 on several workers, or takes them from the history,
// and delivers the results in that order, from the calling goroutine. At most ahead results a worker wait for their turn.
// Work is called once for each worker; it takes items, any number at a time, puts their
// results, and returns when it has none and cannot get any. It should give up early,
// without putting what it has, when q.stop is set.
//
// The history gets each result as soon as it is there; also those whose turn will not come.
// An item's error comes after its result, which is delivered. The error returned is the
// first in the order of the items, as if they had been computed one after the other, or
// the context's.
func inOrder[Result any](
	ctx context.Context, workers int, count int64, ahead int, past history[Result],
	work func(q *queue[Result]),
	deliver func(item int64, result Result) error,
) error {
	q := &queue[Result]{
		count:   count,
		quit:    make(chan struct{}),
		tickets: make(chan struct{}, workers*ahead),
		results: make(chan itemResult[Result], workers*ahead),
		history: past,
	}
	release := context.AfterFunc(ctx, func() { q.stop.Store(true) })
	defer release()
	var group sync.WaitGroup
	for range workers {
		group.Go(func() { work(q) })
	}
	go func() { group.Wait(); close(q.results) }()

	err := q.deliverAll(ctx, deliver)
	q.stop.Store(true)
	close(q.quit)
	for range q.results { // until every worker has ended
	}
	return err
}

func (q *queue[Result]) deliverAll(ctx context.Context, deliver func(item int64, result Result) error) error {
	pending := map[int64]itemResult[Result]{}
	for due := int64(0); due < q.count; {
		r, computed := pending[due]
		switch {
		case computed:
			delete(pending, due)
		case q.history.knows(due):
			r.result, r.err = q.history.read(due)
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

// collect waits for a result.
func (q *queue[Result]) collect(ctx context.Context) (itemResult[Result], error) {
	select {
	case <-ctx.Done():
		return itemResult[Result]{}, ctx.Err()
	case r, open := <-q.results:
		if !open {
			return r, ctx.Err()
		}
		return r, nil
	}
}

// oneByOne is inOrder for workers that do one item after the other. newWorker is called
// once for each; what it returns should give up early, with any result, when stopped
// returns true. The result of an item that fails is not delivered.
func oneByOne[Result any](
	ctx context.Context, workers int, count int64, past history[[]Result],
	newWorker func(stopped func() bool) func(item int64) (Result, error),
	deliver func(item int64, result Result) error,
) error {
	const ahead = 16
	return inOrder(ctx, workers, count, ahead, past,
		func(q *queue[[]Result]) {
			work := newWorker(q.stop.Load)
			for {
				item, ok := q.take(true)
				if !ok {
					return
				}
				result, err := work(item)
				if err != nil {
					q.put(item, nil, err)
					return
				}
				if q.stop.Load() { // perhaps in the midst of the item
					return
				}
				q.put(item, []Result{result}, nil)
			}
		},
		func(item int64, results []Result) error {
			for _, result := range results {
				if err := deliver(item, result); err != nil {
					return err
				}
			}
			return nil
		})
}
