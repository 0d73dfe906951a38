package hidden

import (
	"slices"
	"strings"
	"testing"

	"antipode/data"
)

// The tokens in a table are the columns x1, x2, … with one token each, or a single column of nested lists.
func TestColumnsOfTokens(t *testing.T) {
	number := data.Column{Name: "layer", Kind: data.Int64}
	vector := func(name string, length int, shape ...int) data.Column {
		return data.Column{Name: name, Kind: data.Vector, Length: length, Shape: shape}
	}
	for name, c := range map[string]struct {
		schema         []data.Column
		columns, shape []int
		problem        string
	}{
		"tokens": {[]data.Column{number, vector("x1", 3), vector("x2", 3), vector("x4", 3)},
			[]int{1, 2}, []int{2, 3}, ""},
		"a single token": {[]data.Column{number, vector("x1", 3)}, []int{1}, []int{1, 3}, ""},
		"other columns between": {[]data.Column{vector("x2", 3), number, vector("y", 5), vector("x1", 3)},
			[]int{3, 0}, []int{2, 3}, ""},
		"of two lengths": {[]data.Column{vector("x1", 3), vector("x2", 4)}, nil, nil,
			"column x2 has vectors of 4 numbers, and x1 of 3"},
		"sequences":          {[]data.Column{number, vector("hidden", 6, 2, 3)}, []int{1}, []int{2, 3}, ""},
		"sequences named x1": {[]data.Column{vector("x1", 6, 2, 3), number}, []int{0}, []int{2, 3}, ""},
		"all layers":         {[]data.Column{vector("hidden", 30, 5, 2, 3)}, []int{0}, []int{5, 2, 3}, ""},
		"two of sequences": {[]data.Column{vector("a", 6, 2, 3), vector("b", 6, 2, 3)}, nil, nil,
			"has 2 columns of lists"},
		"x1 that is no vector": {[]data.Column{{Name: "x1", Kind: data.Float64}}, nil, nil,
			"has 0 columns of lists"},
	} {
		columns, shape, err := columnsOf(data.Schema{Columns: c.schema})
		if c.problem != "" {
			if err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%s: error %v", name, err)
			}
		} else if err != nil || !slices.Equal(columns, c.columns) || !slices.Equal(shape, c.shape) {
			t.Errorf("%s: columns %v of %v, %v", name, columns, shape, err)
		}
	}
}
