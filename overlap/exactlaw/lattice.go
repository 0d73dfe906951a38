package exactlaw

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// An effort is how finely and how far a lattice goes.
type effort struct {
	resolution float64 // the step, in parts of a deviation
	negligible float64 // the part of the greatest density of a step that is left out
	far        float64 // the probability to come back from beyond the ends
}

// A lattice is points of u with the transitions between them, the law of the start, and the
// probabilities of both outcomes after the layers that are done, from the last one backwards.
type lattice struct {
	first, width      float64
	anchor            int // the point that every coarser lattice keeps
	move              *band
	start             []float64
	antipodal, single []float64
}

// flat is the |u| beyond which a layer is taken for that at the end: 1-|z| is below 4e-9/(1+β).
func (c *clusters) flat() float64 { return 10 + float64(0.5*elementary.Log(1+c.beta)) }

// efforts are what a better and better law takes.
var efforts = []effort{
	{1.3, 1e-8, 1e-4}, {1.1, 1e-8, 1e-5}, {0.97, 1e-10, 1e-6}, {0.8, 1e-11, 1e-7}, {0.65, 1e-12, 1e-8},
	{0.52, 1e-13, 1e-9}, {0.41, 1e-14, 1e-10},
}

// firstEffort implements solver.
func (c *clusters) firstEffort(accuracy float64) int {
	if accuracy > 1e-4 {
		return 0
	}
	return 2
}

// caution implements solver. Once the lattice resolves the densities, the error becomes a thirtieth or less
// from one effort to the next.
func (c *clusters) caution(effort int) float64 {
	switch {
	case effort < 3:
		return 1
	case c.m1 != c.m2: // rows that are interpolated have errors of their own
		return 0.25
	}
	return 0.06
}

// outcomes implements solver.
func (c *clusters) outcomes(p problem, effort int) (antipodal, single float64, err error) {
	l, err := c.lattice(p, efforts[effort])
	if err != nil {
		return 0, 0, err
	}
	l.advance(p.layers - 1)
	return dot(l.start, l.antipodal), dot(l.start, l.single), nil
}

const mostStates = 150_000

func (c *clusters) lattice(p problem, e effort) (*lattice, error) {
	flat, width := c.flat(), e.resolution*widest
	for u := -flat; u <= flat; u += 0.25 {
		width = min(width, float64(e.resolution*c.layer(u, e).deviation()))
	}
	edge := line.Atanh(1 - p.tolerance)
	from, reach := 0.0, edge+1
	if p.start != nil {
		from = max(-entranceDepth, min(line.Atanh(*p.start), entranceDepth))
		reach = max(reach, math.Abs(from)+1)
	} else {
		reach = max(reach, 2+(elementary.Log(1/e.far))/float64(c.dim-1))
	}
	low := reach + c.excursion(-flat, width, p.layers, e)
	high := reach + c.excursion(flat, width, p.layers, e)
	if c.m1 != c.m2 {
		low = min(low, c.entranceReach(e))
		from = max(from, 1-low)
	}
	if states := (low + high) / width; !(states < mostStates) {
		return nil, fmt.Errorf("exactlaw: the law is not available: steps of %.1g between %.3g and %.3g "+
			"along atanh z are more than %d states", width, -low, high, mostStates)
	}
	l := &lattice{width: width, anchor: int((from + low) / width)}
	l.first = from - float64(width*float64(l.anchor))
	states := l.anchor + int((high-from)/width) + 1
	l.fill(c, states, flat, edge, e)
	l.setStart(c.dim, p.start == nil)
	return l, nil
}

// entranceDepth stands for the u of the ends.
const entranceDepth = 40

// entranceReach is the -u from which on hardly anything is to the left, if the masses differ.
func (c *clusters) entranceReach(e effort) float64 {
	u := -1.0
	for ; u > -300; u-- {
		if n11, _, _, _ := c.covariance(u); n11 > 1 {
			break
		}
	}
	return 1 - u + elementary.Log(1/e.far)/float64(c.dim-1)
}

func (l *lattice) at(i int) float64 { return l.first + float64(l.width*float64(i)) }

// fill sets the transitions, and the outcomes after the last layer.
func (l *lattice) fill(c *clusters, states int, flat, edge float64, e effort) {
	l.move = newBand(states)
	l.antipodal, l.single = make([]float64, states), make([]float64, states)
	half := 0.5 * l.width
	thresholds := []*threshold{newThreshold(-edge, l.first, half), newThreshold(edge, l.first, half)}
	var ends [2]*layer
	var steps [2]span
	direct := func(i int) row {
		u := l.at(i)
		var from *layer
		var s span
		side := 0
		if u > 0 {
			side = 1
		}
		if math.Abs(u) > flat && (side == 1 || c.m1 == c.m2) {
			if ends[side] == nil {
				ends[side] = c.layer(math.Copysign(flat, u), e)
				steps[side] = ends[side].steps(l.width)
			}
			from, s = ends[side], steps[side]
		} else {
			from = c.layer(u, e)
			s = from.steps(l.width)
		}
		below := from.below(u, l.width, s, thresholds)
		p := append([]float64(nil), s.p...)
		scaleTo(1, p)
		return row{span{s.first + i, p}, below[0], 1 - below[1]}
	}
	entrance := l.entrance(c, direct)
	for i := range states {
		r := entrance.row(i, l, direct)
		l.antipodal[i], l.single[i] = r.antipodal, r.single
		l.move.set(i, r.span)
	}
	if c.m1 != c.m2 {
		clear(l.move.left)
		for i, s := range l.move.rows {
			scaleTo(1-l.move.right[i], s.p)
		}
	}
}

// A row is the law of a step from a state, from a column on, and the outcomes after it.
type row struct {
	span
	antipodal, single float64
}

func (l *lattice) setStart(dim int, uniform bool) {
	l.start = make([]float64, len(l.antipodal))
	if !uniform {
		l.start[l.anchor] = 1
		return
	}
	density := line.Uniform(dim).Density
	for i := range l.start {
		l.start[i] = density(line.Of(l.at(i)))
	}
	scaleTo(1, l.start)
}

// advance takes the outcomes back by a number of layers: by powers of two of the matrix, on
// coarser lattices as the transitions widen.
func (l *lattice) advance(layers int) {
	for layers > 0 {
		if layers%2 == 1 || 2*layers < l.move.width() {
			l.back()
			layers--
			continue
		}
		l.move = l.move.squared()
		layers /= 2
		for 2*l.width < 1.2*widest && l.resolvesTwice() {
			l.coarsen()
		}
	}
}

func (l *lattice) back() {
	l.antipodal, l.single = l.move.apply(l.antipodal, 1, 0), l.move.apply(l.single, 0, 1)
}

func (l *lattice) resolvesTwice() bool {
	const tolerance = 1e-10
	for _, f := range [][]float64{nil, l.antipodal, l.single} {
		if l.start[l.anchor] < 1 && math.Abs(alternating(l.start, f)) > tolerance {
			return false
		}
	}
	return l.move.resolves(l.antipodal, l.single)
}

func (l *lattice) coarsen() {
	parity := l.anchor % 2
	l.move = l.move.coarsened(parity)
	l.first += float64(l.width * float64(parity))
	l.width *= 2
	l.anchor /= 2
	l.start = everySecond(l.start, parity)
	scaleTo(1, l.start)
	l.antipodal, l.single = everySecond(l.antipodal, parity), everySecond(l.single, parity)
}

// excursion is how far beyond a point near an end a chain goes that may come back: no further than
// it gets in so many layers, and no further than where it comes back with the probability far.
func (c *clusters) excursion(u, width float64, layers int, e effort) float64 {
	s := c.layer(u, e).steps(width)
	p := append([]float64(nil), s.p...)
	scaleTo(1, p)
	steps := make([]float64, len(p))
	mean, square := 0.0, 0.0
	for k, x := range p {
		steps[k] = float64(width * float64(s.first+k))
		mean += float64(x * steps[k])
		square += float64(x * steps[k] * steps[k])
	}
	variance := square - float64(mean*mean)
	n := float64(layers)
	reach := float64(math.Abs(mean)*n) + float64(7*math.Sqrt(variance*n))
	if u < 0 && c.m1 != c.m2 {
		return reach
	}
	return min(reach, elementary.Log(1/e.far)/math.Abs(exponent(p, steps, -2*mean/variance)))
}

// exponent returns the θ other than 0 with Σ p exp(θ·step) = 1, from near it; this sum is convex.
func exponent(p, steps []float64, theta float64) float64 {
	for range 40 {
		sum, slope := -1.0, 0.0
		for k, x := range p {
			term := float64(x * elementary.Exp(theta*steps[k]))
			sum += term
			slope += float64(term * steps[k])
		}
		change := sum / slope
		theta -= change
		if !(math.Abs(change) > 1e-6*math.Abs(theta)) {
			break
		}
	}
	return theta
}
