package propagation

import (
	"errors"
	"fmt"
	"math"
)

// Verdict is a judgement of an initialisation.
type Verdict int

// The verdicts: the signal passes and attention is spread; all tokens become alike; the attention of some
// layer is condensed at initialisation.
const (
	Trainable Verdict = iota
	RankCollapse
	EntropyCollapse
)

// VerdictNames are the names, in the order of the constants.
var VerdictNames = []string{"trainable", "rank collapse", "entropy collapse"}

// String returns the name.
func (v Verdict) String() string { return VerdictNames[v] }

// Labels returns the names of all verdicts in the order of the constants, as labels for a table column.
func (Verdict) Labels() []string { return VerdictNames }

// Signal summarises how a stack of blocks transforms a sequence.
type Signal struct {
	Cosine       float64 // cosine of two tokens after the last block
	CriticalBeta float64 // least critical β of all layers
}

// Signal propagates a sequence through depth blocks. If the tokens become 0, the cosine is reported as 1.
// This happens without residual connections, from overlap 0 and below β_c; from any other overlap the cosine
// tends to 1. If the norm overflows, the cosine is that before the overflow, as a layer has no effect on such
// a large stream. Other errors are those of Curve.
func (m *Map) Signal(start State, depth int) (Signal, error) {
	if err := checkRun(start, depth); err != nil {
		return Signal{}, err
	}
	signal := Signal{CriticalBeta: math.Inf(1)}
	state := start
	for layer := range depth {
		signal.CriticalBeta = min(signal.CriticalBeta, m.CriticalBeta(state))
		next, err := m.Step(state)
		switch {
		case errors.Is(err, ErrVanished):
			signal.Cosine = 1
			return signal, nil
		case errors.Is(err, errOverflow):
			signal.Cosine = state.Cosine()
			return signal, nil
		case err != nil:
			return signal, fmt.Errorf("layer %d: %w", layer+1, err)
		}
		state = next
	}
	signal.Cosine = state.Cosine()
	return signal, nil
}

// Verdict returns the paper's verdict (Section 4 and A.1): entropy collapse if β is above the critical
// value of some layer, otherwise rank collapse if the cosine is above collapse, and otherwise trainable.
func (s Signal) Verdict(beta, collapse float64) Verdict {
	switch {
	case beta > s.CriticalBeta:
		return EntropyCollapse
	case s.Cosine > collapse:
		return RankCollapse
	}
	return Trainable
}

// CriticalAlpha returns α_c: the least strength AlphaSA of attention's residual connection for which the
// cosine after depth blocks of this kind is at most collapse, to 1e-9. The AlphaSA of b is ignored. A
// stronger connection reduces the contribution of attention, and so the cosine. For gain-controlled kinds
// the cosine may also rise, and α_c is then a strength at which it crosses collapse. The second result is
// false if even MaxAlpha is too weak, because the MLP alone makes tokens alike.
func CriticalAlpha(b Block, start State, depth int, collapse float64) (float64, bool, error) {
	passes := func(alpha float64) (bool, error) {
		b.AlphaSA = alpha
		m, err := NewMap(b)
		if err != nil {
			return false, err
		}
		signal, err := m.Signal(start, depth)
		return err == nil && signal.Cosine <= collapse, err
	}
	if ok, err := passes(MaxAlpha); err != nil || !ok {
		return 0, false, err
	}
	if ok, err := passes(0); err != nil || ok {
		return 0, ok, err
	}
	low, high := 0.0, float64(MaxAlpha)
	for high-low > float64(1e-9*max(1, low)) {
		middle := 0.5 * (low + high)
		ok, err := passes(middle)
		if err != nil {
			return 0, false, err
		}
		if ok {
			high = middle
		} else {
			low = middle
		}
	}
	return high, true, nil
}

// Alike is the default cosine above which tokens count as alike.
const Alike = 0.99

// Margin is the recommended strength of attention's residual connection, as a multiple of the least strength
// for a cosine of Alike. It is an empirical value, from networks of 12 post-norm layers that learn masked
// tokens in 300 steps with β at most 1. All networks with at least 3.2 times α_c learn at least half of what
// the best network learns; networks with at most 2.4 times α_c do not. Little was tried between the two, and
// for other depths. Networks of 24 layers learn with 2.6 times α_c, but not with 1.3 times α_c.
const Margin = 3.2

// Recommendation is an initialisation with which the signal passes.
type Recommendation struct {
	Edge float64 // α_c; with strengths close to it, training failed in experiments
	// AlphaSA is the least recommended strength: Margin times the critical strength for a cosine of
	// Alike, or for collapse if that is greater; but not less than Edge.
	AlphaSA float64
	// Beta is the greatest recommended β: half the least critical value of all layers. Up to there the
	// central limit theorem holds, and finite sequences follow the theory (Section 3.2).
	Beta float64
}

// Recommend returns the recommendation for a stack of blocks; the Beta and AlphaSA of b are ignored. The
// second result is false if that of CriticalAlpha is false.
func Recommend(b Block, start State, depth int, collapse float64) (r Recommendation, exists bool, err error) {
	b.Beta = 0
	if r.Edge, exists, err = CriticalAlpha(b, start, depth, collapse); err != nil || !exists {
		return Recommendation{}, false, err
	}
	alike := r.Edge
	if collapse < Alike {
		if alike, _, err = CriticalAlpha(b, start, depth, Alike); err != nil {
			return Recommendation{}, false, err
		}
	}
	r.AlphaSA = min(MaxAlpha, max(r.Edge, float64(Margin*alike)))
	b.AlphaSA = r.AlphaSA
	m, err := NewMap(b)
	if err != nil {
		return Recommendation{}, false, err
	}
	signal, err := m.Signal(start, depth)
	r.Beta = 0.5 * signal.CriticalBeta
	return r, true, err
}

// Reach returns the first depth, in blocks, after which the cosine is at least the given one; depth 0 is
// the start. The second result is false if no depth up to most reaches it. Tokens that become 0 or
// overflow are treated as in Signal.
func (m *Map) Reach(start State, cosine float64, most int) (depth int, reached bool, err error) {
	if err := checkRun(start, most); err != nil {
		return 0, false, err
	}
	state := start
	for depth = 0; depth < most && state.Cosine() < cosine; depth++ {
		next, err := m.Step(state)
		switch {
		case errors.Is(err, ErrVanished):
			return depth + 1, true, nil
		case errors.Is(err, errOverflow):
			return 0, false, nil
		case err != nil:
			return 0, false, fmt.Errorf("layer %d: %w", depth+1, err)
		}
		state = next
	}
	return depth, state.Cosine() >= cosine, nil
}
