package overlap

import "math"

// flows reports whether the diffusion is the deterministic flow du/dt = 2q, of the
// hybrid model without noise.
func (d *Diffusion) flows() (*hybrid, bool) {
	h, ok := d.model.(*hybrid)
	return h, ok && h.epsilon == 0
}

// flow returns where the flow takes u in a time, which may be negative: the v with ∫ du/2q
// from u to v equal to the time, or where that leaves |u| < 40, beyond which no probability
// is asked for.
func (h *hybrid) flow(u, time float64) float64 {
	left := math.Abs(time) // of the time
	slowness := func(u float64) float64 {
		_, q := h.weights(positionOf(u))
		return 0.5 / q
	}
	p := panel{start: u, width: math.Copysign(0.25, time)}
	for math.Abs(p.start) < 40 && left > 0 {
		spent := p.integrate(slowness)
		if spent < left {
			left -= spent
			p.advance()
			p.shorten(1)
			continue
		}
		// The way to the zero is halved until the rest is a rounding error.
		for p.width *= 0.5; p.start+p.width != p.start && left > 0; p.width *= 0.5 {
			if spent := p.integrate(slowness); spent < left {
				left -= spent
				p.start += p.width
			}
		}
		break
	}
	return p.start
}

// transport returns the laws of the flow: the distribution function at u is that of the
// start at the point from where the flow comes to u.
func (h *hybrid) transport(from source, times []float64) []Distribution {
	result := make([]Distribution, len(times))
	for i, t := range times {
		if from.start.density == nil {
			const point = 0x1p-60
			result[i] = Distribution{Time: t, Error: rounding, first: unstretched(h.flow(from.at, t)) - point, width: point, cumulative: []float64{0, 1}}
			continue
		}
		result[i] = h.push(from.start, t)
	}
	return result
}

// push returns the law of the flow at a time from a density.
func (h *hybrid) push(from start, time float64) Distribution {
	width := 0.25 * min(0.25, from.scale)
	f := Distribution{Time: time, first: unstretched(-inner - 1), width: width}
	sum, before := 0.0, -from.edge
	for u := f.edge(0); u < inner+1; u = f.edge(len(f.cumulative)) {
		to := max(before, min(from.edge, h.flow(u, -time)))
		sum += from.mass(before, to)
		f.cumulative = append(f.cumulative, sum)
		before = to
	}
	total := sum + from.mass(before, from.edge)
	for i := range f.cumulative {
		f.cumulative[i] = min(1, f.cumulative[i]/total)
	}
	f.cumulative = append(f.cumulative, 1)
	// The flow is exact to 1e-11 of u, of which the density of the start is below dim.
	f.Error = min(1, f.greatest(f.roughness())+1e-9)
	return f
}

// mass returns the mass between two points, by cells that resolve the density.
func (s start) mass(a, b float64) float64 {
	parts := math.Ceil((b - a) / s.scale)
	sum := 0.0
	for i := range int(parts) {
		width := (b - a) / parts
		for j, x := range gauss.node {
			u := a + float64(width*(float64(i)+float64(0.5*(1+x))))
			sum += float64(0.5 * width * gauss.weight[j] * s.density(positionOf(u)))
		}
	}
	return sum
}
