package memo_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"antipode/sphere/memo"
)

func ExampleOf() {
	squares := memo.Of(16, func(x int) int { return x * x })
	fmt.Println(squares.At(3))
	squares.At(3) // computed at the first call only
	// Output: 9
}

// A value is computed once, until more values than the limit are requested, or all are forgotten.
func TestValuesAreComputedOnce(t *testing.T) {
	for _, c := range []struct {
		most     int
		computed []int
	}{{2, []int{1, 2, 3, 1, 3}}, {3, []int{1, 2, 3, 3}}, {0, []int{1, 2, 3, 3}}} {
		var computed []int
		m := memo.Of(c.most, func(x int) int { computed = append(computed, x); return -x })
		for _, x := range []int{1, 2, 2, 1, 3, 3, 1} {
			if got := m.At(x); got != -x {
				t.Errorf("at most %d: %d for %d", c.most, got, x)
			}
		}
		m.Forget()
		m.At(3)
		if !slices.Equal(computed, c.computed) {
			t.Errorf("at most %d: computed for %v, not for %v", c.most, computed, c.computed)
		}
	}
}

// Concurrent callers share one value.
func TestAtTheSameTime(t *testing.T) {
	computed := 0
	m := memo.Of(0, func(int) *int { computed++; return new(int) })
	var values [16]*int
	var group sync.WaitGroup
	for k := range values {
		group.Go(func() { values[k] = m.At(1) })
	}
	group.Wait()
	if shared := slices.Compact(values[:]); computed != 1 || len(shared) != 1 {
		t.Errorf("computed %d times, %d values", computed, len(shared))
	}
}
