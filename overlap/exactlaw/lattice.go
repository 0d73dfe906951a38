package exactlaw

import (
	"fmt"
	"math"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// An effort determines how fine a lattice of u = atanh Z is, and how far the lattice extends.
type effort struct {
	resolution        float64 // the lattice width, in units of the standard deviation of a step
	negligible        float64 // densities of a step below this fraction of the greatest density are omitted
	returnProbability float64 // greatest probability to return from beyond the ends of the lattice
}

// A lattice is a set of equidistant points of u = atanh Z with the transition probabilities between these
// points, the law of the start, and the probabilities of the outcomes antipodal and single. The probabilities
// of the outcomes are propagated backwards, from the last layer to the first layer.
type lattice struct {
	first, width      float64
	anchor            int     // index of a point that every coarser lattice keeps
	fixedStart        bool    // whether the start is the anchor, rather than uniform
	tolerance         float64 // tolerated change due to a coarser lattice
	matrix            *band
	start             row
	antipodal, single outcome
}

// An outcome holds the probabilities that the chain ends in an outcome (antipodal or single): at[i] from
// point i of a lattice, and limit from overlap -1.
type outcome struct {
	at    []float64
	limit float64
}

// asymptote returns the |u| beyond which the law of a step of u is replaced by its limit at the end, because
// 1-|z| is below 4e-9/(1+β).
func (c *clusters) asymptote() float64 {
	flat := 10 + float64(0.5*elementary.Log(1+c.beta))
	if c.mlp != nil {
		flat = max(flat, c.mlp.correlation.Reach()-14)
	}
	return flat
}

// efforts are the efforts of the solver clusters, in the order of increasing accuracy. Most of the error of a
// law is due to the lattice width.
var efforts = []effort{
	{1.3, 1e-7, 1e-3}, {1.1, 1e-8, 1e-4}, {0.97, 1e-9, 1e-5}, {0.8, 3e-11, 1e-6}, {0.65, 1e-12, 1e-8},
	{0.52, 3e-14, 1e-10}, {0.41, 1e-15, 1e-12},
}

// firstEffort returns the effort with which refinement of recursion (4) begins; it implements solver.
func (c *clusters) firstEffort(accuracy float64) int {
	if accuracy > 1e-4 {
		return 0
	}
	if noise, _, _, _ := c.covariance(0); noise <= 0.01 {
		return 2
	}
	return 3
}

// lastEffort returns the greatest effort for recursion (4); it implements solver.
func (c *clusters) lastEffort() int { return len(efforts) - 1 }

// estimate returns the estimated error of a law of recursion (4); it implements solver. If the lattice
// resolves the densities of a step, the next effort reduces the error to about a hundredth. But the
// difference between the laws of two efforts may be small by chance, as its sign varies. So the estimated
// error is at least a tenth of the estimate at the previous effort. The estimate is the complete difference
// if differences do not shrink as expected, and twice the difference if differences hardly shrink. A first
// difference alone says nothing about convergence; the estimate is twice a first difference, or four times at
// the least efforts: with few layers of strong noise, the error may exceed the difference from a coarser
// lattice. Truncation of rows and coarser lattices contribute about 1e-9 to the error after many layers.
func (c *clusters) estimate(_ problem, effort int, differences []float64, last float64) float64 {
	const rounding = 2e-9
	n := len(differences)
	caution := 0.25
	switch {
	case n == 1 && effort < 3:
		caution = 4
	case n == 1 || differences[n-1] > 0.3*differences[n-2]:
		caution = 2
	case effort < 3 || differences[n-1] > 0.05*differences[n-2]:
		caution = 1
	}
	return rounding + max(float64(caution*differences[n-1]), 0.1*last)
}

// outcomes computes the law of recursion (4) with an effort; it implements solver.
func (c *clusters) outcomes(p problem, effort int) (o law, err error) {
	l, err := c.lattice(p, efforts[effort])
	if err != nil {
		return o, err
	}
	l.advance(p.layers)
	a, s := &l.antipodal, &l.single
	o.antipodal.Value, o.single.Value = l.start.mean(a.at, a.limit, 0), l.start.mean(s.at, s.limit, 1)
	if math.IsNaN(o.antipodal.Value + o.single.Value) {
		return law{}, c.errDensities()
	}
	return o, nil
}

func (c *clusters) errDensities() error {
	return fmt.Errorf("exactlaw: the law is not available: the densities of a layer of unequal "+
		"clusters are beyond float64 in dimension %d", c.dim)
}

// mostStates limits the number of states of a lattice, and so time and memory.
const mostStates = 150_000

// lattice returns a lattice of states u = atanh Z for a problem. The distance between neighbouring states is
// proportional to the least standard deviation of a step. The interval that the states cover is long
// enough for the start, the tolerance and the number of layers of the problem.
func (c *clusters) lattice(p problem, e effort) (*lattice, error) {
	flat, width := c.asymptote(), e.resolution*greatestDeviation
	for _, sublayer := range c.sublayers() {
		for u := -flat; u <= flat; u += 0.25 {
			width = min(width, float64(e.resolution*sublayer.deviation(u, e)))
		}
	}
	if p.layers < smoothingLayers {
		width *= 0.5
	}
	edge := line.Edge(p.tolerance)
	from, reach := 0.0, edge+max(1, float64(5*windowDeviation*width))
	if p.start != nil {
		from = max(-entranceDepth, min(line.Atanh(*p.start), entranceDepth))
		reach = max(reach, math.Abs(from)+1)
	} else {
		reach = max(reach, 2+(elementary.Log(1/e.returnProbability))/float64(c.dim-1))
	}
	low, high, entrance := 0.0, reach, 0.0
	if !c.hasEntrance() {
		low = reach
	}
	// Laws of steps have as many entries as their width allows, so too many states are refused beforehand.
	if err := c.checkStates(low, high, width); err != nil {
		return nil, err
	}
	c = c.withScalars(width)
	low = reach + c.excursion(-flat, width, p.layers, e)
	high = reach + c.excursion(flat, width, p.layers, e)
	if c.hasEntrance() {
		entrance = c.entrancePoint()
		low = min(low, c.entranceMargin(p, e)-entrance)
		from = max(from, 1-low)
	}
	if err := c.checkStates(low, high, width); err != nil {
		return nil, err
	}
	states := (low + high) / width
	if c.scalars != nil && len(c.scalars.values) > 1 &&
		!(states*float64(len(c.scalars.values)) < mostTransitions) {
		return nil, fmt.Errorf("exactlaw: the law is not available: %d values of the scalar on %.0f states "+
			"take too long", len(c.scalars.values), states)
	}
	l := &lattice{width: width, anchor: int((from + low) / width), fixedStart: p.start != nil}
	l.tolerance = max(1e-10, 1e-3*e.returnProbability)
	l.first = from - float64(width*float64(l.anchor))
	l.setMatrix(c, l.anchor+int((high-from)/width)+1, entrance, e)
	l.setOutcomes(edge)
	l.setStart(c.dim)
	return l, nil
}

// checkStates returns an error if a lattice of the given width from u = -low to high has too many states.
func (c *clusters) checkStates(low, high, width float64) error {
	states := (low + high) / width
	if math.IsNaN(states) {
		return c.errDensities()
	}
	if !(states < mostStates) {
		return fmt.Errorf("exactlaw: the law is not available: steps of %.1g between %.3g and %.3g "+
			"along atanh z are more than %d states", width, -low, high, mostStates)
	}
	return nil
}

// entranceDepth is the |u| that represents a start at overlap -1 or +1.
const entranceDepth = 40

// entranceMargin returns the distance to the left of the entrance point beyond which the state at overlap -1
// replaces all states. The effect of the replacement on the law of a step falls like e^(2u) as u → -∞. The
// probability that the chain is at such states falls like e^((d-1)u), unless the chain starts at such a
// state.
func (c *clusters) entranceMargin(p problem, e effort) float64 {
	power := float64(c.dim + 1)
	if p.start != nil {
		power = 2
	}
	return 1 + elementary.Log(100/e.returnProbability)/power
}

func (l *lattice) at(i int) float64 { return l.first + float64(l.width*float64(i)) }

// setMatrix sets the transition matrix of the lattice.
func (l *lattice) setMatrix(c *clusters, states int, entrance float64, e effort) {
	l.matrix = newBand(states)
	var layer transitions
	for k, sublayer := range c.sublayers() {
		if next := l.transitions(sublayer, entrance, e); k == 0 {
			layer = next
		} else {
			layer = layer.then(next)
		}
	}
	for i := range states {
		l.matrix.set(i, layer.row(i))
	}
	if layer.limit != nil {
		limit := layer.limit.clipped(states)
		l.matrix.entrance = &limit
	}
}

// transitions are the rows of the transition matrix of a step, for states that may lie beyond the ends of a
// lattice.
type transitions struct {
	row   func(i int) span
	limit *span // row of overlap -1; nil if overlap -1 is invariant
}

// transitions returns the transition probabilities, on the lattice, of a layer that is a single step.
func (l *lattice) transitions(c *clusters, entrance float64, e effort) transitions {
	flat := c.asymptote()
	var ends [2]span
	direct := func(i int) span {
		u := l.at(i)
		side := 0
		if u > 0 {
			side = 1
		}
		s := ends[side]
		if math.Abs(u) < flat || side == 0 && c.hasEntrance() {
			s = c.stepLaw(u, l.width, e)
		} else if s.p == nil {
			s = c.stepLaw(math.Copysign(flat, u), l.width, e)
			ends[side] = s
		}
		p := append([]float64(nil), s.p...)
		scaleToSum(1, p)
		return span{s.first + i, p}
	}
	if !c.hasEntrance() {
		return transitions{row: direct}
	}
	known := map[int]span{}
	once := func(i int) span {
		if _, ok := known[i]; !ok {
			known[i] = direct(i)
		}
		return known[i].clone()
	}
	rows := l.entranceRows(entrance, max(1e-10, 10*e.negligible), once)
	limit := rows.row(l.limitState(), l, once)
	return transitions{func(i int) span { return rows.row(i, l, once) }, &limit}
}

// then returns the transition probabilities of the step t, followed by the step next.
func (t transitions) then(next transitions) transitions {
	known := map[int]span{}
	row := func(i int) span {
		if _, ok := known[i]; !ok {
			known[i] = next.row(i)
		}
		return known[i]
	}
	both := transitions{row: func(i int) span { return t.row(i).afterStep(row) }, limit: next.limit}
	if t.limit != nil {
		limit := t.limit.afterStep(row)
		both.limit = &limit
	}
	return both
}

// afterStep returns the law of the chain after a further step, given the law s before the step and the rows
// of the transition matrix of the step.
func (s span) afterStep(row func(i int) span) span {
	low, high := math.MaxInt, math.MinInt
	for k := range s.p {
		r := row(s.first + k)
		low, high = min(low, r.first), max(high, r.first+len(r.p))
	}
	sum := make([]float64, high-low)
	for k, p := range s.p {
		r := row(s.first + k)
		addMultiple(sum[r.first-low:], p, r.p)
	}
	return trimmed(low, sum)
}

// setOutcomes sets the probabilities of the outcomes antipodal and single when no layer remains: band-limited
// indicator functions of u ≤ -edge and of u ≥ edge.
func (l *lattice) setOutcomes(edge float64) {
	states := len(l.matrix.rows)
	l.antipodal, l.single = outcome{make([]float64, states), 1}, outcome{make([]float64, states), 0}
	low, high := newBandLimitedStep(-edge, l.first, l.width), newBandLimitedStep(edge, l.first, l.width)
	for i := range states {
		u := l.at(i)
		l.antipodal.at[i], l.single.at[i] = low.weight(u), 1-high.weight(u)
	}
}

// setStart sets the law of u at time 0: a point mass at the anchor if the start is given, or else the law of
// two independent uniform tokens of dimension dim.
func (l *lattice) setStart(dim int) {
	if l.fixedStart {
		l.start.span = span{l.anchor, []float64{1}}
		return
	}
	density := line.Uniform(dim).Density
	s := span{first: l.limitState()}
	for i := s.first; i < len(l.matrix.rows)-s.first; i++ {
		s.p = append(s.p, density(line.Of(l.at(i))))
	}
	scaleToSum(1, s.p)
	l.start = s.clipped(len(l.matrix.rows))
}

// smoothingLayers is the number of layers after which a lattice that resolves the law of a step also resolves
// the probabilities of the outcomes.
const smoothingLayers = 8

// advance propagates the probabilities of the outcomes backwards through a number of layers. advance uses
// powers of two of the transition matrix, on coarser lattices as the rows of the matrix become wider.
func (l *lattice) advance(layers int) {
	for done := 0; layers > 0; done++ {
		if layers%2 == 1 || done < smoothingLayers || 2*layers < l.matrix.width() {
			l.stepBack()
			layers--
			continue
		}
		l.matrix = l.matrix.squared()
		layers /= 2
		for 2*l.width < 1.2*greatestDeviation && l.resolvesTwice() {
			l.coarsen()
		}
	}
}

func (l *lattice) stepBack() {
	l.antipodal, l.single = l.antipodal.before(l.matrix, 0), l.single.before(l.matrix, 1)
}

// before returns the probabilities of an outcome before a step, given the probabilities o after the step;
// right is the value of o beyond the right end of the lattice.
func (o outcome) before(step *band, right float64) outcome {
	next := outcome{step.apply(o.at, o.limit, right), o.limit}
	if step.entrance != nil {
		next.limit = step.entrance.mean(o.at, o.limit, right)
	}
	return next
}

// resolvesTwice reports whether a lattice twice as coarse would resolve the transition probabilities, the
// probabilities of the outcomes and the law of the start.
func (l *lattice) resolvesTwice() bool {
	right := l.smoothStep()
	antipodal, single := l.antipodal.detrended(right, 0), l.single.detrended(right, 1)
	return (l.fixedStart || l.start.resolved(l.tolerance, antipodal, single)) &&
		l.matrix.resolves(l.tolerance, antipodal, single)
}

// detrended returns the probabilities of the outcome minus a smooth function with the same values at both
// ends of the lattice, so that the difference vanishes at the ends; right is the function of smoothStep, and
// end is the value of o at the right end.
func (o outcome) detrended(right []float64, end float64) []float64 {
	v := make([]float64, len(o.at))
	for i, r := range right {
		v[i] = o.at[i] - float64(o.limit*(1-r)) - float64(end*r)
	}
	return v
}

// smoothStep returns a smooth function that is 0 at the left end and 1 at the right end of the lattice, like
// the probability of the outcome single.
func (l *lattice) smoothStep() []float64 {
	f := make([]float64, len(l.matrix.rows))
	middle, width := float64(0.5*float64(len(f))), float64(len(f))/9
	for i := range f {
		f[i] = 0.5 + float64(0.5*elementary.Erf((float64(i)-middle)/width))
	}
	return f
}

func (l *lattice) coarsen() {
	parity, right := l.anchor%2, l.smoothStep()
	l.matrix = l.matrix.coarsened(parity, right)
	l.first += float64(l.width * float64(parity))
	l.width *= 2
	l.anchor /= 2
	if l.fixedStart {
		l.start.first = l.anchor
	} else {
		l.start = l.start.coarsened(parity, right)
	}
	l.antipodal.at, l.single.at = everySecond(l.antipodal.at, parity), everySecond(l.single.at, parity)
}

// excursion returns how far beyond a point u near an end of the overlap the lattice must extend: the chain
// cannot get further in the given number of layers, or the chain returns from further out with a probability
// of at most e.returnProbability.
func (c *clusters) excursion(u, width float64, layers int, e effort) float64 {
	s := span{0, []float64{1}}
	for _, sublayer := range c.sublayers() {
		step := sublayer.stepLaw(u, width, e)
		step.p = append([]float64(nil), step.p...)
		scaleToSum(1, step.p)
		if len(s.p) == 1 {
			s = step
		} else {
			s = s.afterStep(func(i int) span { return span{step.first + i, step.p} })
		}
	}
	p := s.p
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
	if u < 0 && c.hasEntrance() {
		return reach
	}
	theta := lundbergExponent(p, steps, mean, variance)
	return min(reach, elementary.Log(1/e.returnProbability)/math.Abs(theta))
}

// lundbergExponent returns the θ ≠ 0 with Σ p exp(θ·step) = 1, for a random walk with a mean step other than
// 0 and step probabilities p. The sign of θ is opposite to that of the mean step. If no step is opposite to
// the mean step, θ is infinite. The sum Σ p exp(θ·step) is convex in θ.
func lundbergExponent(p, steps []float64, mean, variance float64) float64 {
	excess := func(theta float64) float64 {
		sum := -1.0
		for k, x := range p {
			sum += float64(x * elementary.Exp(theta*steps[k]))
		}
		return sum
	}
	inside, outside := 0.0, -2*mean/variance
	for mean != 0 && excess(outside) < 0 {
		if inside, outside = outside, 2*outside; math.IsInf(outside, 0) {
			return outside
		}
	}
	for range 30 {
		if middle := 0.5 * (inside + outside); excess(middle) < 0 {
			inside = middle
		} else {
			outside = middle
		}
	}
	return outside
}
