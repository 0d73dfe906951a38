package response

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sde"
)

// A step is that of the recursion. With softmax, the sum s and the difference t of two tokens become s + V
// s/√L and t + tanh(β(1-z)/2) V t/√L, and V s and V t are independent normal vectors.
func TestStepOfAResponse(t *testing.T) {
	const d, depth, beta, sigma = 4, 9, 1.3, 0.8
	w := newTransformerWalk(&Transformer{Cell: respondingCell(d, beta, sigma, depth, sde.Softmax), Layers: 1,
		Tolerance: 0.1})
	random := rand.New(rand.NewPCG(12, 6))
	for _, u := range []float64{-2.5, -0.6, 0, 0.4, 1.9} {
		for k := range w.noise {
			w.noise[k] = random.NormFloat64()
		}
		z := math.Tanh(u)
		var sum, difference [d]float64
		sum[0], difference[1] = math.Sqrt(2*(1+z)), math.Sqrt(2*(1-z))
		scale := sigma / math.Sqrt(depth)
		lengthS, lengthT := sum[0], math.Tanh(beta*(1-z)/2)*difference[1]
		var squareS, squareT, inner float64
		for k := range d {
			sum[k] += scale * lengthS * w.noise[k]
			difference[k] += scale * lengthT * w.noise[d+k]
			squareS, squareT = squareS+sum[k]*sum[k], squareT+difference[k]*difference[k]
			inner += sum[k] * difference[k]
		}
		norms := math.Sqrt((squareS+squareT)*(squareS+squareT) - 4*inner*inner)
		want := math.Atanh((squareS - squareT) / norms)
		w.u = u
		w.step()
		if math.Abs(w.u-want) > 1e-12*(1+math.Abs(want)) {
			t.Errorf("from %v to %v, want %v", u, w.u, want)
		}
	}
}
