package propagation

import (
	"errors"
	"fmt"
	"math"
)

// State is the geometry of a sequence of tokens X_1, ..., X_T in high dimension d. All tokens have the same
// squared norm |X_t|²/d = Q ≥ 0, and all pairs of different tokens the same overlap <X_t, X_s>/d = P, with P
// from 0 to Q.
type State struct{ Q, P float64 }

// Cosine returns the cosine similarity P/Q of two tokens, which is NaN if the tokens are 0.
func (s State) Cosine() float64 { return s.P / s.Q }

func (s State) plus(factor float64, t State) State {
	return State{s.Q + float64(factor*t.Q), s.P + float64(factor*t.P)}
}

// ErrVanished is returned if a layer takes all tokens to 0, so that LayerNorm is undefined.
var ErrVanished = errors.New("propagation: the tokens become 0, and LayerNorm has no direction to keep")

var errOverflow = errors.New("propagation: the norm of the tokens overflows")

// Attention is a layer of self-attention without its residual connection, averaged over random weights:
// query and key weights of variance β√log T/d (9), and value weights of variance SigmaV2/d.
type Attention struct {
	Beta    float64 // β, at least 0
	SigmaV2 float64 // σ_v², at least 0
	Tokens  float64 // T, from 2 to MaxCrossTokens, or +Inf for the limit T → ∞
	// GainControlled reports whether the mean of the values over the sequence is subtracted.
	GainControlled bool
}

// Step returns the geometry of the tokens after the attention layer, given the geometry s before the layer.
// In the limit of T → ∞ tokens, equation (14) gives
//
//	Q' = σ_v²(P + (Q-P)Y2), P' = σ_v²P,
//
// and for T tokens P' = σ_v²(P + (Q-P)Y), where Y is the CrossParticipation. If attention subtracts the mean
// of the values, Q' = σ_v²(Q-P)(Y2 - 1/T) and P' = σ_v²(Q-P)(Y - 1/T). The means Q' and P' are exact for
// tokens of the geometry s. But only for T → ∞ do all tokens after a layer have equal norms and all pairs
// equal inner products again. Step returns an error if T is finite and scores have a standard deviation above
// MaxCrossDeviation.
func (a Attention) Step(s State) (State, error) {
	next, _, err := a.step(s, State{})
	return next, err
}

// step propagates a State s through attention and, for T → ∞ tokens, an infinitesimal change ds of s.
func (a Attention) step(s, ds State) (next, change State, err error) {
	if math.IsInf(a.Tokens, 1) {
		next, change = a.limit(s, ds)
		return next, change, nil
	}
	next, err = a.finite(s)
	return next, State{math.NaN(), math.NaN()}, err
}

func (a Attention) limit(s, ds State) (next, change State) {
	gap, dGap := s.Q-s.P, ds.Q-ds.P
	spread, dSpread := 0.0, 0.0
	if m := CriticalBeta(s.Q, s.P) / a.Beta; m < 1 {
		y := 1 - m
		spread = float64(gap * y)
		dSpread = float64(dGap*y) + float64(gap*0.5*m*(ds.Q/s.Q+dGap/gap))
	}
	next, change = State{spread, 0}, State{dSpread, 0}
	if !a.GainControlled {
		next, change = State{s.P + spread, s.P}, State{ds.P + dSpread, ds.P}
	}
	return State{}.plus(a.SigmaV2, next), State{}.plus(a.SigmaV2, change)
}

func (a Attention) finite(s State) (State, error) {
	if s.Q == 0 {
		return State{}, nil
	}
	deviation := ScoreDeviation(a.Beta, a.Tokens, s.Q, s.P)
	row, err := FiniteRow(a.Tokens, deviation)
	if err != nil {
		return State{}, err
	}
	cross, err := CrossParticipation(a.Tokens, deviation, s.Cosine())
	if err != nil {
		return State{}, err
	}
	cross = max(1/a.Tokens, min(cross, row.Y2)) // remove rounding errors
	gap := s.Q - s.P
	if a.GainControlled {
		excess := State{
			Q: rowExcess(a.Tokens, deviation, row),
			P: crossExcess(a.Tokens, deviation, s.Cosine(), row, cross),
		}
		return State{}.plus(float64(a.SigmaV2*gap), excess), nil
	}
	return State{}.plus(a.SigmaV2, State{s.P, s.P}.plus(gap, State{row.Y2, cross})), nil
}

func (a Attention) check() error {
	switch {
	case !(a.Beta >= 0 && a.Beta <= math.MaxFloat64):
		return errRange("β", a.Beta)
	case !(a.SigmaV2 >= 0 && a.SigmaV2 <= MaxVariance):
		return errVariance("σ_v²", a.SigmaV2)
	case math.IsInf(a.Tokens, 1):
		return nil
	case !(a.Tokens >= 2 && a.Tokens <= MaxCrossTokens):
		return errTokens(a.Tokens)
	}
	return nil
}

func errRange(name string, value float64) error {
	return fmt.Errorf("propagation: %s = %v is not allowed: it must be finite and not negative", name, value)
}

func errVariance(name string, value float64) error {
	return fmt.Errorf("propagation: %s = %v is not allowed: it must be from 0 to %v",
		name, value, float64(MaxVariance))
}
