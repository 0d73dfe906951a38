package setting

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/parameter"
	"antipode/sde"
)

// onCircle returns n states of one token, all different, and the table column that has them.
func onCircle(n int) (states [][2]float64, column data.Slice[float64]) {
	all := [][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	for _, x := range all[:n] {
		states, column = append(states, x), append(column, x[0], x[1])
	}
	return states, column
}

// Trajectory k starts from the state of trajectory k of the file, wherever this state is in the file. If the
// file has the trajectories 0 to n-1, then trajectory k starts from that of number k modulo n.
func TestNumberedStartsGoByNumber(t *testing.T) {
	columns := []data.Column{{Name: "trajectory", Kind: data.Int64}, vectors("x1", 2)}
	for _, c := range []struct {
		numbers     data.Slice[int64]
		first, last int64
		indices     []int // of the states from which the trajectories start
		problem     string
	}{
		{data.Slice[int64]{0, 1, 2}, 0, 6, []int{0, 1, 2, 0, 1, 2, 0}, ""},
		{data.Slice[int64]{0, 1, 2}, 4, 5, []int{1, 2}, ""},
		{data.Slice[int64]{2, 0, 1}, 0, 4, []int{1, 2, 0, 1, 2}, ""},
		{data.Slice[int64]{3, 4}, 3, 4, []int{0, 1}, ""},
		{data.Slice[int64]{4, 3}, 3, 4, []int{1, 0}, ""},
		{data.Slice[int64]{5, 5, 6}, 5, 6, []int{1, 2}, ""},
		{data.Slice[int64]{5, 7, 8}, 7, 8, []int{1, 2}, ""},
		{data.Slice[int64]{3, 4}, 0, 99, nil, "no trajectory 0"},
		{data.Slice[int64]{3, 4}, 3, 5, nil, "no trajectory 5"},
		{data.Slice[int64]{0, 2, 3}, 0, 3, nil, "no trajectory 1"},
		{data.Slice[int64]{5, 7, 8}, 5, 1e12, nil, "no trajectory 6"},
		{data.Slice[int64]{0, 1, 0}, 0, 1, nil, "trajectory 0 in several places"},
	} {
		states, column := onCircle(len(c.numbers))
		start, err := ParseStart(writeStates(t, columns, c.numbers, column))
		if err != nil {
			t.Fatal(err)
		}
		got, err := start.OfNumbered(1, 2, c.first, c.last)
		var refused *parameter.Error
		if c.problem != "" {
			if !errors.As(err, &refused) || refused.Parameter != "start" ||
				!strings.Contains(refused.Problem, c.problem) {
				t.Errorf("%v, trajectories %d to %d: %v", c.numbers, c.first, c.last, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%v, trajectories %d to %d: %v", c.numbers, c.first, c.last, err)
			continue
		}
		for k, index := range c.indices {
			if at := filled(got, c.first+int64(k)); at != states[index] {
				t.Errorf("%v: trajectory %d starts at %v", c.numbers, c.first+int64(k), at)
			}
		}
	}
}

// Without numbers, every row is a trajectory, and the rows are counted from 0. Other starts do not depend on
// numbers.
func TestNumberedStartsWithoutNumbers(t *testing.T) {
	states, column := onCircle(3)
	start, err := ParseStart(writeStates(t, []data.Column{vectors("x1", 2)}, column))
	if err != nil {
		t.Fatal(err)
	}
	got, err := start.OfNumbered(1, 2, 4, 5)
	if err != nil || filled(got, 4) != states[1] || filled(got, 5) != states[2] {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := start.OfNumbered(2, 2, 4, 5); err == nil {
		t.Error("states of one token are accepted for two")
	}
	pair, err := ParseStart("overlap:0.5")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := pair.OfNumbered(2, 3, 7, 8); got != (sde.PairStart{Overlap: 0.5}) || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := pair.OfNumbered(3, 3, 0, 0); err == nil {
		t.Error("a pair of three tokens is accepted")
	}
}

// A start by numbers fills the tokens of any trajectory, also where the time of a run is estimated with one
// that the file does not have, and is the start that the states describe.
func TestNumberedStartsDescribeTheirStates(t *testing.T) {
	states, column := onCircle(2)
	columns := []data.Column{{Name: "trajectory", Kind: data.Int64}, vectors("x1", 2)}
	start, err := ParseStart(writeStates(t, columns, data.Slice[int64]{3, 4}, column))
	if err != nil {
		t.Fatal(err)
	}
	numbered, err := start.OfNumbered(1, 2, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := start.Of(1, 2)
	if err != nil || numbered.String() != plain.String() || filled(numbered, 0) != states[0] {
		t.Errorf("%s", fmt.Sprint(numbered, plain, err))
	}
}
