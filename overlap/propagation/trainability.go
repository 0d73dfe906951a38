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
	Cosine       float64 // of two tokens behind the last block
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
// connection with which the cosine behind depth blocks of this kind is not above
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

// Recommendation is an initialisation with which the signal passes.
type Recommendation struct {
	AlphaSA float64 // at least this: α_c at Beta
	// Beta at most this: half the least critical value of all layers, the end of the
	// central limit theorem, up to which finite sequences follow the theory (Section 3.2).
	Beta float64
}

// Recommend returns the recommendation for a stack of blocks; the block's own Beta and
// AlphaSA do not matter. The second result is false if CriticalAlpha's is.
func Recommend(b Block, start State, depth int, collapse float64) (Recommendation, bool, error) {
	b.Beta = 0
	alpha, ok, err := CriticalAlpha(b, start, depth, collapse)
	if err != nil || !ok {
		return Recommendation{}, false, err
	}
	b.AlphaSA = alpha
	m, err := NewMap(b)
	if err != nil {
		return Recommendation{}, false, err
	}
	signal, err := m.Signal(start, depth)
	return Recommendation{AlphaSA: alpha, Beta: 0.5 * signal.CriticalBeta}, true, err
}
