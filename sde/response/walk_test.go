package response

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sde"
	"antipode/sphere/elementary"
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
		if !(math.Abs(w.u-want) <= 1e-12*(1+math.Abs(want))) {
			t.Errorf("from %v to %v, want %v", u, w.u, want)
		}
	}
}

// The scores of a layer are those with respect to log c₁ and log c₂, times the derivatives of these
// logarithms by differences. With unnormalised attention both depend on β.
func TestScoresByParameter(t *testing.T) {
	const d, depth, beta, sigma, u, h = 4, 9, 1.3, 0.8, 0.4, 1e-5
	random := rand.New(rand.NewPCG(12, 7))
	for _, attention := range []sde.Attention{sde.Softmax, sde.Unnormalized} {
		of := func(beta float64) *transformerWalk {
			w := newTransformerWalk(&Transformer{Cell: respondingCell(d, beta, sigma, depth, attention),
				Layers: 1, Tolerance: 0.1})
			w.u = u
			return w
		}
		w := of(beta)
		var a, b, c float64
		first, second := w.amplitudes()
		c1, c2 := first.value, second.value
		for k := range d {
			g, h := random.NormFloat64(), random.NormFloat64()
			w.noise[k], w.noise[d+k] = g, h
			y1, y2 := c1*g, c2*h
			switch k {
			case 0:
				y1++
			case 1:
				y2++
			}
			a, b, c = a+y1*y1, b+y1*y2, c+y2*y2
		}
		n := w.noise
		// In units of e^|u|.
		shape := layerShape{a: a, b: b, c: c, up: 1, down: math.Exp(-2 * u), root: math.Sqrt(a*c - b*b),
			first: c1 * c1, second: c2 * c2, dim: d,
			y: [4]float64{1 + c1*n[0], c1 * n[1], c2 * n[d], 1 + c2*n[d+1]}}
		s1, s2 := shape.scores()
		high1, high2 := of(beta + h).amplitudes()
		low1, low2 := of(beta - h).amplitudes()
		byBeta := s1*math.Log(high1.value/low1.value)/(2*h) + s2*math.Log(high2.value/low2.value)/(2*h)
		w.step()
		for p, want := range []float64{byBeta, (s1 + s2) / sigma} {
			if got := w.score[p]; !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
				t.Errorf("%v: score %d is %v, want %v", attention, p, got, want)
			}
		}
	}
}

// The estimates of a trajectory follow from its overlap, score, control and derivative: score minus control
// if it is antipodal and minus the control if not; (z-1) times the score plus twice the control; and 1-z²
// times the derivative of u. Their squares go with them. An overlap exactly at the tolerance is antipodal.
func TestEstimatesOfATrajectory(t *testing.T) {
	w := newTransformerWalk(&Transformer{Cell: respondingCell(4, 1, 1, 9, sde.Softmax), Layers: 1,
		Tolerance: 0.5})
	edge := 0.5 * elementary.Log(0.5/1.5)
	for _, c := range []struct {
		u         float64
		antipodal bool
	}{{-2, true}, {edge, true}, {math.Nextafter(edge, 0), false}, {0.3, false}, {3, false}} {
		w.u = c.u
		w.score, w.control, w.by = [2]float64{5, 0.7}, [2]float64{0.2, 0.4}, [2]float64{3, 0.6}
		z := math.Tanh(c.u)
		for p := range 2 {
			want := sums{count: 1, sum: [3]float64{-w.control[p], (z-1)*w.score[p] + 2*w.control[p],
				(1 - z*z) * w.by[p]}}
			if c.antipodal {
				want.antipodal, want.sum[0] = 1, w.score[p]-w.control[p]
			}
			got := w.derivatives(p)
			if got.count != 1 || got.antipodal != want.antipodal {
				t.Errorf("u = %v: %+v", c.u, got)
			}
			for k, x := range want.sum {
				if !(math.Abs(got.sum[k]-x) <= 1e-14) || !(math.Abs(got.squares[k]-x*x) <= 1e-13) {
					t.Errorf("u = %v: estimate %d is %v of square %v, want %v", c.u, k, got.sum[k],
						got.squares[k], x)
				}
			}
		}
	}
}
