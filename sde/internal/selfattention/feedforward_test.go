package selfattention

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/runtest"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// Layers with an MLP have the same bits in all instruction sets. Tokens that coincide stay so, and two
// opposite ones beside an odd activation too.
func TestFeedforwardHasTheSameBitsEverywhere(t *testing.T) {
	for _, shape := range [][3]int{{2, 4, 16}, {2, 3, 1}, {3, 5, 7}, {5, 2, 30}, {1, 6, 4}, {4, 9, 12}} {
		for _, sequence := range []bool{false, true} {
			run := func() []Vector {
				r := rand.New(rand.NewPCG(34, 1))
				l, weights := anywhere(r), anywhere(r)
				x := NewTokens(shape[0], shape[1], 0.3, NewAttention(2, shape[0], true), true)
				x.Add(&Feedforward{Activation: activation.Tanh, Width: shape[2], Root: 1.4, Scale: 0.2,
					InSequence: sequence, Draw: func(v []kernels.Vector) { weights.Normals(v, 1, 0) }})
				startTokens(r, x)
				var states []Vector
				for range 20 {
					must.Do(t, x.Step(func(v []Vector) { l.Normals(v, 1, 0) }))
					l.Advance()
					weights.Advance()
					states = slices.Concat(states, x.X)
				}
				for i := 1; i < shape[0]; i++ {
					for k := range shape[1] {
						if x.X[i*shape[1]+k][0] != x.X[k][0] {
							t.Fatalf("%v, sequence %v: equal tokens part", shape, sequence)
						}
						if shape[0] == 2 && x.X[shape[1]+k][1] != -x.X[k][1] {
							t.Fatalf("%v, sequence %v: opposite tokens do not stay opposite", shape, sequence)
						}
					}
				}
				return states
			}
			want := inGeneric(run)
			what := fmt.Sprint(shape, sequence)
			withEach(t, func(t *testing.T) { runtest.SameBits(t, what, run(), want) })
		}
	}
}
