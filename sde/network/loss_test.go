package network

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sphere/must"
)

// Whole contains the derivatives of the loss of a Transformer with the same weights. Derivatives with
// respect to tokens are computed by central differences of the loss, which is implemented again here, and
// passed back through the Transformer's Workspace.
func TestDerivativesOfALoss(t *testing.T) {
	const classes, seed = 5, 8
	n := small(PreNorm, GELU)
	n.Layers = 2
	e := Ensemble{Network: n, Networks: 2, Seed: seed, Gradients: true, Classes: classes}
	for k, layers := range run(t, e) {
		transformer := must.Get(New(n, seed, int64(k)))(t)
		s := newSource(kernels.NewStream(seed, n.id()), int64(k))
		input, weights := newMatrix(n.Tokens, n.Dim), newMatrix(classes, n.Dim)
		s.tokens(n, input)
		s.normals(weights, 1/math.Sqrt(float64(n.Dim)), lossRole, 0, nil)
		class := s.choices(classesRole, 0, n.Tokens, classes)
		w := transformer.Workspace(Batch{Gradients: true})
		last := w.Forward(Sequence{Vectors: input})
		mean := func() (mean float64) {
			for token, c := range class {
				sum := 0.0
				for other := range classes {
					sum += math.Exp(inner(row(last, token), row(weights, other)))
				}
				mean += (math.Log(sum) - inner(row(last, token), row(weights, c))) / float64(n.Tokens)
			}
			return mean
		}
		derivative := newMatrix(n.Tokens, n.Dim)
		for i := range last.Data {
			const step = 1e-4
			before := last.Data[i]
			at := func(shift float64) float64 { last.Data[i] = before + shift; return mean() }
			derivative.Data[i] = (8*(at(step)-at(-step)) - (at(2*step) - at(-2*step))) / (12 * step)
			last.Data[i] = before
		}
		w.Backward(derivative)
		for l, layer := range layers[1:] {
			want := w.blocks[l].gradients()
			for name, pair := range map[string][2]float64{
				"query": {layer.Whole.Query, want.Query}, "value": {layer.Whole.Value, want.Value},
				"hidden": {layer.Whole.Hidden, want.Hidden}, "output": {layer.Whole.Output, want.Output},
			} {
				if !(math.Abs(pair[0]-pair[1]) <= 1e-7*pair[1]) {
					t.Errorf("network %d, layer %d, %s: %g, want %g", k, l+1, name, pair[0], pair[1])
				}
			}
		}
	}
	for _, e := range []Ensemble{
		{Network: n, Networks: 1, Gradients: true, Classes: 1}, {Network: n, Networks: 1, Classes: 3},
	} {
		if e.Validate() == nil {
			t.Errorf("%d classes, gradients %v: allowed", e.Classes, e.Gradients)
		}
	}
}
