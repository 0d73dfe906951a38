package theory

import (
	"slices"
	"testing"
)

// Who enters a cell that is begun computes the next one that is not; taking a cell computes no other.
func TestBesideComputesCellsToCome(t *testing.T) {
	var computed []int
	b := NewBeside(5, func(cell int) (int, error) {
		computed = append(computed, cell)
		return 10 * cell, nil
	})
	for _, step := range []struct {
		take bool
		cell int
		want []int // that are computed by then
	}{
		{false, 1, []int{1}}, {false, 1, []int{1, 0}}, {false, 1, []int{1, 0, 2}},
		{true, 1, []int{1, 0, 2}}, {true, 3, []int{1, 0, 2, 3}}, {false, 3, []int{1, 0, 2, 3, 4}},
		{false, 4, []int{1, 0, 2, 3, 4}}, {true, 4, []int{1, 0, 2, 3, 4}},
	} {
		if !step.take {
			b.Enter(step.cell)
		} else if value, err := b.Take(step.cell); value != 10*step.cell || err != nil {
			t.Errorf("cell %d: %d, %v", step.cell, value, err)
		}
		if !slices.Equal(computed, step.want) {
			t.Errorf("cell %d: %v are computed, want %v", step.cell, computed, step.want)
		}
	}
}
