package sde

import (
	"fmt"
	"slices"

	"antipode/sde/internal/lanes"
	"antipode/sde/ordered"
)

// worker advances trajectories of one cell at a time, in lanes. When a trajectory ends, its lane takes the
// next one of the cell, so that all lanes are busy until the cell has no more.
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
	tasks     []task[Row] // of the running lanes
	width     int         // number of lanes
	stride    int64       // layers between two checks whether the run was stopped
	inVectors bool        // whether the tokens of the cell are advanced by vector instructions

	source *block[Row] // block of the next trajectories
}

// block is a number of consecutive trajectories of a cell.
type block[Row any] struct {
	item      int64
	cell      int
	first     int64 // index of the first trajectory
	rows      []Row
	next      int // first row that no lane has begun
	remaining int // number of rows that are not complete
	failed    int // first row whose trajectory failed, and the reason
	err       error
}

// task is the row that a lane computes.
type task[Row any] struct {
	block *block[Row]
	row   int
	time  int // index of the next observation time
}

func newWorker[Row any](e *Ensemble[Row], q *ordered.Queue[[]Row]) *worker[Row] {
	times := e.Times
	if times == nil {
		times = []int64{e.Layers}
	}
	return &worker[Row]{ensemble: e, queue: q, times: times, cell: -1}
}

// run advances trajectories until there are no more, or the run is stopped.
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

// enter prepares the worker for a cell.
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
		patience *= 2 * float64(lanes.PerVector) // half as much as with the fastest instruction set
	}
	w.stride = max(1, int64(patience/(c.operations()*float64(w.width))))
}

// busy returns the number of workers that have something to do.
func (e *Ensemble[Row]) busy() int {
	return int(min(int64(e.workers()), max(1, int64(len(e.Cells))*e.blocks().each)))
}

// sharing returns the number of goroutines that share a trajectory of a cell: more than one if there are more
// workers than blocks of trajectories and a layer takes long.
func (e *Ensemble[Row]) sharing(c Cell) int {
	const worthwhile = 4e6 // operations, about a fifth of a millisecond
	if !c.byMatrices() || c.operations() < worthwhile {
		return 1
	}
	return e.workers() / e.busy()
}

// width returns the number of lanes of a worker. There are fewer lanes if there are few trajectories, or if a
// layer takes long.
func (e *Ensemble[Row]) width(c Cell) int {
	if c.byMatrices() {
		return 1
	}
	const widest, patience = 64, 1e7 // operations, about ten milliseconds
	workers, brief := int64(e.workers()), int64(patience/c.operations())
	if c.inVectors() { // one vector takes as long as a single lane
		brief = max(brief, int64(lanes.PerVector))
	}
	return int(max(1, min(widest, (e.Trajectories+workers-1)/workers, brief)))
}

// fill begins trajectories in the free lanes. If tokens are advanced in vectors, it waits until half of the
// lanes, and at least a Vector of lanes, are free. Trajectories that begin together then stay together in
// full Vectors for a long time; Vectors without a trajectory take no time.
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

// replenish takes a new block if all trajectories of the current one have begun, and reports whether there is
// a block. It waits only if there is nothing else to do.
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

// untilNext returns the number of layers until the next observation of any lane.
func (w *worker[Row]) untilNext() int64 {
	layers := w.stride
	for k := range w.running {
		layers = min(layers, w.times[w.tasks[k].time]-w.running[k].Layer)
	}
	return layers
}

// arrive shows a lane to the observer if an observation is due, and reports whether its
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

// drop ends the trajectory of a lane. If it was the last trajectory of its block, the block is delivered.
func (w *worker[Row]) drop(k int) {
	b, last := w.tasks[k].block, len(w.running)-1
	if k != last {
		w.lanes.Move(k, last)
		w.running[k], w.tasks[k] = w.running[last], w.tasks[last]
	}
	w.running = w.running[:last]
	w.tasks = slices.Delete(w.tasks, last, last+1) // releases the block
	if b.remaining--; b.remaining == 0 {
		w.queue.Put(b.item, b.rows[:b.failed], b.err)
	}
}
