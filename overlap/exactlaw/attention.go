package exactlaw

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// weights holds p+q and p-q, where p and q are the weights with which a token attends to itself and to the
// other token. Attention multiplies X¹+X² by p+q and X¹-X² by p-q. The fields sumSlope and differenceSlope
// are the derivatives of p+q and p-q with respect to u = atanh Z.
type weights struct{ sum, difference, sumSlope, differenceSlope float64 }

func (h *hybrid) weights(u float64) weights {
	at := line.Of(u)
	lost := -elementary.Expm1(-float64(h.beta * at.Below))
	ratio := 1 - lost                                      // the ratio q/p
	slope := float64(h.beta * at.Above * at.Below * ratio) // derivative of the ratio with respect to u
	if h.attention == overlap.Softmax {
		return weights{1, lost / (1 + ratio), 0, -2 * slope / float64((1+ratio)*(1+ratio))}
	}
	return weights{h.half * (1 + ratio), h.half * lost, h.half * slope, -h.half * slope}
}

// step returns the u' to which a layer of recursion (7) with scalar w takes u, and the derivative of u' with
// respect to u.
func (h *hybrid) step(u, w float64) (next, slope float64) {
	a := h.weights(u)
	sum, difference := float64(w*a.sum), float64(w*a.difference)
	return u + logAbs(sum) - logAbs(difference),
		1 + float64(w*a.sumSlope)/(1+sum) - float64(w*a.differenceSlope)/(1+difference)
}

// nonMonotone reports whether the new u' is not an increasing function of the old u for some scalar. A layer
// with such a scalar folds the line: it takes different u to the same u'.
func (h *hybrid) nonMonotone() bool {
	edge := min(7, h.law.Largest())
	for _, v := range []float64{-edge, edge} {
		w := math.FMA(h.noise, v, h.drift)
		for u := -10.0; u <= 10; u += 0.1 {
			a := h.weights(u)
			_, slope := h.step(u, w)
			if !(slope > 0 && 1+float64(w*a.sum) > 0 && 1+float64(w*a.difference) > 0) {
				return true
			}
		}
	}
	return false
}

// poles returns the u at which a layer of recursion (7) with scalar w makes X¹+X² or X¹-X² vanish. As p+q
// grows with u and p-q falls, each of the factors 1+w(p+q) and 1+w(p-q) has at most one zero, which bisection
// finds.
func (h *hybrid) poles(w float64, l grid) (at []float64) {
	sum := func(u float64) float64 { return -1 - float64(w*h.weights(u).sum) }
	difference := func(u float64) float64 { return 1 + float64(w*h.weights(u).difference) }
	low, high := l.first, l.at(l.count-1)
	for _, f := range []func(u float64) float64{sum, difference} {
		if f(low) < 0 && f(high) > 0 {
			at = append(at, quadrature.Bisect(f, low, high))
		}
	}
	return at
}

// logAbs returns log|1+x|, or log 1e-300 if |1+x| is smaller than 1e-300.
func logAbs(x float64) float64 {
	if x > -0.5 {
		return elementary.Log1p(x)
	}
	return elementary.Log(max(math.Abs(1+x), 1e-300))
}
