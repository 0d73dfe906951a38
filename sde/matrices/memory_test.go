package matrices

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"antipode/sphere/must"
)

// A signal whose layers reuse the memory of earlier layers and samples agrees with a signal that keeps
// everything. If a head has as many columns as there are tokens, all its matrices except weights have the
// same size.
func TestMemoryIsUsedAgain(t *testing.T) {
	for kind := range AttentionNames {
		for _, gap := range []Gap{KeepGap, RemoveMeans, RemoveOutliers} {
			for _, values := range []Values{GaussianValues, OrthogonalValues} {
				n := Network{Attention: Attention(kind), Gap: gap, Values: values, Tokens: 4, Dim: 12,
					Layers: 4, Heads: 3, LayerNorm: gap == KeepGap, Skip: values == GaussianValues}
				t.Run(fmt.Sprintf("%v %v %v", n.Attention, gap, values), func(t *testing.T) {
					w := n.Workspace()
					for sample := range int64(3) {
						sameSignals(t, w, sample)
						want := must.Get(n.Gradients(3, sample))(t)
						if got, err := w.Gradients(3, sample); err != nil || !slices.Equal(got, want) {
							t.Errorf("sample %d: gradients %v, want %v; error %v", sample, got, want, err)
						}
					}
				})
			}
		}
	}
}

func sameSignals(t *testing.T, w *Workspace, sample int64) {
	t.Helper()
	n := w.network
	signal, keeping := w.Start(3, sample), n.Workspace().start(3, sample, true)
	for l := range n.Layers {
		for _, s := range []*Signal{signal, keeping} {
			must.Do(t, s.Advance())
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
}

// A workspace has no more matrices for many layers and samples than for few. From the second sample on,
// only a signal and its drawer are allocated.
func TestNoAllocationInLayers(t *testing.T) {
	for _, attention := range []Attention{Markov, Softmax, Linear, Sigmoid, ReLU, Identity} {
		for _, gap := range []Gap{KeepGap, RemoveMeans} {
			n := Network{
				Attention: attention, Gap: gap, Tokens: 9, Dim: 12, Layers: 2, Heads: 2, LayerNorm: true,
			}
			few, fewMatrices := allocations(t, n)
			n.Layers = 9
			// The race detector allocates memory of its own.
			if many, matrices := allocations(t, n); many > few+4 || matrices != fewMatrices {
				t.Errorf("%v, %v: %v allocations, %d matrices in 9 layers, %v, %d in 2",
					attention, gap, many, matrices, few, fewMatrices)
			}
		}
	}
}

// allocations returns the number of allocations for a sample, not counting the first one, and the number
// of matrices after 4 samples.
func allocations(t *testing.T, n Network) (count float64, matrices int) {
	w := n.Workspace()
	sample := func() {
		s := w.Start(1, 0)
		for range n.Layers {
			must.Do(t, s.Advance())
		}
	}
	sample()
	matrices = len(w.memory.all)
	count = testing.AllocsPerRun(3, sample)
	if got := len(w.memory.all); got != matrices {
		t.Errorf("%v: %d matrices after more samples, %d after one", n.Attention, got, matrices)
	}
	return count, matrices
}
