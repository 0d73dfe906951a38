package exactlaw

import (
	"errors"
	"fmt"
	"math"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/internal/line"
	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// Hybrid returns recursion (7) with noise amplitude epsilon, a law of the random scalar and depth
// layers per unit of time. Errors are those of overlap.NewHybrid, a depth less than 1, and a law
// that does not exist or is not available.
func Hybrid(
	dim int, beta float64, attention overlap.Attention, epsilon float64, law finitedepth.ScalarLaw, depth int,
) (*Recursion, error) {
	if _, err := overlap.NewHybrid(dim, beta, attention, epsilon); err != nil {
		return nil, err
	}
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	if law < finitedepth.Normal || law > finitedepth.Signs {
		return nil, fmt.Errorf("exactlaw: law %d is not allowed: it must be one of the four", law)
	}
	if attention == overlap.Unnormalized && beta > 300 {
		return nil, errors.New("exactlaw: the law is not available: " +
			"e^β of unnormalized attention is too large")
	}
	length := float64(depth)
	h := &hybrid{dim, beta, attention, law, 1 / length, epsilon / math.Sqrt(length)}
	if least := 1 + h.leastPush(); law != finitedepth.Signs && !(least > 0) {
		return nil, fmt.Errorf("exactlaw: the law is not available: a layer may turn a token around, as 1 + "+
			"(1/L + εv/√L) times its attention weights goes down to %.3g", least)
	}
	return &Recursion{dim, h}, nil
}

// leastPush is the least (1/L + εv/√L)(p+q), for v that occur with a probability above 1e-10.
func (h *hybrid) leastPush() float64 {
	sum := 1.0
	if h.attention == overlap.Unnormalized {
		sum = elementary.Exp(h.beta)
	}
	edge := min(6.5, h.law.Largest())
	return float64((h.drift - float64(h.noise*edge)) * sum)
}

// hybrid is recursion (7).
type hybrid struct {
	dim          int
	beta         float64
	attention    overlap.Attention
	law          finitedepth.ScalarLaw
	drift, noise float64 // of the scalar w
}

// firstEffort implements solver: with less effort a law takes less than half the time.
func (h *hybrid) firstEffort(float64) int { return 0 }

// lastEffort implements solver.
func (h *hybrid) lastEffort() int { return 5 }

// estimate implements solver. A lattice twice as fine has a fiftieth of the error or less, so that the
// difference is the error of the coarser one; a difference may be small by accident, in particular after a
// few layers from one overlap, where a law of the scalar that is cut off leaves kinks. Where layers fold the
// line again and again the error falls slowly, and its sign is that of chance.
func (h *hybrid) estimate(p problem, _ int, difference, before, _ float64) float64 {
	const rounding = 1e-9
	part := 0.01
	if p.start != nil {
		part = 0.1
	}
	if difference > 0.1*before {
		return rounding + float64(6*max(difference, 0.3*before))
	}
	return rounding + max(difference, float64(part*before))
}

// weights returns the p±q of two tokens, by which attention acts on X¹±X².
func (h *hybrid) weights(u float64) (sum, difference float64) {
	at := line.Of(u)
	ratio := elementary.Exp(-float64(h.beta * at.Below))
	lost := -elementary.Expm1(-float64(h.beta * at.Below))
	if h.attention == overlap.Softmax {
		return 1, lost / (1 + ratio)
	}
	half := 0.5 * elementary.Exp(h.beta)
	return half * (1 + ratio), half * lost
}

// step returns u' for a scalar w.
func (h *hybrid) step(u, w float64) float64 {
	sum, difference := h.weights(u)
	return u + logAbs(float64(w*sum)) - logAbs(float64(w*difference))
}

// poles are the u at which a layer with a scalar w makes X¹+X² or X¹-X² vanish: p+q grows with u, and
// p-q falls.
func (h *hybrid) poles(w float64, l points) (at []float64) {
	sum := func(u float64) float64 { sum, _ := h.weights(u); return -1 - float64(w*sum) }
	difference := func(u float64) float64 { _, difference := h.weights(u); return 1 + float64(w*difference) }
	low, high := l.first, l.at(l.count-1)
	for _, f := range []func(u float64) float64{sum, difference} {
		if f(low) < 0 && f(high) > 0 {
			at = append(at, quadrature.Bisect(f, low, high))
		}
	}
	return at
}

// logAbs returns log|1+x|.
func logAbs(x float64) float64 {
	if x > -0.5 {
		return elementary.Log1p(x)
	}
	return elementary.Log(max(math.Abs(1+x), 1e-300))
}

// scalars returns the values of w with their probabilities: those of a quadrature rule, which is
// finer for more effort, unless the law has only two values.
func (h *hybrid) scalars(effort int) (w, p []float64) {
	add := func(v, weight float64) {
		w, p = append(w, math.FMA(h.noise, v, h.drift)), append(p, weight)
	}
	panels := func(rate float64) {
		edge, count := h.law.Largest(), 1+effort
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
	case finitedepth.Signs:
		add(-1, 1)
		add(1, 1)
	case finitedepth.Uniform:
		panels(0)
	case finitedepth.TruncatedNormal: // cut at two deviations
		panels(2 / (h.law.Largest() * h.law.Largest()))
	case finitedepth.Normal:
		spacing := 0.7 / (1 + float64(0.35*float64(effort)))
		for k := -int(7 / spacing); float64(k) <= 7/spacing; k++ {
			v := float64(spacing * float64(k))
			add(v, elementary.Exp(-float64(0.5*v*v)))
		}
	}
	scaleTo(1, p)
	return w, p
}

// mostPoints is the greatest number of points of a lattice on which the law goes forwards.
const mostPoints = 20_000

// outcomes implements solver.
func (h *hybrid) outcomes(q problem, effort int) (antipodal, single float64, err error) {
	if q.start != nil && h.law == finitedepth.Signs {
		return 0, 0, errAtomic
	}
	w, p := h.scalars(effort)
	edge := line.Atanh(1 - q.tolerance)
	l, err := h.points(q, edge, w, p, effort)
	if err != nil {
		return 0, 0, err
	}
	if q.start != nil {
		f := &forward{points: l, mass: make([]float64, l.count)}
		f.mass[l.nearest(line.Atanh(*q.start))] = 1
		f.setMoves(w, p, h.step)
		f.advance(q.layers)
		return f.left + f.below(-edge), 1 - f.left - f.below(edge), nil
	}
	f := &distribution{points: l}
	f.setUniform(h.dim)
	f.setMoves(w, p, h.step, h.poles)
	if err := f.advance(q.layers); err != nil {
		return 0, 0, err
	}
	return f.below(-edge), 1 - f.below(edge), nil
}

// points returns a lattice on which a problem is solved. A start is one of its points.
func (h *hybrid) points(q problem, edge float64, w, p []float64, effort int) (points, error) {
	const far = 1e-10 // the probability to come back from beyond the ends
	from, width, reach := 0.0, math.Ldexp(0.4, -effort), max(8, edge+1)
	if q.start != nil {
		from, width = line.Atanh(*q.start), 0.5*width
		reach = max(reach, math.Abs(from)+1)
	} else {
		width /= 1 + float64(0.5*math.Sqrt(float64(h.dim-1)))
		width = min(width, math.Ldexp(0.25*h.gap(w, reach), -effort))
		reach = max(reach, 2-elementary.Log(far)/float64(h.dim-1))
	}
	low := reach + h.excursion(-reach, w, p, q.layers, far)
	high := reach + h.excursion(reach, w, p, q.layers, far)
	if states := (low + high) / width; !(states < mostPoints) {
		return points{}, fmt.Errorf("exactlaw: the law is not available: steps of %.1g between %.3g and %.3g "+
			"along atanh z are more than %d states", width, -low, high, mostPoints)
	}
	before := int((from + low) / width)
	return points{from - float64(width*float64(before)), width, before + int((high-from)/width) + 1}, nil
}

// gap is the distance between the points to which far out two scalars take the overlap, at the end where it
// is less: after many layers the law has steps of this size there, small ones, which a lattice that does not
// resolve them smooths out. Where the start, of density cosh^(1-d) along u, is wide beside them and smooths
// them out itself, or the law has a density, it is infinite.
func (h *hybrid) gap(w []float64, far float64) float64 {
	gap := math.Inf(1)
	if len(w) > 2 {
		return gap
	}
	negligible := 0.3 / math.Sqrt(max(1, 0.5*float64(h.dim-1)))
	for _, u := range []float64{-far, far} {
		if steps := math.Abs(h.step(u, w[1]) - h.step(u, w[0])); steps > negligible {
			gap = min(gap, steps)
		}
	}
	return gap
}

var errAtomic = errors.New("exactlaw: the law is not available: from one overlap, a scalar of two values " +
	"leads to single points, and what is within the tolerance changes in jumps")

// excursion is how far beyond a point near an end the overlap goes, and may come back.
func (h *hybrid) excursion(u float64, w, p []float64, layers int, far float64) float64 {
	steps := make([]float64, len(w))
	mean, square, back := 0.0, 0.0, false
	for k, x := range w {
		steps[k] = max(-50, min(50, h.step(u, x)-u))
		mean += float64(p[k] * steps[k])
		square += float64(p[k] * steps[k] * steps[k])
		back = back || u*steps[k] < 0
	}
	if !back {
		return 1
	}
	variance := square - float64(mean*mean)
	n := float64(layers)
	reach := float64(math.Abs(mean)*n) + float64(7*math.Sqrt(max(0, variance*n)))
	theta := exponent(p, steps, mean, variance)
	if !(variance > 0 && math.Abs(theta) > 0) {
		return reach
	}
	return min(reach, -elementary.Log(far)/math.Abs(theta)) + 1
}
