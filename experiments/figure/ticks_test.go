package figure

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot"
)

func labelsOf(ticks []plot.Tick) (labels []string) {
	for _, tick := range ticks {
		if tick.Label != "" {
			labels = append(labels, tick.Label)
		}
	}
	return labels
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []string
	}{
		{0, 3, []string{"0", "0.5", "1", "1.5", "2", "2.5", "3"}},
		{0, 6, []string{"0", "1", "2", "3", "4", "5", "6"}},
		{-0.125, 2.125, []string{"0", "0.5", "1", "1.5", "2"}},
		{0.3, 1.5, []string{"0.4", "0.6", "0.8", "1", "1.2", "1.4"}},
		{-1.03, 1.03, []string{"-1", "-0.5", "0", "0.5", "1"}},
		{0, 3e-7, []string{"0", "5e-8", "1e-7", "1.5e-7", "2e-7", "2.5e-7", "3e-7"}},
		{5, 5, []string{"5"}}, {1, 1 + 1e-10, []string{"1", "1", "1", "1", "1", "1"}},
		// Axes that are too short for ticks between their ends.
		{1, math.Nextafter(1, 2), []string{"1"}}, {-1e15 - 1, -1e15, []string{"-1e15"}},
		{0, math.SmallestNonzeroFloat64, []string{"0"}},
	} {
		if labels := labelsOf(linearTicks{}.Ticks(c.low, c.high)); !slices.Equal(labels, c.want) {
			t.Errorf("from %g to %g: %q, want %q", c.low, c.high, labels, c.want)
		}
	}
}

// The steps of layers are 1, 2, 10, 20, and so on: the least with at most seven ticks.
func TestLayerTicks(t *testing.T) {
	for _, c := range []struct {
		layers     int64
		step, last float64
		count      int
	}{{0, 0, 0, 1}, {1, 1, 1, 2}, {6, 1, 6, 7}, {7, 2, 6, 4}, {13, 2, 12, 7}, {14, 10, 10, 2},
		{69, 10, 60, 7}, {70, 20, 60, 4}, {140, 100, 100, 2}, {12_000, 2000, 12_000, 7}} {
		ticks := LayerTicks(c.layers)
		if len(ticks) != c.count || ticks[0].Value != 0 || ticks[c.count-1].Value != c.last ||
			c.count > 1 && ticks[1].Value != c.step {
			t.Errorf("%d layers: %v", c.layers, ticks)
		}
	}
}

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      []string
	}{
		{1 + 1e-9, 16, []string{"1", "2", "5", "10"}}, // few powers of ten
		{0.002, 0.03, []string{"0.002", "0.005", "0.01", "0.02"}},
		{0.0021, 0.0049, []string{"0.003", "0.004"}},
		{0.6, 1.9, []string{"0.6", "0.7", "0.8", "0.9", "1"}},
		{1.2, 1.8, []string{"1.2", "1.4", "1.6", "1.8"}}, // no tick that is usual on logarithmic axes
		{-1, 1, nil}, // an axis without positive values
		{1, math.Inf(1), nil},
		{0.5, 200, []string{"1", "10", "100"}},
		{1e-10, 2e-8, []string{"1e-10", "1e-9", "1e-8"}},
		{1e-11, 1, []string{"1e-10", "1e-8", "1e-6", "0.0001", "0.01", "1"}}, // every other label has room
		{1e-7, 1, []string{"1e-7", "1e-6", "1e-5", "0.0001", "0.001", "0.01", "0.1", "1"}},
		{1e-8, 1, []string{"1e-8", "1e-6", "0.0001", "0.01", "1"}},
	} {
		if labels := labelsOf(logTicks{}.Ticks(c.low, c.high)); !slices.Equal(labels, c.want) {
			t.Errorf("from %g to %g: %q, want %q", c.low, c.high, labels, c.want)
		}
	}
}

// Between the labels of a linear axis are ticks in fifths or fourths of a step, the first and the last up to
// rounding at the ends of the axis. A logarithmic axis has ticks at all multiples of up to five powers of
// ten, and at the powers alone if there are more.
func TestTicksWithoutLabels(t *testing.T) {
	for _, c := range []struct {
		ticker      plot.Ticker
		low, high   float64
		count       int
		first, last float64
	}{
		{linearTicks{}, 0, 3, 31, 0, 3}, {linearTicks{}, 0, 6, 31, 0, 6},
		{linearTicks{}, 0.3, 1.5, 25, 0.3, 1.5}, {linearTicks{}, math.Nextafter(0.3, 1), 1.5, 25, 0.3, 1.5},
		{linearTicks{}, 0.31, 1.49, 23, 0.35, 1.45}, {linearTicks{}, -1, 1, 21, -1, 1},
		{linearTicks{}, 0, math.Inf(1), 1, 0, 0}, {logTicks{}, 1, 1e4, 37, 1, 1e4},
		{logTicks{}, 1, 1e5, 6, 1, 1e5}, {logTicks{}, 0.3, 1e4, 44, 0.3, 1e4},
	} {
		ticks := c.ticker.Ticks(c.low, c.high)
		if len(ticks) != c.count || !(math.Abs(ticks[0].Value-c.first) <= 1e-9) ||
			!(math.Abs(ticks[c.count-1].Value-c.last) <= 1e-9) {
			t.Errorf("%T from %v to %v: %d ticks, %v", c.ticker, c.low, c.high, len(ticks), ticks)
		}
		for _, tick := range ticks {
			if tick.Value == 0 && math.Signbit(tick.Value) {
				t.Errorf("%T from %v to %v: a tick at -0", c.ticker, c.low, c.high)
			}
		}
	}
}

// Labels have up to six digits, and no zeros or plus before an exponent.
func TestShortLabels(t *testing.T) {
	for value, want := range map[float64]string{0: "0", 0.25: "0.25", 123456.7: "123457", 1e6: "1e6",
		1.5e-7: "1.5e-7", 2e100: "2e100", -1e-300: "-1e-300", 1. / 3: "0.333333"} {
		if got := shortLabel(value); got != want {
			t.Errorf("%v: %q, want %q", value, got, want)
		}
	}
}

// Any axis has 2 to 9 labels, all within its range. Tried are 4000 fixed axes.
func TestEveryAxisHasLabels(t *testing.T) {
	for k := range 4000 {
		low := math.Pow(10, -6+float64(k%97)/8)
		high := low * (1 + math.Pow(10, -2+float64(k%89)/7))
		for name, ticker := range map[string]plot.Ticker{"linear": linearTicks{}, "logarithmic": logTicks{}} {
			labels := 0
			for _, tick := range ticker.Ticks(low, high) {
				if tick.Label != "" {
					labels++
				}
				if slack := 1e-6 * high; tick.Value < low-slack || tick.Value > high+slack {
					t.Fatalf("%s from %g to %g: a tick at %g", name, low, high, tick.Value)
				}
			}
			if labels < 2 || labels > 9 {
				t.Fatalf("%s from %g to %g: %d labels", name, low, high, labels)
			}
		}
	}
}
