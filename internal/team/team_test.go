package team

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// Every number and every place of a triangle comes once; a place comes when those before it in its row, and
// above it in its column, are done.
func TestEveryPlaceComesOnceAndInOrder(t *testing.T) {
	for workers := 1; workers <= 5; workers++ {
		team := New(workers)
		for n := range 40 {
			numbers := make([]atomic.Int32, n)
			team.Each(n, func(k int) { numbers[k].Add(1) })
			done := make([]atomic.Int32, n*n)
			team.Triangle(n, func(i, j int, turn Turn) {
				turn.Wait()
				if j > 0 && done[i*n+j-1].Load() != 1 || i > j && done[(i-1)*n+j].Load() != 1 {
					t.Errorf("%d workers: (%d, %d) of %d comes too early", workers, i, j, n)
				}
				for range (7*i + 3*j) % 5 { // others overtake
					runtime.Gosched()
				}
				if n == 20 && i == 7 && j == 2 { // who waits for it sleeps
					time.Sleep(3 * time.Millisecond)
				}
				done[i*n+j].Add(1)
			})
			for i := range n {
				if numbers[i].Load() != 1 {
					t.Errorf("%d workers: %d of %d came %d times", workers, i, n, numbers[i].Load())
				}
				for j := range n {
					if times := done[i*n+j].Load(); (times == 1) != (j <= i) {
						t.Errorf("%d workers: (%d, %d) of %d came %d times", workers, i, j, n, times)
					}
				}
			}
		}
	}
}

// Goroutines are started for the parts of a computation, fewer if some are ready. They stay until there has
// been no computation for some time.
func TestGoroutinesComeAndLeave(t *testing.T) {
	nothing := func(int) {}
	for _, c := range []struct{ workers, ready, parts, missing int }{
		{4, 0, 10, 3}, {4, 3, 10, 0}, {4, 1, 10, 2}, {4, 0, 3, 2}, {4, 2, 2, 0}, {4, 0, 2, 1}, {2, 0, 9, 1},
	} {
		team := New(c.workers)
		team.present = c.ready
		if got := team.begin(c.parts, nothing); got != c.missing || team.present != c.ready+c.missing {
			t.Errorf("%+v: %d are started, and %d present", c, got, team.present)
		}
		last := team.number.Load()
		if !team.open || last != 1 || team.leave(last-1) || team.present != c.ready+c.missing {
			t.Errorf("%+v: a goroutine leaves in spite of a new computation", c)
		}
		if !team.leave(last) || team.present != c.ready+c.missing-1 {
			t.Errorf("%+v: a goroutine does not leave", c)
		}
	}
	team := New(4)
	for range 3 {
		team.Each(20, nothing)
	}
	present := func() int {
		team.door.Lock()
		defer team.door.Unlock()
		return team.present
	}
	for range 10_000 {
		if present() == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if n := present(); n != 0 {
		t.Errorf("%d goroutines do not leave", n)
	}
	if New(0).Workers() != 1 || New(-1).Workers() != 1 || New(2).Workers() != 2 {
		t.Error("other numbers of workers")
	}
}
