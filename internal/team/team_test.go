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
