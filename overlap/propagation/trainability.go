package propagation

import (
	"errors"
	"fmt"
	"math"
)

// Verdict on an initialisation.
type Verdict int

// The verdicts: the signal passes and attention is spread; all tokens become alike; some
// layer's attention is condensed from the start.
const (
	Trainable Verdict = iota
	RankCollapse
	EntropyCollapse
)

// VerdictNames are the names, in the order of the constants.
var VerdictNames = []string{"trainable", "rank collapse", "entropy collapse"}

// String is the name.
func (v Verdict) String() string { return VerdictNames[v] }

// Labels are the names of all verdicts, in the order of the constants.
func (Verdict) Labels() []string { return VerdictNames }

// Signal is what a stack of blocks makes of a sequence.
type Signal struct {
	Cosine       float64 // of two tokens after the last block
	CriticalBeta float64 // the least of those of all layers' attention
}

// Signal sends a sequence through depth blocks. If the tokens become 0, as without
// residual connections from overlap 0 below β_c, the cosine is 1, to which it tends from
// any other overlap. If their norm overflows, the cosine is that before: on so large a
// stream a layer has no effect. Other errors are those of Curve.
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

// Verdict is the paper's (Section 4 and A.1): entropy collapse if β is above the critical
// value of some layer; else rank collapse if the cosine is above collapse; else
// trainable.
func (s Signal) Verdict(beta, collapse float64) Verdict {
	switch {
	case beta > s.CriticalBeta:
		return EntropyCollapse
	case s.Cosine > collapse:
		return RankCollapse
	}
	return Trainable
}

// CriticalAlpha returns α_c, the least strength AlphaSA of attention's residual
// connection with which the cosine after depth blocks of this kind is not above
// collapse, to 1e-9; the block's own AlphaSA does not matter. A stronger connection
// makes attention's part of the output less, and the cosine smaller; but for gain-controlled
// kinds, where it may rise too, and α_c is a strength at which it crosses collapse. If even MaxAlpha is
// too weak, because the MLP alone makes tokens alike, the second result is false.
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

// Alike is the cosine above which tokens count as alike where nothing else is said.
const Alike = 0.99

// Margin is how many times as strong as the least for a cosine of Alike attention's residual connection
// should be, so that a network was seen to learn. It is measured: of networks of 12 post-norm layers that
// learn masked tokens in 300 steps, all with 3.2 times α_c or more, and β at most 1, learn at least half of
// what the best does, and those with 2.4 times or less do not. Between the two, and of other depths, little
// was tried: 24 layers learn with 2.6 times, but not with 1.3 times.
const Margin = 3.2

// Recommendation is an initialisation with which the signal passes.
type Recommendation struct {
	Edge float64 // α_c: with a strength next to it training was seen to fail
	// AlphaSA is at least this: Margin times the edge for a cosine of Alike, or of collapse where that is
	// greater; but not less than Edge.
	AlphaSA float64
	// Beta at most this: half the least critical value of all layers, the end of the
	// central limit theorem, up to which finite sequences follow the theory (Section 3.2).
	Beta float64
}

// Recommend returns the recommendation for a stack of blocks; the block's own Beta and
// AlphaSA do not matter. The second result is false if CriticalAlpha's is.
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

// Reach returns the first depth, in blocks, after which the cosine is at least that, 0 for the start; the
// second result is false if it is not reached within most blocks. Tokens that become 0 or overflow are as in
// Signal.
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
