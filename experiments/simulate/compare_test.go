package simulate

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/experiments/parameter"
	"antipode/experiments/setting"
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"
	"antipode/sphere/must"
)

// compared returns the tokens of two experiments on the same noise, at every layer.
func compared(t *testing.T, one, other *Experiment) (states [2][][]float64) {
	t.Helper()
	must.Do(t, one.Compare(t.Context(), other, Look{Seed: 3, Wanted: every}, func(frames [2]*Frame) error {
		for k, f := range frames {
			if int(f.Layer) != len(states[k]) {
				t.Fatalf("layer %d after %d", f.Layer, len(states[k]))
			}
			checkFrame(t, []*Experiment{one, other}[k], f)
			states[k] = append(states[k], slices.Clone(f.Tokens))
		}
		return nil
	}))
	return states
}

func small() *Experiment {
	s := New()
	s.Tokens, s.Dim, s.Beta, s.Depth, s.Horizon = 5, 3, 1, 40, 2
	return s
}

// Equal experiments on the same noise have equal tokens, bit for bit. Experiments that differ in β have the
// same noise: the equation, which is written out here, leads from each layer to the next with the same
// matrices.
func TestComparedOnTheSameNoise(t *testing.T) {
	one := small()
	same := compared(t, one, small())
	other := small()
	other.Beta = 4
	different := compared(t, one, other)
	if len(same[0]) != 81 {
		t.Fatalf("%d layers", len(same[0]))
	}
	cell := must.Get(one.cell())(t)
	cell.Beta = 0
	path := brownian.NewPath(3, cell.PathID(40), 40, 9)
	value := make([]float64, 9)
	for k := range same[0] {
		if !slices.Equal(same[0][k], same[1][k]) || !slices.Equal(same[0][k], different[0][k]) {
			t.Fatalf("layer %d differs", k)
		}
		if k == 0 {
			if !slices.Equal(different[0][0], different[1][0]) {
				t.Fatal("another start")
			}
			continue
		}
		path.Increment(value, 0, 0, int64(k-1)) // V/√L
		for which, beta := range []float64{1, 4} {
			want := nextLayer(different[which][k-1], value, beta)
			for i, x := range want {
				if !(math.Abs(x-different[which][k][i]) <= 1e-12) {
					t.Fatalf("β = %g, layer %d: %v, want %v", beta, k, different[which][k], want)
				}
			}
		}
	}
	if slices.Equal(different[0][80], different[1][80]) {
		t.Error("β has no effect")
	}
}

// nextLayer applies equation (4) to tokens in three dimensions, with the matrix value.
func nextLayer(x, value []float64, beta float64) (next []float64) {
	n := len(x) / 3
	for i := range n {
		total, mean := 0.0, [3]float64{}
		for j := range n {
			weight := math.Exp(beta * sphere.Dot(x[3*i:3*i+3], x[3*j:3*j+3]))
			total += weight
			for c := range mean {
				mean[c] += weight * x[3*j+c]
			}
		}
		var y [3]float64
		for r := range y {
			y[r] = x[3*i+r]
			for c := range mean {
				y[r] += value[3*r+c] * mean[c] / total
			}
		}
		norm := math.Sqrt(sphere.Dot(y[:], y[:]))
		for _, v := range y {
			next = append(next, v/norm)
		}
	}
	return next
}

// The recursion stays near its limit on the same noise, as the Euler scheme has strong order 1/2; with other
// noise the distance would be about 1. The hybrid model without noise is the deterministic flow, bit for bit.
func TestComparedModels(t *testing.T) {
	one, limit := small(), small()
	one.Depth, limit.Depth, one.Horizon, limit.Horizon = 1000, 1000, 1, 1
	limit.Model = setting.TransformerSDE
	states := compared(t, one, limit)
	distance := 0.0
	for i, x := range states[0][1000] {
		distance = max(distance, math.Abs(x-states[1][1000][i]))
	}
	if distance == 0 || distance > 0.15 {
		t.Errorf("the recursion is %v from its limit", distance)
	}
	hybrid, quiet, flow := small(), small(), small()
	hybrid.Model, hybrid.Law, hybrid.Epsilon = setting.Hybrid, sde.Rademacher, 1
	quiet.Model, quiet.Law, quiet.Epsilon = setting.Hybrid, sde.Rademacher, 0
	flow.Model = setting.Flow
	states = compared(t, hybrid, flow)
	again := compared(t, hybrid, quiet)
	if slices.Equal(states[0][80], states[1][80]) || !slices.Equal(states[1][0], again[1][0]) {
		t.Error("the noise has no effect, or another start")
	}
}

// Experiments that cannot be compared are refused with a reason, and the attention matrices in frames are
// those of their tokens.
func TestComparedProblems(t *testing.T) {
	for want, change := range map[string]func(*Experiment){
		"the same tokens":    func(s *Experiment) { s.Tokens = 6 },
		"start and depth":    func(s *Experiment) { s.Depth = 20 },
		"must be the same":   func(s *Experiment) { s.Horizon = 3 },
		"the same noise: 9 ": func(s *Experiment) { s.Model, s.Law = setting.Hybrid, sde.Rademacher },
	} {
		other := small()
		change(other)
		err := small().Compare(t.Context(), other, Look{Wanted: every}, func([2]*Frame) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	enough := errors.New("enough")
	look := Look{Seed: 1, Attention: true, Wanted: every}
	see := func(frames [2]*Frame) error {
		for k, f := range frames {
			for i, row := range slices.Collect(slices.Chunk(f.Weights, 5)) {
				total, sum := 0.0, 0.0
				for j := range row {
					total += math.Exp(float64(1+3*k) * sphere.Dot(f.Tokens[3*i:3*i+3], f.Tokens[3*j:3*j+3]))
				}
				for j, weight := range row {
					z := sphere.Dot(f.Tokens[3*i:3*i+3], f.Tokens[3*j:3*j+3])
					if !(math.Abs(weight-math.Exp(float64(1+3*k)*z)/total) <= 1e-14) {
						t.Errorf("panel %d, weight (%d, %d) is %v", k, i, j, weight)
					}
					sum += weight
				}
				if !(math.Abs(sum-1) <= 1e-14) || len(f.Weights) != 25 {
					t.Errorf("a row of sum %v, %d entries", sum, len(f.Weights))
				}
			}
		}
		return enough
	}
	other := small()
	other.Beta = 4
	if err := small().Compare(t.Context(), other, look, see); !errors.Is(err, enough) {
		t.Error(err)
	}
	many := small()
	many.Tokens = 1001
	var problem *parameter.Error
	err := many.Watch(t.Context(), look, func(*Frame) error { return nil })
	if !errors.As(err, &problem) || problem.Parameter != "tokens" {
		t.Errorf("attention of 1001 tokens: %v", err)
	}
}

// A trajectory can start from given tokens: a flow that starts from the tokens after some layers of another
// run continues that run bit for bit.
func TestWatchFromTokens(t *testing.T) {
	flow := small()
	flow.Model = setting.Flow
	var middle, end, again []float64
	err := flow.Watch(t.Context(), Look{Seed: 1, Wanted: every}, func(f *Frame) error {
		if f.Layer == 40 {
			middle = slices.Clone(f.Tokens)
		}
		end = slices.Clone(f.Tokens)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	from := must.Get(flow.From(middle))(t)
	from.Horizon = 1
	err = from.Watch(t.Context(), Look{Seed: 2, Wanted: every}, func(f *Frame) error {
		again = slices.Clone(f.Tokens)
		return nil
	})
	if err != nil || !slices.Equal(again, end) {
		t.Errorf("%v: %v, want %v", err, again, end)
	}
	middle[4] += 0.1
	for _, tokens := range [][]float64{middle, middle[:14], nil} {
		var problem *parameter.Error
		if _, err := flow.From(tokens); !errors.As(err, &problem) || problem.Parameter != "start" {
			t.Errorf("from %v: %v", tokens, err)
		}
	}
}
