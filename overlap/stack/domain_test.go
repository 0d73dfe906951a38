package stack

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
)

// The domains of all fields end where the constants say. New passes the errors on.
func TestDomains(t *testing.T) {
	above, below, nan, inf := domaintest.Above, domaintest.Below, math.NaN(), math.Inf(1)
	valid := Architecture{Layers: 1, Dim: 2, Tokens: 2, Width: 1, Input: Input{Square: 1}}
	for _, c := range []struct {
		what             string
		field            func(s *Architecture) *float64
		least, past, top float64
	}{
		{"bias", func(s *Architecture) *float64 { return &s.Bias2 }, 0, domaintest.Below(0), 1e4},
		{"skip of attention", func(s *Architecture) *float64 { return &s.SkipSA }, 0, domaintest.Below(0),
			1e3},
		{"skip of MLP", func(s *Architecture) *float64 { return &s.SkipMLP }, 0, domaintest.Below(0), 1e3},
		{"attention", func(s *Architecture) *float64 { return &s.BranchSA }, 0, domaintest.Below(0), 1e3},
		{"MLP", func(s *Architecture) *float64 { return &s.BranchMLP }, 0, domaintest.Below(0), 1e3},
		{"query and key", func(s *Architecture) *float64 { return &s.QueryKey2 }, 0, domaintest.Below(0), 30},
		{"value", func(s *Architecture) *float64 { return &s.Value2 }, 0, domaintest.Below(0), 1e4},
		{"projection", func(s *Architecture) *float64 { return &s.Projection2 }, 0, domaintest.Below(0), 1e4},
		{"hidden", func(s *Architecture) *float64 { return &s.Hidden2 }, 0, domaintest.Below(0), 1e4},
		{"output", func(s *Architecture) *float64 { return &s.Output2 }, 0, domaintest.Below(0), 1e4},
		{"square", func(s *Architecture) *float64 { return &s.Input.Square }, 5e-324, 0, 1e4},
		{"first token", func(s *Architecture) *float64 { return &s.Input.First }, 0, domaintest.Below(0),
			1e4},
		{"cosine", func(s *Architecture) *float64 { return &s.Input.Cosine }, 0, domaintest.Below(0),
			below(1)},
	} {
		domaintest.Check(t, c.what, func(x float64) error {
			s := valid
			*c.field(&s) = x
			return s.Check()
		}, []float64{c.least, c.top}, []float64{c.past, above(c.top), nan, inf})
	}
	for _, c := range []struct {
		what       string
		field      func(s *Architecture) *int
		least, top int
	}{
		{"layers", func(s *Architecture) *int { return &s.Layers }, 1, 10_000},
		{"dimension", func(s *Architecture) *int { return &s.Dim }, 2, 1 << 20},
		{"tokens", func(s *Architecture) *int { return &s.Tokens }, 2, 1 << 20},
		{"width", func(s *Architecture) *int { return &s.Width }, 1, 1 << 20},
		{"activation", func(s *Architecture) *int { return (*int)(&s.Activation) }, 0, 6},
		{"norm", func(s *Architecture) *int { return (*int)(&s.Norm) }, 0, 2},
		{"features", func(s *Architecture) *int { return &s.Input.Features }, 0, math.MaxInt - 1},
	} {
		refused := []int{c.least - 1, c.top + 1}
		if c.what == "features" {
			refused = refused[:1]
		}
		check := func(x int) error {
			s := valid
			*c.field(&s) = x
			return s.Check()
		}
		domaintest.Check(t, c.what, check, []int{c.least, c.top}, refused)
		domaintest.Check(t, c.what+" of New", func(x int) error {
			s := valid
			*c.field(&s) = x
			_, err := New(s)
			return err
		}, []int{c.least}, refused)
	}
}
