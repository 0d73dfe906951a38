package network

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// Sequences that pass through the network together have the same bits as each by itself, after every
// layer and in every attention matrix. Their derivatives are the sums of those of each. Checked for 100
// random networks.
func TestBatches(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for range 100 {
		n := scanned(r)
		transformer := perturbed(t, n, r)
		count := 2 + r.IntN(3)
		w := transformer.Workspace(Batch{Sequences: count, Gradients: true})
		one := transformer.Workspace(Batch{Gradients: true})
		sequences := make([]Sequence, count)
		for k := range sequences {
			sequences[k] = sequence(n, n.Tokens, r)
			if n.Input != Embedded && k == 1 { // use a stride longer than a row
				sequences[k].Vectors = matrix{Rows: n.Tokens, Cols: n.Dim, Stride: n.Dim + 3,
					Data: make([]float64, n.Tokens*(n.Dim+3))}
				for i := range sequences[k].Vectors.Data {
					sequences[k].Vectors.Data[i] = r.NormFloat64()
				}
			}
		}
		out := w.Forward(sequences...)
		probe := newMatrix(out.Rows, out.Cols)
		for k := range probe.Data {
			probe.Data[k] = r.NormFloat64()
		}
		input := w.Backward(probe)
		for k, s := range sequences {
			same := func(name string, all, alone matrix) {
				t.Helper()
				part := rowsOf(all, k*alone.Rows, alone.Rows).Data[:len(alone.Data)]
				if !reflect.DeepEqual(part, alone.Data) {
					t.Fatalf("%+v: sequence %d: other %s", n, k, name)
				}
			}
			same("outputs", out, one.Forward(s))
			for l := range n.Layers + 1 {
				all, alone := w.Layer(l), one.Layer(l)
				same("tokens", all.Tokens, alone.Tokens)
				for h := range alone.Attention {
					if !reflect.DeepEqual(all.Attention[k*n.Heads+h], alone.Attention[h]) {
						t.Fatalf("%+v: sequence %d, layer %d: other attention of head %d", n, k, l, h)
					}
				}
			}
			same("derivatives by the input", input, one.Backward(rowsOf(probe, k*n.Tokens, n.Tokens)))
		}
		for k, v := range w.Gradient {
			if !(math.Abs(v-one.Gradient[k]) <= 1e-10*(1+math.Abs(v))) {
				t.Fatalf("%+v: derivative %d is %v, of one sequence after the other %v",
					n, k, v, one.Gradient[k])
			}
		}
	}
}
