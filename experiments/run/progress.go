package run

import (
	"context"
	"sync"
)

// counter is the progress of a run in pieces with equal numbers of steps.
type counter struct {
	options Options
	steps   int64

	mutex sync.Mutex
	state State
}

// pieceWork is the progress of one piece of a run.
type pieceWork struct {
	*counter
	done     int64 // reported steps
	restored int64 // restored steps among the steps that have not been reported
}

type workKey struct{}

// within returns the context for the computation of the piece.
func (w *pieceWork) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, workKey{}, w)
}

// Advance reports that the piece of the context has completed a number of further steps, and how many of them
// were restored from an earlier run.
func Advance(ctx context.Context, steps, restored int64) {
	if w, ok := ctx.Value(workKey{}).(*pieceWork); ok {
		w.add(min(steps, w.steps-w.done), restored)
	}
}

// finish reports that the piece is complete.
func (w *pieceWork) finish() { w.add(w.steps-w.done, w.restored) }

func (w *pieceWork) add(steps, restored int64) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.done += steps
	w.state.Done += steps
	w.state.Restored += restored
	w.options.Report(w.state)
}
