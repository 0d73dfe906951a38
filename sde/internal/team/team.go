// Package team divides independent parts of one computation among goroutines.
package team

import (
	"sync"
	"sync/atomic"
)

// Team is a number of goroutines, at least 1.
type Team int

// Each calls f with every number from 0 to n-1 once and returns when all calls have. With one
// goroutine it does not allocate.
func (t Team) Each(n int, f func(k int)) {
	if t <= 1 || n <= 1 {
		for k := range n {
			f(k)
		}
		return
	}
	t.together(n, f)
}

func (t Team) together(n int, f func(k int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	work := func() {
		for k := next.Add(1) - 1; k < int64(n); k = next.Add(1) - 1 {
			f(int(k))
		}
	}
	for range min(int(t), n) - 1 {
		all.Go(work)
	}
	work()
	all.Wait()
}
