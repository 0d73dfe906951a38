package simulate

import (
	"slices"
	"testing"

	"antipode/experiments/internal/coordinates"
	"antipode/internal/lists"
)

// The columns that tell ensembles apart are the parameters that can vary.
func TestCoordinatesAreTheParametersThatVary(t *testing.T) {
	s := New()
	s.varied = sweep{Seeds: []uint64{1, 2}, Tokens: []int{2, 3}, Dim: []int{2, 3}, Depth: []int{2, 3},
		Beta: []float64{1, 2}, Epsilon: []float64{1, 2}}
	names := lists.Map(s.axes(), func(a axis) string { return a.column.Name })
	if !slices.Equal(names, coordinates.Names) {
		t.Errorf("%v vary, and the coordinates are %v", names, coordinates.Names)
	}
}
