package trainability

import (
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
)

func TestValidateNamesTheParameter(t *testing.T) {
	number := int64(12)
	experimenttest.Refuse(t, New, []struct {
		Name, Problem string
		Change        func(e *Experiment)
	}{
		{"block", "must be ", func(e *Experiment) { e.Block = "x" }},
		{"collapse", "must be a number from 0 to 1", func(e *Experiment) { e.Collapse = 1.5 }},
		{"tokens", "must be given with the other of tokens and dim", func(e *Experiment) { e.Dim = &number }},
		{"dim", "must be given with the other of tokens and dim", func(e *Experiment) { e.Tokens = &number }},
		{"weight-beta", "with 401 strengths these are 100250 cells",
			func(e *Experiment) { e.AlphaSA, e.Beta = counts(401), counts(250) }},
		{"layers", "in 10001 cells these are 1e+09 layers; must be at most 1e+09",
			func(e *Experiment) { e.AlphaSA, e.Beta, e.Depth = counts(73), counts(137), 100_000 }},
	})
}

// counts returns n different positive numbers.
func counts(n int) (values []float64) {
	for k := range n {
		values = append(values, float64(k+1)/1000)
	}
	return values
}

// A grid of 10^9 layers is allowed.
func TestLargestGrid(t *testing.T) {
	e := New()
	e.AlphaSA, e.Beta, e.Depth = counts(100), counts(100), 100_000
	if err := e.Validate(); err != nil {
		t.Error(err)
	}
	number := int64(12)
	e.Tokens, e.Dim = &number, &number
	if err := e.Validate(); err != nil {
		t.Error(err)
	}
	e.Beta = counts(1001)
	if err := e.Run(t.Context(), run.Options{}, nil); err == nil {
		t.Error("an invalid experiment runs")
	}
}
