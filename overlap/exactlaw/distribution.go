package exactlaw

import (
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
)

// points are points of u at equal distances.
type points struct {
	first, width float64
	count        int
}

func (l points) at(i int) float64 { return l.first + float64(l.width*float64(i)) }

// nearest is the point next to u.
func (l points) nearest(u float64) int { return l.clamped(int(math.Round((u - l.first) / l.width))) }

// stencil returns the first of the points from which a function is interpolated at u, and their weights.
// Points that do not exist stand for the ends.
func (l points) stencil(u float64) (first int, weights [interpolated]float64) {
	x := max(0, min(float64(l.count-1), (u-l.first)/l.width))
	floor := math.Floor(x)
	return int(floor) - interpolated/2 + 1, lagrange(x - floor)
}

// clamped is the point i, or the end beyond which it is.
func (l points) clamped(i int) int { return max(0, min(l.count-1, i)) }

// A distribution is the distribution function F of u, which goes forwards: before the first point and
// behind the last one it is constant.
type distribution struct {
	points
	value []float64
	move  *band
}

// setUniform sets F to that of two uniform tokens.
func (f *distribution) setUniform(dim int) {
	density, sum := line.Uniform(dim).Density, 0.0
	f.value = make([]float64, f.count)
	for i := 1; i < f.count; i++ {
		for k, x := range quadrature.Gauss.Node {
			u := f.at(i-1) + float64(0.5*f.width*(1+x))
			sum += float64(quadrature.Gauss.Weight[k] * density(line.Of(u)))
		}
		f.value[i] = sum
	}
	for i := range f.value {
		f.value[i] /= sum
	}
}

// advance takes F forwards by a number of layers, by powers of two of the matrix as far as its square
// saves more than it costs: it is not much wider, as a random walk's is √2 times as wide.
func (f *distribution) advance(layers int) {
	for layers > 0 {
		if layers%2 == 1 || layers < 4*f.move.width() {
			f.value = f.move.apply(f.value, 0, 0)
			layers--
			continue
		}
		f.move = f.move.squared()
		layers /= 2
	}
}

// below is F at a point.
func (f *distribution) below(u float64) float64 {
	first, weights := f.stencil(u)
	sum := 0.0
	for k, weight := range weights {
		sum += float64(weight * f.value[f.clamped(first+k)])
	}
	return sum
}
