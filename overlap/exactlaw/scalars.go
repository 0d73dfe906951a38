package exactlaw

import (
	"math"

	"antipode/overlap/finitedepth"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// scalars returns values w of the scalar 1/L + εv/√L of recursion (7), with their probabilities p. For
// Rademacher v the scalar has two values. For other laws of v, the values are the nodes of a quadrature rule,
// which is finer at higher effort. The quadrature rule is accurate for every function that a lattice of u of
// the given width resolves.
func (h *hybrid) scalars(effort int, width float64) (w, p []float64) {
	add := func(v, weight float64) {
		w, p = append(w, math.FMA(h.noise, v, h.drift)), append(p, weight)
	}
	edge := min(7, h.law.Largest())
	fastest := math.Pi * h.greatestSlope(edge) / width // the greatest frequency in the scalar v
	panels := func(rate float64) {
		const resolved = 14 // greatest phase from the middle to an end that 16 nodes of a panel resolve
		count := max(1+effort/4, int(math.Ceil(edge*fastest/resolved)))
		half := edge / float64(count)
		for k := range count {
			middle := float64(float64(2*k+1)*half) - edge
			for i, x := range quadrature.Gauss.Node {
				v := middle + float64(half*x)
				add(v, quadrature.Gauss.Weight[i]*elementary.Exp(-float64(rate*v*v)))
			}
		}
	}
	switch h.law {
	case finitedepth.Rademacher:
		add(-1, 1)
		add(1, 1)
	case finitedepth.Uniform:
		panels(0)
	case finitedepth.TruncatedNormal: // normal, truncated at two standard deviations
		panels(2 / (h.law.Largest() * h.law.Largest()))
	case finitedepth.Gaussian:
		spacing := 2 * math.Pi / (7 + float64(0.5*float64(effort)) + fastest)
		for k := -int(7 / spacing); float64(k) <= 7/spacing; k++ {
			v := float64(spacing * float64(k))
			add(v, elementary.Exp(-float64(0.5*v*v)))
		}
	}
	scaleToSum(1, p)
	return w, p
}

// greatestSlope returns the greatest average slope, over all u, of the new u' as a function of the random
// scalar v from -edge to edge.
func (h *hybrid) greatestSlope(edge float64) (most float64) {
	for u := -8.0; u <= 8; u += 0.5 {
		low, _ := h.step(u, h.drift-float64(h.noise*edge))
		high, _ := h.step(u, math.FMA(h.noise, edge, h.drift))
		most = max(most, math.Abs(high-low)/(2*edge))
	}
	return most
}
