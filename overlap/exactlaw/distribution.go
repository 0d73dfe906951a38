package exactlaw

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
)

// A grid is a set of equidistant points of u = atanh Z, for the overlap Z.
type grid struct {
	first, width float64
	count        int
}

func (l grid) at(i int) float64 { return l.first + float64(l.width*float64(i)) }

// nearest returns the index of the grid point nearest to u.
func (l grid) nearest(u float64) int { return l.clamped(int(math.Round((u - l.first) / l.width))) }

// clamped returns i, or the index of the first or the last grid point if i lies beyond it.
func (l grid) clamped(i int) int { return max(0, min(l.count-1, i)) }

// A stencil holds the weights of consecutive grid points, beginning with point first.
type stencil struct {
	first   int
	weights [stencilSize]float64
}

// stencil returns the weights with which the values of a function at grid points interpolate the function at
// u. Beyond the ends of the grid the function counts as constant.
func (l grid) stencil(u float64) (s stencil) {
	x := max(0, min(float64(l.count-1), (u-l.first)/l.width))
	floor := math.Floor(x)
	first := int(floor) - stencilSize/2 + 1
	s.first = max(0, min(l.count-stencilSize, first))
	for k, weight := range lagrangePolynomials(x - floor) {
		s.weights[l.clamped(first+k)-s.first] += weight
	}
	return s
}

// apply returns the weighted sum of values at the grid points of the stencil.
func (s *stencil) apply(values []float64) (sum float64) {
	some := values[s.first : s.first+stencilSize]
	for k, weight := range s.weights {
		sum += float64(weight * some[k])
	}
	return sum
}

// A distribution is the distribution function F of u = atanh Z on a grid, which is propagated forwards from
// layer to layer. Before the first and after the last grid point, F is constant.
type distribution struct {
	grid
	ends        [2]excursions // excursions beyond both ends, which determine how far F is needed
	value       []float64
	workspace   []float64   // workspace for the next F
	transitions [][]stencil // F at point i after a layer is the sum of stencils i of F before it
}

// setUniform sets F to the distribution function of u = atanh Z for two independent uniform tokens of
// dimension dim.
func (f *distribution) setUniform(dim int) {
	const negligible = 1e-18
	start, sum := line.Uniform(dim).Density, 0.0
	density := func(u float64) float64 { return start(line.Of(u)) }
	f.value = make([]float64, f.count)
	first, last := 0, f.count-1
	for density(f.at(first)) > negligible {
		first--
	}
	for density(f.at(last)) > negligible {
		last++
	}
	for i := first; i <= last; i++ {
		if i >= 0 && i < f.count {
			f.value[i] = sum
		}
		low, high := f.at(i), f.at(i+1)
		if density(max(low, min(high, 0))) > negligible {
			for k, x := range quadrature.Gauss.Node {
				sum += float64(quadrature.Gauss.Weight[k] * density(low+float64(0.5*f.width*(1+x))))
			}
		}
	}
	for i := range f.value {
		f.value[i] /= sum
	}
}

// mostOperations limits the number of operations for the propagation of a distribution function.
const mostOperations = 3e9

func (f *distribution) errTooLong(layers int) error {
	return fmt.Errorf("exactlaw: the law is not available: %d layers on %d points take too long", layers,
		f.count)
}

// advance propagates the distribution function F through a number of layers, one by one or by powers of the
// transition matrix. advance returns an error if both ways would take too long.
func (f *distribution) advance(layers int) error {
	single, powers := f.costs(layers)
	if min(single, powers) > mostOperations {
		return f.errTooLong(layers)
	}
	if single < powers {
		for range layers {
			f.step()
		}
		return nil
	}
	f.workspace = make([]float64, f.count)
	f.matrix().eachPower(layers, f.apply)
	return nil
}

// step propagates the distribution function F through one layer.
func (f *distribution) step() {
	next := make([]float64, f.count)
	for i, stencils := range f.transitions {
		for k := range stencils {
			next[i] += stencils[k].apply(f.value)
		}
	}
	f.value = next
}

// apply propagates the distribution function F by the transition matrix move of one or several layers; left
// is the number of layers that remain afterwards. apply computes F only where F is not constant, and only as
// far out as F matters for the remaining layers and for interpolation.
func (f *distribution) apply(move *band, left int) {
	first := f.clamped(f.nearest(f.ends[0].from-f.ends[0].returnDistance(left)) - stencilSize)
	last := f.clamped(f.nearest(f.ends[1].from+f.ends[1].returnDistance(left)) + stencilSize)
	low, high := f.support()
	copy(f.workspace, f.value)
	for i := first; i <= last; i++ {
		s := move.rows[i]
		if f.workspace[i] = f.value[s.first]; s.first < high && s.first+len(s.p) > low {
			f.workspace[i] = dot(s.p, f.value[s.first:])
		}
	}
	f.value, f.workspace = f.workspace, f.value
}

// support returns the range of grid points at which F differs from the values of F at the ends of the grid.
func (f *distribution) support() (low, high int) {
	const negligible = 1e-14
	low, high = 0, f.count
	for low < high && math.Abs(f.value[low]-f.value[0]) < negligible {
		low++
	}
	for high > low && math.Abs(f.value[high-1]-f.value[f.count-1]) < negligible {
		high--
	}
	return low, high
}

// costs estimates the number of operations for the propagation of F through layers one by one (single), and
// by powers of the transition matrix (powers). The square of a matrix is only about √2 times as wide as the
// matrix, as for a random walk.
func (f *distribution) costs(layers int) (single, powers float64) {
	stencils, entries := 0, 0.0
	for _, list := range f.transitions {
		low, high := f.count, 0
		for k := range list {
			low, high = min(low, list[k].first), max(high, list[k].first+stencilSize)
		}
		stencils += len(list)
		entries += float64(max(0, high-low))
	}
	width := entries / float64(f.count)
	single = 1.5 * stencilSize * float64(layers) * float64(stencils)
	for ; float64(layers) > 4*width; layers /= 2 {
		powers += float64(width * entries)
		width, entries = math.Sqrt2*width, math.Sqrt2*entries
	}
	return single, powers + float64(float64(layers)*entries)
}

// matrix returns the transition matrix of one layer, whose rows are sums of the stencils in transitions.
func (f *distribution) matrix() *band {
	m := newBand(f.count)
	sum := make([]float64, f.count)
	for i, list := range f.transitions {
		low, high := f.count, 0
		for _, s := range list {
			addMultiple(sum[s.first:], 1, s.weights[:])
			low, high = min(low, s.first), max(high, s.first+stencilSize)
		}
		if low < high {
			m.set(i, trimmed(low, sum[low:high]))
			clear(sum[low:high])
		}
	}
	return m
}

// below returns the distribution function F at u, interpolated between grid points.
func (f *distribution) below(u float64) float64 {
	s := f.stencil(u)
	return s.apply(f.value)
}
