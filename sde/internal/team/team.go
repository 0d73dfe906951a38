// Package team divides independent parts of one computation among goroutines.
package team

import (
	"runtime"
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

// Triangle calls f with the rows i and columns j ≤ i of a triangle of n rows once each, such that a place
// comes after those before it in its row, and those above it in its column, and returns when all calls
// have, none of which may be to the same Team. It allocates if there are several goroutines.
func (t *Team) Triangle(n int, f func(i, j int)) {
	if t.workers == 1 || n <= 2 {
		for j := range n {
			for i := j; i < n; i++ {
				f(i, j)
			}
		}
		return
	}
	below := make([]atomic.Int64, n) // how far each column has come
	t.Each(n, func(j int) {
		for i := j; i < n; i++ {
			for j > 0 && below[j-1].Load() <= int64(i) {
				runtime.Gosched()
			}
			f(i, j)
			below[j].Store(int64(i + 1))
		}
	})
}

func (t *Team) work() {
	for k := t.next.Add(1) - 1; k < t.n; k = t.next.Add(1) - 1 {
		t.f(int(k))
	}
}
