// Package team divides independent parts of one computation among goroutines.
package team

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Team is a number of goroutines that work on one computation at a time. It is not for concurrent use.
//
// To wake a thread can take longer than a short computation. So who comes when a computation is done is not
// waited for, and who has helped stays at hand for some time.
type Team struct {
	workers int
	help    func()

	door    sync.Mutex
	f       func(k int) // of the computation at hand
	n       int64
	next    atomic.Int64
	number  atomic.Int64 // of the computation
	open    bool         // whether there is one
	present int          // goroutines besides the caller's, at work or at hand
	inside  sync.WaitGroup
}

// New returns a Team of up to that many goroutines, at least 1.
func New(workers int) *Team {
	t := &Team{workers: max(workers, 1)}
	t.help = t.stay
	return t
}

// Workers is the number of goroutines.
func (t *Team) Workers() int { return t.workers }

// Each calls f with every number from 0 to n-1 once and returns when all calls have, none of which may
// be to the same Team. It does not allocate.
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

// begin opens a computation, and returns how many goroutines are missing.
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

// end stops admitting workers, and waits for those that are at work.
func (t *Team) end() {
	t.door.Lock()
	t.open = false
	t.door.Unlock()
	t.inside.Wait()
	t.f = nil
}

// stay works on one computation after the other until there has been none for some time.
func (t *Team) stay() {
	const patience = 500 // turns of other goroutines, a tenth of a millisecond if there are none
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

// enter joins the computation at hand unless it is the last one that was joined, or has ended.
func (t *Team) enter(last *int64) bool {
	t.door.Lock()
	defer t.door.Unlock()
	*last = t.number.Load()
	if t.open {
		t.inside.Add(1)
	}
	return t.open
}

// leave goes unless there is a new computation.
func (t *Team) leave(last int64) bool {
	t.door.Lock()
	defer t.door.Unlock()
	if t.number.Load() != last {
		return false
	}
	t.present--
	return true
}

// fewRows is the number of rows of a triangle below which goroutines would mostly wait for each other.
const fewRows = 4

// Triangle calls f with the rows i and columns j ≤ i of a triangle of n rows once each, and returns when all
// calls have. A place's turn is after the places before it in its row, and those above it in its column:
// f must wait for it once. With one worker it does not allocate.
func (t *Team) Triangle(n int, f func(i, j int, turn Turn)) {
	if t.workers == 1 || n < fewRows {
		for j := range n {
			for i := j; i < n; i++ {
				f(i, j, Turn{})
			}
		}
		return
	}
	done := make([]atomic.Int64, n) // how far each column has come
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

// Turn is a place's turn in a triangle.
type Turn struct {
	before *atomic.Int64 // how far the column before has come; nil if nobody is waited for
	row    int64
}

// Wait returns when it is the place's turn.
func (t Turn) Wait() {
	const brief, patience = 1 << 10, 1 << 19 // loads: some microseconds, half a millisecond
	for load := 1; t.before != nil && t.before.Load() <= t.row; load++ {
		switch {
		case load > patience: // who is waited for may wait for this very processor
			time.Sleep(20 * time.Microsecond)
		case load%brief == 0:
			runtime.Gosched()
		}
	}
}
