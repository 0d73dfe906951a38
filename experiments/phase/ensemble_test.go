package phase

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"antipode/experiments/experimenttest"
	"antipode/experiments/run"
	"antipode/sde"
)

func TestEndlessRunIsRefused(t *testing.T) {
	p := New()
	p.Trajectories, p.Depth, p.Horizon = 1e12, 1e6, 1e6
	experimenttest.CheckRefused(t, p.Run(t.Context(), run.Options{}, nil), "trajectories", "years")
}

func TestMemoryIsRefused(t *testing.T) {
	p := New()
	p.Dim, p.Law, p.Method = []int{10_000}, sde.Uniform, sde.Tokens
	experimenttest.CheckRefused(t, p.Run(t.Context(), run.Options{Workers: 1024}, nil), "dim", "GiB")
}

func TestLongRunIsAnnounced(t *testing.T) {
	p := New()
	p.Dim, p.Beta, p.Trajectories = []int{2}, []float64{1}, 1e9
	ctx, cancel := context.WithCancel(t.Context())
	announced := ""
	err := p.Run(ctx, run.Options{Notice: func(text string) { announced = text; cancel() }}, nil)
	if !errors.Is(err, context.Canceled) || !strings.Contains(announced, "this run may take up to ") {
		t.Errorf("notice %q, error %v", announced, err)
	}
}

func TestInWords(t *testing.T) {
	for seconds, want := range map[float64]string{
		12: "12 seconds", 100: "2 minutes", 3000: "50 minutes", 7200: "2 hours", 3 * 86400: "3 days",
		1e12: "31710 years", math.Inf(1): "+Inf years",
	} {
		if got := run.InWords(seconds); got != want {
			t.Errorf("%v s: %q, want %q", seconds, got, want)
		}
	}
}
