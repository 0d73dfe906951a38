package sde

import (
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/sphere"
	"antipode/sphere/must"
)

// startOf returns the start of a trajectory of a cell.
func startOf(t *testing.T, c Cell, trajectory int64) []float64 {
	t.Helper()
	var rows []record
	return runAll(t, recording([]Cell{c}, trajectory+1, 0, &rows), &rows)[trajectory].tokens
}

func TestOppositeStart(t *testing.T) {
	for _, masses := range [][2]int{{1, 1}, {3, 1}, {1, 4}} {
		c := pairCell()
		c.Tokens, c.Start = masses[0]+masses[1], OppositeStart{masses[0], masses[1]}
		x := startOf(t, c, 3)
		for i := range c.Tokens {
			token := slices.Clone(x[i*4 : i*4+4])
			if !(math.Abs(normError(token)) <= 6) {
				t.Errorf("%v: token %d has no norm 1", c.Start, i)
			}
			if i >= masses[0] {
				for k := range token {
					token[k] = -token[k]
				}
			}
			if !slices.Equal(token, x[:4]) {
				t.Errorf("%v: token %d is %v, the first %v", c.Start, i, x[i*4:i*4+4], x[:4])
			}
		}
		if slices.Equal(x, startOf(t, c, 2)) {
			t.Errorf("%v: two trajectories have the same start", c.Start)
		}
	}
}

// Two opposite clusters of equal masses stay opposite bit for bit; clusters of unequal masses do not.
func TestOppositeClustersOfEqualMassesStayOpposite(t *testing.T) {
	for _, c := range []struct {
		start OppositeStart
		want  bool
	}{{OppositeStart{2, 2}, true}, {OppositeStart{1, 3}, false}} {
		cell := pairCell()
		cell.Tokens, cell.Start, cell.Beta = 4, c.start, 0.3
		var rows []record
		x := runAll(t, recording([]Cell{cell}, 1, 50, &rows), &rows)[0].tokens
		if got := sphere.Dot(x[:4], x[12:]) < -1+1e-14; got != c.want {
			t.Errorf("%v: opposite after 50 layers: %t", c.start, got)
		}
	}
}

func TestOppositeStartValidate(t *testing.T) {
	for _, c := range []struct {
		start  OppositeStart
		tokens int
		want   string
	}{
		{OppositeStart{0, 2}, 2, "at least 1 token"},
		{OppositeStart{2, 0}, 2, "at least 1 token"},
		{OppositeStart{-1, 3}, 2, "at least 1 token"},
		{OppositeStart{1, 2}, 2, "not 2"},
		{OppositeStart{math.MaxInt, math.MaxInt}, 2, "not 2"},
		{OppositeStart{1, 1}, 3, "needs 2 tokens, not 3"},
	} {
		if err := c.start.Validate(c.tokens, 3); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.start, err, c.want)
		}
	}
	if err := (OppositeStart{1, 2}).Validate(3, 2); err != nil {
		t.Error(err)
	}
}

func TestStatesStart(t *testing.T) {
	states := []float64{1, 0, 0, 1, -1, 0, 0, -1, 0.6, 0.8, 0.8, 0.6}
	start := must.Get(NewStatesStart(slices.Clone(states), 2, 2))(t)
	c := pairCell()
	c.Dim, c.Start = 2, start
	for trajectory, k := range []int{0, 1, 2, 0, 1} {
		if got := startOf(t, c, int64(trajectory)); !slices.Equal(got, states[4*k:4*k+4]) {
			t.Errorf("trajectory %d starts from %v, want state %d", trajectory, got, k)
		}
	}
	states[0] = -1
	other, err := NewStatesStart(states, 2, 2)
	if err != nil || other.String() == start.String() {
		t.Errorf("other states are described as %q too, error %v", start, err)
	}
}

// A start keeps the bits of states that a simulation has left, and normalises others.
func TestStatesKeepTheirBits(t *testing.T) {
	c := pairCell()
	c.Dim = 30
	var rows []record
	var x []float64
	for _, row := range runAll(t, recording([]Cell{c}, 100, 20, &rows), &rows) {
		x = append(x, row.tokens...)
	}
	kept := slices.Clone(x)
	if _, err := NewStatesStart(kept, 2, 30); err != nil || !slices.Equal(kept, x) {
		t.Errorf("states of norm 1 are changed, error %v", err)
	}
	for k := range kept[:30] {
		kept[k] = float64(float32(kept[k]))
	}
	if _, err := NewStatesStart(kept, 2, 30); err != nil || math.Abs(normError(kept[:30])) > 10 ||
		slices.Equal(kept, x) {
		t.Errorf("float32 states: %v, error %v", kept[:30], err)
	}
}

func TestNewStatesStartRefuses(t *testing.T) {
	for _, c := range []struct {
		states      []float64
		tokens, dim int
		want        string
	}{
		{nil, 1, 1, "0 numbers"},
		{[]float64{1, 0, 1}, 1, 2, "3 numbers are not states"},
		{[]float64{1, 0}, 2, 2, "2 numbers are not states"},
		{[]float64{1}, 0, 1, "not states of 0 tokens"},
		{[]float64{1}, 1, 0, "of dimension 0"},
		{[]float64{1}, math.MaxInt, math.MaxInt, "not states"},
		{[]float64{1, 0, 1, 0, 0, 1, 0, 0.5}, 2, 2, "token 2 of state 2 has norm 0.5; must be 1"},
		{[]float64{math.NaN(), 0}, 1, 2, "norm NaN"},
		{[]float64{math.Inf(1), 0}, 1, 2, "norm +Inf"},
	} {
		if _, err := NewStatesStart(c.states, c.tokens, c.dim); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	start := must.Get(NewStatesStart([]float64{1, 0}, 1, 2))(t)
	c := pairCell()
	c.Start = start
	const want = "1 tokens of dimension 2, not 2 of dimension 4"
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("states that do not fit: %v", err)
	}
}
