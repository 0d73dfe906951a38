package training

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
)

// The domains of all fields of a method end where the comments say.
func TestDomains(t *testing.T) {
	above, below, nan, inf := domaintest.Above, domaintest.Below, math.NaN(), math.Inf(1)
	task := someTask(CrossEntropy)
	of := func(change func(m *Method)) error {
		m := someMethod()
		change(&m)
		return m.Validate(task)
	}
	for _, c := range []struct {
		what              string
		field             func(m *Method) *float64
		accepted, refused []float64
	}{
		{"learning rate", func(m *Method) *float64 { return &m.Schedule.Rate }, []float64{5e-324, 1e6},
			[]float64{0, above(1e6)}},
		{"momentum", func(m *Method) *float64 { return &m.Optimiser.Momentum }, []float64{0, below(1)},
			[]float64{domaintest.Below(0), 1}},
		{"β₁", func(m *Method) *float64 { return &m.Optimiser.Beta1 }, []float64{0, below(1)},
			[]float64{domaintest.Below(0), 1}},
		{"β₂", func(m *Method) *float64 { return &m.Optimiser.Beta2 }, []float64{0, below(1)},
			[]float64{domaintest.Below(0), 1}},
		{"ε", func(m *Method) *float64 { return &m.Optimiser.Epsilon }, []float64{5e-324, 1},
			[]float64{0, above(1)}},
		{"weight decay", func(m *Method) *float64 { return &m.Optimiser.Decay }, []float64{0, 1e6},
			[]float64{domaintest.Below(0), above(1e6)}},
		{"clipping", func(m *Method) *float64 { return &m.Clip }, []float64{0, math.MaxFloat64},
			[]float64{domaintest.Below(0)}},
		{"smoothing", func(m *Method) *float64 { return &m.Smoothing }, []float64{0, below(1)},
			[]float64{domaintest.Below(0), 1}},
		{"bound of the loss", func(m *Method) *float64 { return &m.Bound },
			[]float64{5e-324, math.MaxFloat64}, []float64{0}},
		{"dropout", func(m *Method) *float64 { return &m.Dropout.MLP }, []float64{0, below(1)}, []float64{1}},
	} {
		domaintest.Check(t, c.what, func(x float64) error { return of(func(m *Method) { *c.field(m) = x }) },
			c.accepted, append(c.refused, nan, inf))
	}
	endless := task
	endless.count = 0
	for _, c := range []struct {
		what              string
		change            func(m *Method, x int64)
		accepted, refused []int64
	}{
		{"steps", func(m *Method, x int64) { m.Steps, m.Batch, m.Accumulate = x, 1, 1 },
			[]int64{1, 1 << 40}, []int64{0, 1<<40 + 1}},
		{"sequences", func(m *Method, x int64) { m.Steps, m.Batch, m.Accumulate = x, 4, 2 },
			[]int64{1 << 37}, []int64{1<<37 + 1}},
		{"batch", func(m *Method, x int64) { m.Batch = int(x) }, []int64{1, 1_000_000},
			[]int64{0, 1_000_001}},
		{"batches", func(m *Method, x int64) { m.Accumulate = int(x) }, []int64{1, 1_000_000},
			[]int64{0, 1_000_001}},
		{"validation", func(m *Method, x int64) { m.Validation = int(x) }, []int64{1, 1_000_000},
			[]int64{0, 1_000_001}},
		{"warm-up", func(m *Method, x int64) { m.Schedule.Warmup = x }, []int64{0, 1 << 40},
			[]int64{-1, 1<<40 + 1}},
		{"warm-up of scores", func(m *Method, x int64) { m.ScoreWarmup = x }, []int64{0, 1 << 40},
			[]int64{-1, 1<<40 + 1}},
		{"rule", func(m *Method, x int64) { m.Optimiser.Rule = Rule(x) },
			[]int64{0, int64(len(RuleNames)) - 1}, []int64{-1, int64(len(RuleNames))}},
		{"decline", func(m *Method, x int64) { m.Schedule.Decline = Decline(x) },
			[]int64{0, int64(len(DeclineNames)) - 1}, []int64{-1, int64(len(DeclineNames))}},
		{"strengths", func(m *Method, x int64) { m.Strengths = Strengths(x) },
			[]int64{0, int64(len(StrengthsNames)) - 1}, []int64{-1, int64(len(StrengthsNames))}},
	} {
		domaintest.Check(t, c.what, func(x int64) error {
			m := someMethod()
			c.change(&m, x)
			return m.Validate(endless)
		}, c.accepted, c.refused)
	}
	domaintest.Check(t, "batch of the examples", func(x int) error {
		return of(func(m *Method) { m.Batch = x })
	}, []int{1, 20}, []int{21})
	domaintest.Check(t, "validation of the examples", func(x int) error {
		return of(func(m *Method) { m.Validation = x })
	}, []int{1, 20}, []int{21})
}
