package exactlaw

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
)

// Hybrid returns recursion (7) of two tokens with noise amplitude epsilon, the given law of the random
// scalar, and depth layers per unit of time. In addition to the errors of overlap.NewHybrid, Hybrid returns
// an error if depth is less than 1, if the law of the scalar is undefined, or if the law of the overlap is
// not available for this law of the scalar.
func Hybrid(
	dim int, beta float64, attention overlap.Attention, epsilon float64, law finitedepth.ScalarLaw, depth int,
) (*Recursion, error) {
	if _, err := overlap.NewHybrid(dim, beta, attention, epsilon); err != nil {
		return nil, err
	}
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	if law < finitedepth.Gaussian || law > finitedepth.Rademacher {
		return nil, fmt.Errorf("exactlaw: law %d is not allowed: it must be a constant of finitedepth", law)
	}
	if attention == overlap.Unnormalized && beta > 300 {
		return nil, errors.New("exactlaw: the law is not available: " +
			"e^β of unnormalized attention is too large")
	}
	length := float64(depth)
	h := &hybrid{dim: dim, beta: beta, attention: attention, law: law, drift: 1 / length,
		noise: epsilon / math.Sqrt(length), half: 0.5 * elementary.Exp(beta)}
	h.folds = law == finitedepth.Rademacher && h.nonMonotone()
	h.leftHarmonic = sync.OnceValue(func() float64 { return h.firstHarmonic(-1) })
	h.rightHarmonic = sync.OnceValue(func() float64 { return h.firstHarmonic(1) })
	if least := 1 + h.leastIncrement(); law != finitedepth.Rademacher && !(least > 0) {
		return nil, fmt.Errorf("exactlaw: the law is not available: a layer may turn a token around, as 1 + "+
			"(1/L + εv/√L) times its attention weights goes down to %.3g", least)
	}
	return &Recursion{dim, h}, nil
}

// leastIncrement returns the product (1/L + εv/√L)(p+q) for the greatest p+q and the least scalar v, except
// for a set of v of probability below 1e-10. If negative, this product is the least of all p+q and v.
func (h *hybrid) leastIncrement() float64 {
	sum := 1.0
	if h.attention == overlap.Unnormalized {
		sum = elementary.Exp(h.beta)
	}
	edge := min(6.5, h.law.Largest())
	return float64((h.drift - float64(h.noise*edge)) * sum)
}

// hybrid is the solver for recursion (7).
type hybrid struct {
	dim          int
	beta         float64
	attention    overlap.Attention
	law          finitedepth.ScalarLaw
	drift, noise float64 // mean and standard deviation of the scalar w
	half         float64 // ½e^β, for unnormalized attention
	folds        bool    // whether v has two values and u' is not always monotone in u
	// The values of firstHarmonic at the left and at the right end, for a scalar of two values.
	leftHarmonic, rightHarmonic func() float64
}

// firstEffort returns the effort with which refinement of the hybrid recursion begins; it implements solver.
func (h *hybrid) firstEffort(accuracy float64) int {
	if accuracy > 1e-4 {
		return 1
	}
	return 2
}

// lastEffort returns the number of the most accurate computation (effort) of a law of the hybrid recursion;
// it is a method of the interface solver.
func (h *hybrid) lastEffort() int { return 12 }

// estimate returns the estimated error of a law of the hybrid recursion; it implements solver. If a lattice
// resolves the law, the next finer lattice has a tenth of the error or less. So the difference between the
// two laws is the error of the coarser law. If a lattice does not resolve the law, the difference from the
// next lattice may be small by chance: where the distribution function is flat near an edge, both lattices
// may have the same error. So estimate does not trust a first difference alone, and the estimated error is at
// least a fraction of each of the two differences before the last difference. If layers fold the line, the
// error falls slowly with effort, and the sign of the error is irregular.
func (h *hybrid) estimate(p problem, _ int, differences []float64, _ float64) float64 {
	const rounding, unknown = 3e-9, 0.02
	n := len(differences)
	difference := differences[n-1]
	if n == 1 {
		return max(unknown, float64(30*difference))
	}
	before := differences[n-2]
	if h.folds || p.start != nil {
		return rounding + float64(4*max(difference, 0.5*before))
	}
	if n > 2 {
		before = max(before, float64(0.25*differences[n-3]))
	}
	if difference > 0.1*before {
		return rounding + float64(6*difference)
	}
	return rounding + max(difference, float64(0.25*before))
}

// outcomes computes the law of the hybrid recursion with an effort; it implements solver.
func (h *hybrid) outcomes(q problem, effort int) (o law, err error) {
	if q.start != nil && h.law == finitedepth.Rademacher {
		return o, errAtomic
	}
	edge := line.Edge(q.tolerance)
	width := h.width(q, effort)
	w, p := h.scalars(effort, width)
	l, ends, err := h.grid(q, edge, width, w, p, effort)
	if err != nil {
		return o, err
	}
	if q.start != nil {
		f := &massVector{grid: l, mass: make([]float64, l.count)}
		f.mass[l.nearest(line.Atanh(*q.start))] = 1
		f.setMatrix(w, p, h.next)
		f.advance(q.layers)
		return lawOf(func(u float64) float64 { return f.escaped + f.below(u) }, edge, width), nil
	}
	if err := checkPreimages(w, l); err != nil {
		return o, err
	}
	f := &distribution{grid: l, ends: ends}
	f.setUniform(h.dim)
	f.setTransitions(w, p, h.step, h.poles)
	if err := f.advance(q.layers); err != nil {
		return o, err
	}
	o = lawOf(f.below, edge, width)
	o.antipodal.Error = h.aliasingError(f, -edge, q.layers)
	o.single.Error = h.aliasingError(f, edge, q.layers)
	return o, nil
}

func checkPreimages(w []float64, l grid) error {
	if crossings := len(w) * l.count; crossings > mostPreimages {
		return fmt.Errorf("exactlaw: the law is not available: %d values of the scalar "+
			"on %d points take too long", len(w), l.count)
	}
	return nil
}

// next returns the u' to which a layer of recursion (7) with scalar w takes u.
func (h *hybrid) next(u, w float64) float64 {
	next, _ := h.step(u, w)
	return next
}

// lawOf returns the probabilities of the outcomes, given the distribution function below of u = atanh Z. The
// outcome antipodal is u ≤ -edge, and the outcome single is u ≥ edge. The points of the lattice have the
// given spacing.
func lawOf(below func(u float64) float64, edge, spacing float64) (o law) {
	o.spacing = spacing
	o.shifted = func(single bool, distance float64) float64 {
		if single {
			return 1 - below(edge+distance)
		}
		return below(-edge + distance)
	}
	o.antipodal.Value, o.single.Value = o.shifted(false, 0), o.shifted(true, 0)
	return o
}

var errAtomic = errors.New("exactlaw: the law is not available: from one overlap, a scalar of two values " +
	"leads to single points, and what is within the tolerance changes in jumps")
