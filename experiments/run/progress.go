package run

import (
	"context"
	"sync"
)

// counter adds up the progress of a run in Pieces, all of which have the same number of steps.
type counter struct {
	options Options
	steps   int64

	mutex sync.Mutex
	state State
}

// pieceWork is the progress of one piece of a run in Pieces.
type pieceWork struct {
	*counter
	done     int64 // reported steps
	restored int64 // restored steps not yet reported
}

type workKey struct{}

// within returns a context that carries the progress of the piece, for Advance.
func (w *pieceWork) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, workKey{}, w)
}

// Advance reports that the piece whose computation has the context ctx has completed a number of further
// steps. The argument restored is the number of the further steps that were restored from an earlier run.
func Advance(ctx context.Context, steps, restored int64) {
	if w, ok := ctx.Value(workKey{}).(*pieceWork); ok {
		w.add(min(steps, w.steps-w.done), restored)
	}
}

// finish reports all steps of the piece that have not yet been reported.
func (w *pieceWork) finish() { w.add(w.steps-w.done, w.restored) }

func (w *pieceWork) add(steps, restored int64) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.done += steps
	w.state.Done += steps
	w.state.Restored += restored
	w.options.Report(w.state)
}

// InSequence returns options for simulations of one cell each that run one after another. The options report
// the progress of all of these simulations together: total is the work of all of them, and cells is their
// number, or 0 if their progress does not count cells. The function next must be called after each
// simulation.
func InSequence(options Options, total int64, cells int) (each Options, next func()) {
	var before, now State
	each = options
	each.Progress = func(cell State) {
		now = cell
		now.Done, now.Restored = before.Done+cell.Done, before.Restored+cell.Restored
		now.Total, now.Cells, now.AllCells = total, before.Cells+cell.Cells, cells
		options.Report(now)
	}
	return each, func() { before = now }
}
