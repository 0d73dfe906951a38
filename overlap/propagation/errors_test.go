package propagation

import (
	"errors"
	"strings"
	"testing"

	"antipode/internal/domaintest"
	"antipode/sphere/must"
)

// The theory of finitely many tokens ends at scores of standard deviation MaxCrossDeviation for two rows, and
// MaxDeviation for one row: each function of a block reports this, and in which layer.
func TestScoresBeyondTheTheoryAreReported(t *testing.T) {
	wide, start := bert(), State{1, 0.25}
	wide.Kind, wide.Tokens, wide.Beta = PostNorm, 64, 20 // deviation 20 √(0.75 log 64) = 35.3
	wider := wide
	wider.Beta = 1e3 // deviation 1766
	m, m2 := must.Get(NewMap(wide))(t), must.Get(NewMap(wider))(t)
	pre := wide
	pre.Kind = PreNorm
	for what, c := range map[string]struct {
		err  error
		want string
	}{
		"step":      {domaintest.Error(m.Step(start)), "standard deviation 35.3"},
		"step, row": {domaintest.Error(m2.Step(start)), "standard deviation 1766"},
		"pre-norm step": {domaintest.Error(must.Get(NewMap(pre))(t).Step(State{4, 1})),
			"standard deviation 35.3"},
		"gradients":      {domaintest.Error(m2.Gradients(start)), "standard deviation 1766"},
		"signal":         {domaintest.Error(m.Signal(start, 3)), "layer 1: propagation: scores"},
		"reach":          {errorOf3(m.Reach(start, 0.9, 3)), "layer 1: propagation: scores"},
		"critical alpha": {errorOf3(CriticalAlpha(wide, start, 3, 0.9)), "layer 1: propagation: scores"},
		"fixed points":   {domaintest.Error(m.FixedPoints()), "limit of many tokens"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", what, c.err, c.want)
		}
	}
	if _, err := m.Gradients(start); err != nil { // one row is within the theory
		t.Errorf("gradients at deviation 35: %v", err)
	}
}

func errorOf3[A, B any](_ A, _ B, err error) error { return err }

// Invalid starts, depths and blocks are refused by each function.
func TestInvalidRunsAreRefused(t *testing.T) {
	b := bert()
	m := must.Get(NewMap(b))(t)
	bad := State{1, 2}
	broken := b
	broken.SigmaW2 = -1
	for what, err := range map[string]error{
		"signal":                domaintest.Error(m.Signal(bad, 3)),
		"reach":                 errorOf3(m.Reach(bad, 0.9, 3)),
		"reach, depth":          errorOf3(m.Reach(State{1, 0.5}, 0.9, -1)),
		"critical alpha":        errorOf3(CriticalAlpha(b, bad, 3, 0.9)),
		"critical alpha, block": errorOf3(CriticalAlpha(broken, State{1, 0.5}, 3, 0.9)),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	pre := b
	pre.Kind = PreNorm
	if _, err := must.Get(NewMap(pre))(t).Gradients(State{}); !errors.Is(err, ErrVanished) {
		t.Errorf("gradients of tokens that are 0: %v", err)
	}
	next, err := Attention{Beta: 1, SigmaV2: 1, Tokens: 8}.Step(State{})
	if err != nil || next != (State{}) {
		t.Errorf("attention of tokens that are 0: %v, %v", next, err)
	}
	if text := Spread.String(); text != "rank collapse" {
		t.Errorf("phase %q", text)
	}
}
