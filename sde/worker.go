package sde

import (
	"fmt"
	"slices"

	"antipode/sde/internal/lanes"
	"antipode/sde/ordered"
)

// worker is a goroutine of an ensemble. A worker advances trajectories of one cell at a time, side by side in
// lanes. When a trajectory ends, its lane takes the next trajectory of the cell, so that all lanes are busy
// until no trajectory of the cell is left.
type worker[Row any] struct {
	ensemble *Ensemble[Row]
	queue    *ordered.Queue[[]Row]
	times    []int64

	cell      int
	lanes     lanes.Lanes
	view      View
	observe   func(row *Row, v *View)
	stop      func(v *View) bool
	running   []lanes.Lane
	tasks     []task[Row] // tasks of the running lanes
	width     int         // number of lanes
	stride    int64       // number of layers between two checks whether the run was stopped
	inVectors bool        // whether the tokens of the cell are advanced by vector instructions

	source *block[Row] // block from which the next trajectories are taken
}

// block holds the rows of consecutive trajectories of a cell, which are delivered together.
type block[Row any] struct {
	item      int64
	cell      int
	first     int64 // index of the first trajectory of the block
	rows      []Row
	next      int // index of the first row that no lane has begun
	remaining int // number of rows that are not complete
	failed    int // first row whose trajectory failed; err is the reason
	err       error
}

// task says which row of which block a lane computes.
type task[Row any] struct {
	block *block[Row]
	row   int
	time  int // index of the next observation time of the trajectory
}

func newWorker[Row any](e *Ensemble[Row], q *ordered.Queue[[]Row]) *worker[Row] {
	times := e.Times
	if len(times) == 0 {
		times = []int64{e.Layers}
	}
	return &worker[Row]{ensemble: e, queue: q, times: times, cell: -1}
}

// run advances trajectories until none is left, or the run is stopped.
func (w *worker[Row]) run() {
	for !w.queue.Stopped() {
		w.fill()
		if len(w.running) == 0 {
			return
		}
		w.lanes.Advance(w.running, w.untilNext())
		for k := len(w.running) - 1; k >= 0; k-- {
			if w.arrive(k) {
				w.drop(k)
			}
		}
	}
}

// enter prepares the worker to advance trajectories of a cell.
func (w *worker[Row]) enter(cell int) {
	if cell == w.cell {
		return
	}
	e := w.ensemble
	c := e.Cells[cell]
	w.cell = cell
	w.width = e.width(c)
	w.lanes = newLanes(c, e.Seed, w.width, e.Merge, e.sharing(c))
	w.view = newView(c, w.lanes)
	w.observe, w.stop = e.Observer(cell), nil
	if w.observe == nil {
		panic(fmt.Sprintf("sde: the Observer has returned nil for cell %d", cell))
	}
	if e.Stop != nil {
		w.stop = e.Stop(cell)
	}
	patience := 1e7 // operations, about ten milliseconds
	if w.inVectors = c.inVectors(); w.inVectors {
		patience *= 2 * float64(lanes.PerVector) // half of the factor of the fastest instruction set
	}
	w.stride = max(1, int64(patience/(c.operations()*float64(w.width))))
}

// busy returns the number of workers of the ensemble that have trajectories to advance.
func (e *Ensemble[Row]) busy() int {
	return int(min(int64(e.workers()), max(1, int64(len(e.Cells))*e.blocks().each)))
}

// sharing returns the number of goroutines that share each trajectory of a cell. More than one goroutine
// shares a trajectory if there are more workers than blocks of trajectories and a layer takes long.
func (e *Ensemble[Row]) sharing(c Cell) int {
	const worthwhile = 4e6 // operations, about a fifth of a millisecond
	if !c.byMatrices() || c.operations() < worthwhile {
		return 1
	}
	return e.workers() / e.busy()
}

// width returns the number of lanes of a worker. A worker has fewer lanes if there are few trajectories, or
// if a layer takes long.
func (e *Ensemble[Row]) width(c Cell) int {
	if c.byMatrices() {
		return 1
	}
	const widest, patience = 64, 1e7 // operations, about ten milliseconds
	workers, brief := int64(e.workers()), int64(patience/c.operations())
	if c.inVectors() { // one vector of trajectories takes as long as a single trajectory
		brief = max(brief, int64(lanes.PerVector))
	}
	return int(max(1, min(widest, (e.Trajectories+workers-1)/workers, brief)))
}

// fill begins trajectories in the free lanes of the worker. If tokens are advanced in vectors, fill waits
// until half of the lanes, and at least as many lanes as a Vector has, are free. Trajectories that begin
// together then stay together in full Vectors for a long time; vectors of lanes without a trajectory take no
// time.
func (w *worker[Row]) fill() {
	if w.inVectors && len(w.running) > max(0, w.width-max(lanes.PerVector, w.width/2)) {
		return
	}
	for len(w.running) == 0 || len(w.running) < w.width {
		if !w.replenish() || w.source.cell != w.cell && len(w.running) > 0 {
			return
		}
		w.enter(w.source.cell)
		w.begin()
	}
}

// replenish takes a new block of trajectories if all trajectories of the current block have begun, and
// reports whether the worker has a block. replenish waits for a block only if no lane is running.
func (w *worker[Row]) replenish() bool {
	if w.source != nil {
		return true
	}
	item, ok := w.queue.Take(len(w.running) == 0)
	if !ok {
		return false
	}
	at := w.ensemble.blocks().at(item)
	w.source = &block[Row]{
		item: item, cell: at.cell, first: at.first,
		rows: make([]Row, at.count), remaining: at.count, failed: at.count,
	}
	return true
}

// begin puts the next trajectory of the current block into a lane.
func (w *worker[Row]) begin() {
	b, k := w.source, len(w.running)
	at := lanes.Lane{Trajectory: w.ensemble.First + b.first + int64(b.next)}
	at.Err = w.lanes.Start(k, at.Trajectory)
	w.running = append(w.running, at)
	w.tasks = append(w.tasks, task[Row]{block: b, row: b.next})
	if b.next++; b.next == len(b.rows) {
		w.source = nil
	}
	if w.arrive(k) {
		w.drop(k)
	}
}

// untilNext returns the number of layers until the next observation of the trajectory in any lane, or stride
// if that is less.
func (w *worker[Row]) untilNext() int64 {
	layers := w.stride
	for k := range w.running {
		layers = min(layers, w.times[w.tasks[k].time]-w.running[k].Layer)
	}
	return layers
}

// arrive shows the trajectory of lane k to the observer if an observation is due, and reports whether the
// trajectory has ended.
func (w *worker[Row]) arrive(k int) bool {
	at, t := &w.running[k], &w.tasks[k]
	if at.Err != nil {
		if t.row < t.block.failed {
			t.block.failed = t.row
			t.block.err = fmt.Errorf("trajectory %d of cell %d: %w", at.Trajectory, w.cell, at.Err)
		}
		return true
	}
	if at.Layer < w.times[t.time] {
		return false
	}
	w.view.at(k, *at)
	w.observe(&t.block.rows[t.row], &w.view)
	t.time++
	return t.time == len(w.times) || w.stop != nil && w.stop(&w.view)
}

// drop ends the trajectory of lane k, and delivers the block of the trajectory if it was the last of the
// block.
func (w *worker[Row]) drop(k int) {
	b, last := w.tasks[k].block, len(w.running)-1
	if k != last {
		w.lanes.Move(k, last)
		w.running[k], w.tasks[k] = w.running[last], w.tasks[last]
	}
	w.running = w.running[:last]
	w.tasks = slices.Delete(w.tasks, last, last+1) // frees the memory of the block
	if b.remaining--; b.remaining == 0 {
		w.queue.Put(b.item, b.rows[:b.failed], b.err)
	}
}
