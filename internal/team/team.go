// Package team divides the independent parts of one computation among goroutines.
package team

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Team is a group of goroutines that work together on one computation at a time. A Team must not be used
// concurrently.
//
// Waking a thread can take longer than a short computation. So if all parts of a computation are done, a Team
// does not wait for goroutines that have not started. After a computation, the goroutines of a Team stay
// ready for the next computation for some time.
type Team struct {
	workers int
	help    func()

	door    sync.Mutex
	f       func(k int) // the function of the current computation
	n       int64
	next    atomic.Int64
	number  atomic.Int64 // number of the current or last computation, from 1
	open    bool         // whether there is a current computation
	present int          // number of goroutines besides the caller's, working or ready
	inside  sync.WaitGroup
}

// New returns a Team of up to workers goroutines, the caller's included; workers < 1 count as 1.
func New(workers int) *Team {
	t := &Team{workers: max(workers, 1)}
	t.help = t.stay
	return t
}

// Workers returns the largest number of goroutines of the team that work at the same time.
func (t *Team) Workers() int { return t.workers }

// Each calls the function f once with every number from 0 to n-1, in the goroutines of the team, and returns
// when all calls of f have returned. The function f must not use the same Team. Each does not allocate
// memory.
func (t *Team) Each(n int, f func(k int)) {
	if t.workers == 1 || n <= 1 {
		for k := range n {
			f(k)
		}
		return
	}
	for range t.begin(n, f) {
		go t.help()
	}
	t.work()
	t.end()
}

// begin opens a computation, and returns the number of goroutines that have to be started for the
// computation.
func (t *Team) begin(n int, f func(k int)) (missing int) {
	t.door.Lock()
	defer t.door.Unlock()
	t.f, t.n, t.open = f, int64(n), true
	t.next.Store(0)
	t.number.Add(1)
	missing = max(0, min(t.workers, n)-1-t.present)
	t.present += missing
	return missing
}

func (t *Team) work() {
	for k := t.next.Add(1) - 1; k < t.n; k = t.next.Add(1) - 1 {
		t.f(int(k))
	}
}

// end closes the computation to further goroutines, and waits for the goroutines that work on the
// computation.
func (t *Team) end() {
	t.door.Lock()
	t.open = false
	t.door.Unlock()
	t.inside.Wait()
	t.f = nil
}

// stay is the loop of a goroutine of the team: the goroutine works on one computation after the other, until
// no computation has begun for some time.
func (t *Team) stay() {
	const patience = 500 // calls of Gosched; a tenth of a millisecond if no other goroutine runs
	last := int64(0)
	for turn := 0; turn < patience || !t.leave(last); turn++ {
		if t.number.Load() == last || !t.enter(&last) {
			runtime.Gosched()
			continue
		}
		t.work()
		t.inside.Done()
		turn = 0
	}
}

// enter joins the current computation, sets last to the number of the computation, and reports whether the
// computation was open.
func (t *Team) enter(last *int64) bool {
	t.door.Lock()
	defer t.door.Unlock()
	*last = t.number.Load()
	if t.open {
		t.inside.Add(1)
	}
	return t.open
}

// leave ends the membership of the goroutine in the team. If a new computation has begun since computation
// number last, leave does nothing and reports false.
func (t *Team) leave(last int64) bool {
	t.door.Lock()
	defer t.door.Unlock()
	if t.number.Load() != last {
		return false
	}
	t.present--
	return true
}

// fewRows is the least number of rows of a triangle for which several goroutines work. With fewer rows
// several goroutines would mostly wait for each other.
const fewRows = 4

// Triangle calls the function f once for every place (i, j), j ≤ i, of a triangle of n rows, and returns when
// all calls of f have returned. The turn of a place comes after all calls for places to the left in the same
// row and for places above in the same column have returned. The function f must call turn.Wait once. With
// one worker Triangle does not allocate memory.
func (t *Team) Triangle(n int, f func(i, j int, turn Turn)) {
	if t.workers == 1 || n < fewRows {
		for j := range n {
			for i := j; i < n; i++ {
				f(i, j, Turn{})
			}
		}
		return
	}
	done := make([]atomic.Int64, n) // in each column, the first row that is not done
	t.Each(n, func(j int) {
		for i := j; i < n; i++ {
			turn := Turn{}
			if j > 0 {
				turn = Turn{&done[j-1], int64(i)}
			}
			f(i, j, turn)
			done[j].Store(int64(i + 1))
		}
	})
}

// Turn is the turn of a place in a triangle: Turn.Wait waits for the turn.
type Turn struct {
	before *atomic.Int64 // first row not done in the column before; nil if there is no wait
	row    int64
}

// Wait blocks until the calls for the places to the left of the place of t have returned.
func (t Turn) Wait() {
	const brief, patience = 1 << 10, 1 << 19 // numbers of loads: some microseconds, half a millisecond
	for load := 1; t.before != nil && t.before.Load() <= t.row; load++ {
		switch {
		case load > patience: // the goroutine waited for may need this processor
			time.Sleep(20 * time.Microsecond)
		case load%brief == 0:
			runtime.Gosched()
		}
	}
}
