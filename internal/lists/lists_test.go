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
		Max(2, nil, func(int) int { return 3 }) != 2 {
		t.Error("of nothing there is something")
	}
}
