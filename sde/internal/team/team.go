// Package team divides independent parts of one computation among goroutines.
package team

import (
	"sync"
	"sync/atomic"
)

// Team is a number of goroutines that work on one computation at a time. It is not for concurrent use.
type Team struct {
	workers int
	f       func(k int) // of the computation at hand
	n       int64
	next    atomic.Int64
	others  sync.WaitGroup // goroutines besides the caller's
	help    func()         // what such a goroutine does
}

// New returns a Team of up to that many goroutines, at least 1.
func New(workers int) *Team {
	t := &Team{workers: max(workers, 1)}
	t.help = func() {
		t.work()
		t.others.Done()
	}
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
	t.f, t.n = f, int64(n)
	t.next.Store(0)
	for range min(t.workers, n) - 1 {
		t.others.Add(1)
		go t.help()
	}
	t.work()
	t.others.Wait()
	t.f = nil
}

func (t *Team) work() {
	for k := t.next.Add(1) - 1; k < t.n; k = t.next.Add(1) - 1 {
		t.f(int(k))
	}
}
