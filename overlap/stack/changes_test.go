package stack

import (
	"math"
	"slices"
	"testing"
)

// Every change passes, and is the smallest of its kind: a factor two per cent nearer to 1 does not pass.
func TestChangesAreTheSmallest(t *testing.T) {
	s := usual()
	s.Layers, s.SkipSA = 24, 0.4
	before, err := must(t, s).Signal()
	if err != nil || before.Passes(0.7) {
		t.Fatal(before, err)
	}
	changes, err := must(t, s).Changes(0.7)
	if err != nil || len(changes) != 7 {
		t.Fatal(changes, err)
	}
	passing := 0
	for _, c := range changes {
		after, err := must(t, c.Kind.Apply(s, c.Factor)).Signal()
		if err != nil || !(math.Abs(after.Cosine-c.Signal.Cosine) <= 1e-12) || after.Passes(0.7) != c.Passes {
			t.Errorf("%+v: %+v, %v", c, after, err)
		}
		if !c.Passes || c.Factor == 1 {
			continue
		}
		passing++
		less := must(t, c.Kind.Apply(s, math.Pow(c.Factor, 0.95)))
		if now, err := less.Signal(); err != nil || now.Passes(0.7) {
			t.Errorf("%+v: a smaller change is enough: %+v, %v", c, now, err)
		}
	}
	if passing < 3 {
		t.Errorf("only %d of %+v pass", passing, changes)
	}
}

// A change that is not enough has the factor 100 or 1/100, or the factor with which the strength of a skip
// connection is the largest that is allowed.
func TestFactorsThatAreNotEnough(t *testing.T) {
	s := usual()
	s.Layers, s.SkipSA, s.SkipMLP = 40, 12.5, 17
	changes, err := must(t, s).Changes(1e-6)
	if err != nil {
		t.Fatal(err)
	}
	want := map[Kind]float64{SkipOfAttention: 80, Skips: 1000. / 17, Values: 0.01, OutputWeights: 0.01}
	for _, c := range changes {
		factor, scaled := want[c.Kind]
		if scaled && (c.Passes || !(math.Abs(c.Factor-factor) <= 1e-12) || !(c.Signal.Cosine < 1)) {
			t.Errorf("%+v, want the factor %v", c, factor)
		}
		delete(want, c.Kind)
	}
	if len(want) > 0 {
		t.Errorf("no changes %v", want)
	}
}

// A network without skip connections is offered them, with the least sufficient strength.
func TestSkipConnectionsThatAreMissing(t *testing.T) {
	s := usual()
	s.Layers, s.SkipSA = 24, 0
	critical, found := must(t, s).CriticalSkip(0.7)
	changes, err := must(t, s).Changes(0.7)
	if err != nil || !found || critical < 1 {
		t.Fatal(changes, critical, err)
	}
	at := slices.IndexFunc(changes, func(c Change) bool { return c.Kind == SkipOfAttention })
	c := changes[at]
	if after := c.Kind.Apply(s, c.Factor).SkipSA; !c.Passes || after < critical || after > 1.06*critical {
		t.Errorf("%+v: strength %v, critical %v", c, after, critical)
	}
	if both := Skips.Apply(s, 3); both.SkipSA != 3 || both.SkipMLP != 3*s.SkipMLP {
		t.Errorf("both skip connections: %+v", both)
	}
}

// Condensed attention is spread by smaller queries and keys, before all other changes.
func TestCondensedAttention(t *testing.T) {
	s := usual()
	s.QueryKey2, s.SkipSA = 9, 8
	changes, err := must(t, s).Changes(0.9)
	if err != nil || len(changes) != 1 || changes[0].Kind != QueriesKeys || !changes[0].Passes {
		t.Fatal(changes, err)
	}
	if m := changes[0].Signal.Margin; !(math.Abs(m-SafeMargin) <= 0.02) || m < SafeMargin {
		t.Errorf("margin %g", m)
	}
	if changes, err = must(t, usual()).Changes(0.999); err != nil || changes != nil {
		t.Error("an architecture that passes has to change", changes, err)
	}
}

// At α_c the cosine crosses the limit.
func TestCriticalSkip(t *testing.T) {
	s := usual()
	s.Layers = 20
	for _, collapse := range []float64{0.5, 0.9, 0.99} {
		alpha, exists := must(t, s).CriticalSkip(collapse)
		if !exists {
			t.Fatal(collapse)
		}
		for factor, passes := range map[float64]bool{0.999: false, 1.001: true} {
			s.SkipSA = factor * alpha
			now, err := must(t, s).Signal()
			if err != nil || (now.Cosine <= collapse) != passes {
				t.Errorf("collapse %g: cosine %g at %g α_c, %v", collapse, now.Cosine, factor, err)
			}
		}
	}
}
