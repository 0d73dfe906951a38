package stablerank

import (
	"strings"
	"testing"

	"antipode/data"
	"antipode/experiments/internal/attention"
	"antipode/experiments/run"
)

// If the dimension is too small for LayerNorm, the error names the ratio.
func TestBadParameters(t *testing.T) {
	s := New()
	s.Layers, s.Tokens, s.Ratio = 1, []int{20}, 50
	s.Architecture = []attention.Architecture{attention.LayerNorm}
	err := s.Run(t.Context(), run.Options{Seed: 1}, data.NewTable(run.Schema(s, 1)))
	if want := "ratio 50: dimension 1: must be"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}
