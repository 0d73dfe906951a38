package run

import (
	"context"
	"sync"
)

// counter is the progress of a run in pieces, of which each has as many steps.
type counter struct {
	options Options
	steps   int64

	mutex sync.Mutex
	state State
}

// pieceWork is how far a piece has come.
type pieceWork struct {
	*counter
	done     int64 // told of already
	restored int64 // of what is not told of yet
}

type workKey struct{}

// within is the context of what computes the piece.
func (w *pieceWork) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, workKey{}, w)
}

// Advance tells the progress of the run that the piece of the context has come to the end of a number of its
// steps, restored of which an earlier run had taken.
func Advance(ctx context.Context, steps, restored int64) {
	if w, ok := ctx.Value(workKey{}).(*pieceWork); ok {
		w.add(min(steps, w.steps-w.done), restored)
	}
}

// finish tells that the piece is done.
func (w *pieceWork) finish() { w.add(w.steps-w.done, w.restored) }

func (w *pieceWork) add(steps, restored int64) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.done += steps
	w.state.Done += steps
	w.state.Restored += restored
	w.options.Report(w.state)
}
