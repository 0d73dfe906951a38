package matrices

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A signal whose layers use the memory of earlier ones is that of one which keeps everything.
// With as many tokens as a head has columns, all its matrices but weights are of one size.
func TestMemoryIsUsedAgain(t *testing.T) {
	for kind := range AttentionNames {
		for _, gap := range []Gap{KeepGap, RemoveMeans} {
			for _, values := range []Values{GaussianValues, OrthogonalValues} {
				n := Network{Attention: Attention(kind), Gap: gap, Values: values, Tokens: 4, Dim: 12,
					Layers: 4, Heads: 3, LayerNorm: gap == KeepGap, Skip: values == GaussianValues}
				t.Run(fmt.Sprintf("%v %v %v", n.Attention, gap, values), func(t *testing.T) {
					sameSignals(t, n)
				})
			}
		}
	}
}

func sameSignals(t *testing.T, n Network) {
	signal, keeping := n.Start(3, 4), n.Start(3, 4)
	keeping.keeps = true
	for l := range n.Layers {
		for _, s := range []*Signal{signal, keeping} {
			if err := s.Advance(); err != nil {
				t.Fatal(err)
			}
		}
		if !mat.Equal(signal.X(), keeping.X()) {
			t.Errorf("layer %d: other signals", l+1)
		}
		for k := range n.Heads {
			if !mat.Equal(signal.Attention(k), keeping.Attention(k)) {
				t.Errorf("layer %d: other attention of head %d", l+1, k)
			}
		}
	}
	if free := len(signal.memory.free); free > 5*n.Heads {
		t.Errorf("%d matrices nobody needs", free)
	}
}
