package lanes

import (
	"errors"
	"math"
	"slices"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sphere/invariant"
	"antipode/sphere/must"
)

// growing are the logarithms of the growth of the tangent vectors of a lane; zeros for other lanes.
func growing(l Lanes, k int) (growth [2]float64) {
	if of, ok := l.(*tangents); ok {
		growth[0], growth[1] = of.Growth(k)
	}
	return growth
}

// A trajectory that is copied or moved to another lane goes on there as it would have gone on by itself, and
// a copied one also in its own lane.
func TestTrajectoriesGoOnInOtherLanes(t *testing.T) {
	const trajectory, other, before, after = 7, 4, 3, 5
	for what, create := range map[string]func() Lanes{
		"tangents": func() Lanes {
			l, _ := halves(true, 1, invariant.Ginibre, 20)
			return NewTangents(l.process, l.derivative.Attention, l.draw, l.scale, 3)
		},
		"matrices": func() Lanes { return newMatrixTokens(gaussian(3, 4, 1, 1, 10, 2), 3, false, 1) },
	} {
		alone := create()
		must.Do(t, alone.Start(0, trajectory))
		one := []Lane{{Trajectory: trajectory}}
		alone.Advance(one, before)
		start := slices.Clone(alone.Tokens(0))
		alone.Advance(one, after)
		want, growth := slices.Clone(alone.Tokens(0)), growing(alone, 0)
		for _, copied := range []bool{true, false} {
			l, all := create(), []Lane{{Trajectory: trajectory}, {Trajectory: other}}
			must.Do(t, errors.Join(l.Start(0, trajectory), l.Start(1, other), l.Start(2, other)))
			l.Advance(all, before)
			if copied {
				l.Copy(1, 0)
				l.Copy(2, 0)
				l.Advance(all[:1], after)
				if !slices.Equal(l.Tokens(0), want) || !slices.Equal(l.Tokens(2), start) ||
					growing(l, 0) != growth {
					t.Errorf("%s: the copied trajectory, or its copy that does not run, is another", what)
				}
			} else {
				l.Move(1, 0)
			}
			must.Do(t, l.Start(0, other))
			all[0], all[1] = Lane{Trajectory: other}, Lane{Trajectory: trajectory, Layer: before}
			l.Advance(all, after)
			if !slices.Equal(l.Tokens(1), want) || growing(l, 1) != growth {
				t.Errorf("%s, copied: %v: tokens %v, growth %v; want %v, %v", what, copied, l.Tokens(1),
					growing(l, 1), want, growth)
			}
			if _, ok := l.Pair(1); ok {
				t.Errorf("%s are a pair", what)
			}
		}
	}
}

// Tangent vectors fail with their start, or in the layer after which a token has no direction, where they
// stay: the norm of the first token is infinite, or 0 as V moves the token to the centre of the sphere.
func TestTangentsFail(t *testing.T) {
	failing := errors.New("no start")
	l, _ := halves(true, 1, invariant.Ginibre, 1)
	l.process.Start = func([]float64, int, int64, func() float64) error { return failing }
	if err := l.Start(0, 1); err != failing {
		t.Errorf("error %v of a start that fails", err)
	}
	for _, infinite := range []bool{true, false} {
		l, _ := halves(true, 1, invariant.Ginibre, 1)
		l.process.Start = func(x []float64, d int, _ int64, normal func() float64) error {
			for i := 0; i < len(x); i += d {
				if x[i] = 1; i >= len(x)/2 {
					x[i] = -1
				}
			}
			return nil
		}
		must.Do(t, l.Start(0, 1))
		l.derivative.Field(l.field, l.states[0].tokens)
		length, inverse := l.field[0], 1/l.field[0]
		for inverse*length != 1 {
			inverse = math.Nextafter(inverse, 0)
		}
		l.draw = func(matrix []float64, _ kernels.Stream, _, layer int64) {
			clear(matrix)
			if layer == 2 {
				if matrix[0] = -inverse; infinite {
					matrix[0] = math.Inf(1)
				}
			}
		}
		all := []Lane{{Trajectory: 1}}
		l.Advance(all, 2)
		must.Do(t, all[0].Err)
		for range 2 {
			l.Advance(all, 3)
			if err := all[0].Err; err == nil || err.Error() != "layer 3: a token has no direction" {
				t.Errorf("error %v", err)
			}
		}
	}
}

// A chain in the plane fails in the layer after which a token has no direction.
func TestPlaneChainFails(t *testing.T) {
	opposite := -1.
	l := NewPlaneChain(Clusters{Process: Process{Count: 2, Dim: 3, Beta: 1, Softmax: true,
		Stream: kernels.NewStream(1, 2)}, Masses: [2]float64{1, 1}, Overlap: &opposite},
		Plane{A: 1, C: 0.1, Deviation: 0.3}, 2).(*planeChain)
	all := []Lane{{Trajectory: 1, Layer: 4}, {Trajectory: 2, Layer: 4}}
	must.Do(t, errors.Join(l.Start(0, 1), l.Start(1, 2)))
	l.pairs[1].above = math.NaN()
	l.Advance(all, 2)
	if all[0].Err != nil || all[0].Layer != 6 {
		t.Errorf("the other chain: %+v", all[0])
	}
	const want = "layer 5: a token has no direction"
	if err := all[1].Err; err == nil || err.Error() != want || all[1].Layer != 4 {
		t.Errorf("%+v", all[1])
	}
}
