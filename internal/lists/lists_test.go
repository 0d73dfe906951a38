package lists

import (
	"slices"
	"strconv"
	"testing"
)

func TestLists(t *testing.T) {
	numbers := []int{3, -4, 5}
	if got := Map(numbers, strconv.Itoa); !slices.Equal(got, []string{"3", "-4", "5"}) {
		t.Errorf("%q", got)
	}
	if got := Of(4, func(k int) int { return 10 - k }); !slices.Equal(got, []int{10, 9, 8, 7}) {
		t.Errorf("%d", got)
	}
	times := func(a, b int) int { return a * b }
	if got := Grid(numbers, []int{1, 10}, times); !slices.Equal(got, []int{3, 30, -4, -40, 5, 50}) {
		t.Errorf("%d", got)
	}
	if got := Sum([]float64{1e16, 1, -1e16, 2.5}); got != 2.5 { // in another order it would be 3.5
		t.Errorf("%v", got)
	}
	positive := func(n int) bool { return n > 0 }
	if got := Filter(numbers, positive); !slices.Equal(got, []int{3, 5}) || Count(numbers, positive) != 2 {
		t.Errorf("%d", got)
	}
	square := func(n int) int { return n * n }
	if a, b := Max(7, numbers, square), Max(30, numbers, square); a != 25 || b != 30 {
		t.Errorf("%d, %d", a, b)
	}
}

// Lists of no elements are nil, as those that a loop leaves.
func TestEmptyLists(t *testing.T) {
	if Map([]int{}, strconv.Itoa) != nil || Of(0, strconv.Itoa) != nil ||
		Filter([]int{1}, func(int) bool { return false }) != nil ||
		Grid([]int{1}, nil, func(a, b int) int { return a }) != nil || Sum([]int{}) != 0 ||
		Max(2, nil, func(int) int { return 3 }) != 2 {
		t.Error("of nothing there is something")
	}
}
