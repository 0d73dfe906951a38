package figure

import (
	"math"
	"slices"
	"testing"
)

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []string
	}{
		{1 + 1e-9, 16, []string{"1", "2", "5", "10"}}, // few powers of ten
		{0.002, 0.03, []string{"0.002", "0.005", "0.01", "0.02"}},
		{0.0021, 0.0049, []string{"0.003", "0.004"}},
		{-1, 1, nil},
		{1, math.Inf(1), nil},
		{0.5, 200, []string{"1", "10", "100"}},
		{1e-10, 2e-8, []string{"1e-10", "1e-09", "1e-08"}},
	} {
		var labels []string
		for _, tick := range (LogTicks{}).Ticks(c.low, c.high) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if !slices.Equal(labels, c.want) {
			t.Errorf("from %g to %g: %q, want %q", c.low, c.high, labels, c.want)
		}
	}
}
