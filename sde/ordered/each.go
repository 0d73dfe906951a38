package ordered

import "context"

// Each computes items like Run, with workers that compute one item at a time. Each calls work once for each
// worker. The function that work returns computes an item, and may reuse memory from item to item. The
// returned function should return early, with any result, when its context is done. If the function returns
// an error for an item, the result of this item is not delivered. At most 16 items for each worker are taken
// and not yet delivered.
func Each[Result any](
	ctx context.Context, workers int, count int64, checkpoint Checkpoint[Result],
	work func() func(ctx context.Context, item int64) (Result, error),
	deliver func(item int64, result Result) error,
) error {
	const ahead = 16
	var kept Checkpoint[computed[Result]]
	if checkpoint != nil {
		kept = computedCheckpoint[Result]{checkpoint}
	}
	return Run(ctx, workers, count, ahead, kept,
		func(q *Queue[computed[Result]]) {
			compute := work()
			for {
				item, ok := q.Take(true)
				if !ok {
					return
				}
				result, err := compute(q.running, item)
				if err == nil && q.Stopped() { // the run may have stopped in the middle of the item
					return
				}
				q.Put(item, computed[Result]{result, err == nil}, err)
				if err != nil {
					return
				}
			}
		},
		func(item int64, c computed[Result]) error {
			if !c.whole {
				return nil
			}
			return deliver(item, c.result)
		})
}

// computed is the result of an item; its field whole is false if the item failed.
type computed[Result any] struct {
	result Result
	whole  bool
}

// computedCheckpoint adapts a checkpoint of results to computed results. A computedCheckpoint stores only the
// results of items that have not failed.
type computedCheckpoint[Result any] struct{ Checkpoint[Result] }

func (c computedCheckpoint[Result]) Read(item int64) (computed[Result], error) {
	result, err := c.Checkpoint.Read(item)
	return computed[Result]{result, err == nil}, err
}

func (c computedCheckpoint[Result]) Keep(item int64, result computed[Result]) error {
	return c.Checkpoint.Keep(item, result.result)
}
