package run

import (
	"context"
	"runtime"
	"sync/atomic"
)

// InOrder computes n results on several workers, 0 for one per processor, until the
// context ends, and returns a function that waits for the result of an index, once each.
func InOrder[T any](ctx context.Context, n, workers int, compute func(k int) (T, error)) func(k int) (T, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	type result struct {
		value T
		err   error
	}
	results := make([]chan result, n)
	for k := range results {
		results[k] = make(chan result, 1)
	}
	var begun atomic.Int64
	for range min(workers, n) {
		go func() {
			for k := int(begun.Add(1)) - 1; k < n; k = int(begun.Add(1)) - 1 {
				r := result{err: ctx.Err()}
				if r.err == nil {
					r.value, r.err = compute(k)
				}
				results[k] <- r
			}
		}()
	}
	return func(k int) (T, error) {
		r := <-results[k]
		return r.value, r.err
	}
}

// KeptInOrder is InOrder with the workers of the options, for results that the options'
// journal keeps, if there is one: result k is its block k. Codec must turn a result to at
// least one byte.
func KeptInOrder[T any](ctx context.Context, n int, options Options, codec Codec[T], compute func(k int) (T, error)) func(k int) (T, error) {
	if options.Journal == nil {
		return InOrder(ctx, n, options.Workers, compute)
	}
	past := &past[T]{journal: options.Journal, codec: codec}
	return InOrder(ctx, n, options.Workers, func(k int) (T, error) {
		if past.Has(int64(k)) {
			return past.one(int64(k))
		}
		result, err := compute(k)
		if err == nil {
			err = options.Journal.Append(int64(k), codec.Append(nil, result))
		}
		return result, err
	})
}
