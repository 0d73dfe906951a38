package propagation

import (
	"errors"
	"fmt"
	"math"
)

// Verdict says whether the initialisation of a stack of blocks lets the signal pass, and if not, why.
type Verdict int

// The verdicts on an initialisation: the signal passes and attention is spread (Trainable); all tokens become
// alike (RankCollapse); the attention of some layer is condensed at initialisation (EntropyCollapse).
const (
	Trainable Verdict = iota
	RankCollapse
	EntropyCollapse
)

// VerdictNames are the names of the verdicts, in the order of the constants from Trainable on.
var VerdictNames = []string{"trainable", "rank collapse", "entropy collapse"}

// String returns the name of the verdict.
func (v Verdict) String() string { return VerdictNames[v] }

// Labels returns the names of all verdicts in the order of the constants, as labels for a table column.
func (Verdict) Labels() []string { return VerdictNames }

// Signal summarises how a stack of blocks transforms a sequence of tokens.
type Signal struct {
	Cosine       float64 // cosine of two tokens after the last block
	CriticalBeta float64 // least critical β of all layers
}

// Signal propagates a sequence of tokens through depth blocks. If the tokens become 0, Signal reports the
// cosine 1. Tokens become 0 without residual connections, from overlap 0 and below β_c; from any other
// overlap the cosine tends to 1. If the norm of the tokens overflows, Signal reports the cosine before the
// overflow, as a layer has no effect on tokens of such a large norm. Other errors of Signal are those of
// Curve.
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

// Verdict returns the paper's verdict (Section 4 and A.1): EntropyCollapse if beta is above the critical β of
// some layer, otherwise RankCollapse if the cosine of two tokens after the last block is above collapse, and
// otherwise Trainable.
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
// cosine of two tokens after depth blocks b is at most collapse, to 1e-9. If all strengths from 1e-9 on
// suffice, α_c is 0, even if the strength 0 itself does not suffice because tokens become 0. CriticalAlpha
// ignores the field AlphaSA of b. A stronger residual connection reduces the contribution of attention, and
// so the cosine of tokens. For gain-controlled kinds of blocks the cosine may also rise with AlphaSA, and
// α_c is then a strength at which the cosine crosses collapse. The second result of CriticalAlpha is false
// if even the strength MaxAlpha is too weak, because the MLP alone makes tokens alike.
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
	for high-low > float64(leastAlpha*max(1, low)) {
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
	if low == 0 {
		return 0, true, nil
	}
	return high, true, nil
}

// leastAlpha is the precision of α_c, and the strength above 0 that takes the place of 0 where tokens become
// 0 with the strength 0.
const leastAlpha = 1e-9

// Alike is the default cosine of two tokens above which tokens count as alike.
const Alike = 0.99

// Margin is the recommended strength of attention's residual connection, as a multiple of the least strength
// for which the cosine of tokens is at most Alike. Margin is an empirical value, from networks of 12
// post-norm layers that learn masked tokens in 300 steps with β at most 1. All networks with at least 3.2
// times α_c learn at least half of what the best network learns; networks with at most 2.4 times α_c do not.
// Few strengths between 2.4 and 3.2 times α_c, and few depths other than 12, were tried. Networks of 24
// layers learn with 2.6 times α_c, but not with 1.3 times α_c.
const Margin = 3.2

// Recommendation is an initialisation with which the signal passes through a stack of blocks.
type Recommendation struct {
	Edge float64 // α_c; with strengths close to α_c, training failed in experiments
	// AlphaSA is the least recommended strength of attention's residual connection: Margin times the critical
	// strength for a cosine of Alike, or for a cosine of collapse if collapse is greater; but not less than
	// Edge. If it is 0, any strength above 0 suffices.
	AlphaSA float64
	// Beta is the greatest recommended β: half the least critical β of all layers. Up to half the critical β
	// the central limit theorem holds, and finite sequences follow the theory of the limit (Section 3.2).
	Beta float64
}

// Recommend returns the Recommendation for a stack of depth blocks b, whose fields Beta and AlphaSA are
// ignored. The second result of Recommend is false if that of CriticalAlpha is false.
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
	b.AlphaSA = max(r.AlphaSA, leastAlpha)
	m, err := NewMap(b)
	if err != nil {
		return Recommendation{}, false, err
	}
	signal, err := m.Signal(start, depth)
	r.Beta = 0.5 * signal.CriticalBeta
	return r, true, err
}

// Reach returns the first depth, in blocks, at which the cosine of two tokens is at least the given cosine;
// depth 0 is the start. The second result of Reach is false if the cosine stays below the given cosine up to
// depth most. Reach treats tokens that become 0 or overflow as Signal does.
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
