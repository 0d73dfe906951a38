package fokkerplanck

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
)

// flow returns the point v to which the flow of the given velocity takes the point u in a time, which may be
// negative: the integral of 1/velocity from u to v equals the time. If the flow leaves |u| < 40, flow returns
// the point at which the flow leaves.
func flow(velocity func(at line.Position) float64, u, time float64) float64 {
	left := math.Abs(time)
	slowness := func(u float64) float64 { return 1 / velocity(line.Of(u)) }
	p := quadrature.Panel{Start: u, Width: math.Copysign(0.25, time)}
	for math.Abs(p.Start) < 40 && left > 0 {
		spent := p.Integrate(slowness)
		if spent < left {
			left -= spent
			p.Advance()
			p.Shorten(1)
			continue
		}
		// Halve the panel until the remaining interval is negligible.
		for p.Width *= 0.5; p.Start+p.Width != p.Start && left > 0; p.Width *= 0.5 {
			if spent := p.Integrate(slowness); spent < left {
				left -= spent
				p.Start += p.Width
			}
		}
		break
	}
	return p.Start
}

// transport returns the laws of an overlap that follows a deterministic flow of u = atanh z. The distribution
// function at u is that of the start at the point that the flow takes to u.
func transport(velocity func(at line.Position) float64, from source, times []float64) []Distribution {
	result := make([]Distribution, len(times))
	for i, t := range times {
		if from.start == nil {
			const point, rounding = 0x1p-60, 0x1p-48
			first := inverseSinhMap(flow(velocity, from.at, t)) - point
			result[i] = Distribution{Time: t, Error: rounding, first: first, width: point,
				cumulative: []float64{0, 1}}
			continue
		}
		result[i] = pushforward(velocity, from.start.Start, t)
	}
	return result
}

// pushforward returns the law, at a time, of an overlap that follows a deterministic flow and starts with the
// density from.
func pushforward(velocity func(at line.Position) float64, from line.Start, time float64) Distribution {
	width := 0.25 * min(0.25, from.Scale)
	f := Distribution{Time: time, first: inverseSinhMap(-asymptote - 1), width: width}
	sum, before := 0.0, -from.Edge
	for u := f.edge(0); u < asymptote+1; u = f.edge(len(f.cumulative)) {
		to := max(before, min(from.Edge, flow(velocity, u, -time)))
		sum += mass(from, before, to)
		f.cumulative = append(f.cumulative, sum)
		before = to
	}
	total := sum + mass(from, before, from.Edge)
	for i := range f.cumulative {
		f.cumulative[i] = min(1, f.cumulative[i]/total)
	}
	f.cumulative = append(f.cumulative, 1)
	// The function flow is accurate to 1e-11 in u, and the density of the start is below the dimension.
	f.Error = min(1, f.greatest(f.interpolationError())+1e-9)
	return f
}

// mass returns the mass of the starting law s between the points a and b of u, computed by Gauss-Legendre
// quadrature on intervals that resolve the density.
func mass(s line.Start, a, b float64) float64 {
	parts := math.Ceil((b - a) / s.Scale)
	sum := 0.0
	for i := range int(parts) {
		width := (b - a) / parts
		for j, x := range quadrature.Gauss.Node {
			u := a + float64(width*(float64(i)+float64(0.5*(1+x))))
			sum += float64(0.5 * width * quadrature.Gauss.Weight[j] * s.Density(line.Of(u)))
		}
	}
	return sum
}
