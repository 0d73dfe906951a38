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
	if law < finitedepth.Gaussian || law > finitedepth.Rademacher {
		return nil, fmt.Errorf("exactlaw: law %d is not allowed: it must be one of the four", law)
	}
	if attention == overlap.Unnormalized && beta > 300 {
		return nil, errors.New("exactlaw: the law is not available: " +
			"e^β of unnormalized attention is too large")
	}
	length := float64(depth)
	h := &hybrid{dim: dim, beta: beta, attention: attention, law: law, drift: 1 / length,
		noise: epsilon / math.Sqrt(length), half: 0.5 * elementary.Exp(beta)}
	h.folds = law == finitedepth.Rademacher && h.turns()
	h.leftWaves = sync.OnceValue(func() float64 { return h.waves(-1) })
	h.rightWaves = sync.OnceValue(func() float64 { return h.waves(1) })
	if least := 1 + h.leastPush(); law != finitedepth.Rademacher && !(least > 0) {
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
	half         float64 // ½e^β
	folds        bool    // a layer may fold the line, and no density of the scalar smooths it out
	// waves of the stairs at the left and at the right end, for two scalars.
	leftWaves, rightWaves func() float64
}

// firstEffort implements solver.
func (h *hybrid) firstEffort(accuracy float64) int {
	if accuracy > 1e-4 {
		return 0
	}
	return 1
}

// lastEffort implements solver.
func (h *hybrid) lastEffort() int { return 12 }

// estimate implements solver. The next lattice has a tenth of the error or less, so that the difference is
// the error of the coarser one; a difference may be small by accident. Where layers fold the line the error
// falls slowly, and its sign is that of chance.
func (h *hybrid) estimate(p problem, _ int, difference, before, _ float64) float64 {
	const rounding = 3e-9
	switch {
	case math.IsInf(before, 1):
		return rounding + float64(30*difference)
	case h.folds || p.start != nil:
		return rounding + float64(4*max(difference, 0.5*before))
	case difference > 0.3*before:
		return rounding + float64(6*difference)
	}
	return rounding + max(difference, float64(0.05*before))
}

// outcomes implements solver.
func (h *hybrid) outcomes(q problem, effort int) (antipodal, single overlap.Probability, err error) {
	if q.start != nil && h.law == finitedepth.Rademacher {
		return antipodal, single, errAtomic
	}
	edge := line.Atanh(1 - q.tolerance)
	width := h.width(q, effort)
	w, p := h.scalars(effort, width)
	l, ends, err := h.points(q, edge, width, w, p, effort)
	if err != nil {
		return antipodal, single, err
	}
	if q.start != nil {
		f := &forward{points: l, mass: make([]float64, l.count)}
		f.mass[l.nearest(line.Atanh(*q.start))] = 1
		f.setMoves(w, p, func(u, w float64) float64 { next, _ := h.step(u, w); return next })
		f.advance(q.layers)
		antipodal.Value, single.Value = f.left+f.below(-edge), 1-f.left-f.below(edge)
		return antipodal, single, nil
	}
	if crossings := len(w) * l.count; crossings > mostCrossings {
		return antipodal, single, fmt.Errorf("exactlaw: the law is not available: %d values of the scalar "+
			"on %d points take too long", len(w), l.count)
	}
	f := &distribution{points: l, ends: ends}
	f.setUniform(h.dim)
	f.setMoves(w, p, h.step, h.poles)
	if err := f.advance(q.layers); err != nil {
		return antipodal, single, err
	}
	antipodal = overlap.Probability{Value: f.below(-edge), Error: h.stairs(f, -edge, q.layers)}
	single = overlap.Probability{Value: 1 - f.below(edge), Error: h.stairs(f, edge, q.layers)}
	return antipodal, single, nil
}

var errAtomic = errors.New("exactlaw: the law is not available: from one overlap, a scalar of two values " +
	"leads to single points, and what is within the tolerance changes in jumps")
