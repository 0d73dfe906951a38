package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
)

// WholeTicks puts a tick at each of up to a dozen values.
func WholeTicks(values []float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, v := range Spread(values, 12) {
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%g", v)})
	}
	return ticks
}

// ShortTicks are the ticks of another marker with the shortest labels.
type ShortTicks struct{ plot.Ticker }

// Ticks implements plot.Ticker.
func (t ShortTicks) Ticks(low, high float64) []plot.Tick {
	ticks := t.Ticker.Ticks(low, high)
	for k := range ticks {
		if ticks[k].Label != "" {
			ticks[k].Label = shortLabel(ticks[k].Value)
		}
	}
	return ticks
}

func shortLabel(value float64) string { return fmt.Sprintf("%.6g", value) }

// LogTicks are those of a logarithmic axis: the powers of ten have labels, on an axis with
// fewer than three of them so have 2 and 5 times these, and where that is none all ticks. There
// are none between bounds that are not positive and finite.
type LogTicks struct{}

// Ticks implements plot.Ticker.
func (LogTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	if !(0 < low && high <= math.MaxFloat64) {
		return nil
	}
	low, high = low*(1-1e-6), high*(1+1e-6) // an axis that begins at 1.0000001 has a tick at 1
	first, last := int(math.Floor(math.Log10(low))), int(math.Floor(math.Log10(high)))
	few := last-int(math.Ceil(math.Log10(low))) < 2
	for power := first; power <= last; power++ {
		for times := 1; times < 10; times++ {
			value := float64(times) * math.Pow10(power)
			if value < low || value > high {
				continue
			}
			tick := plot.Tick{Value: value}
			if times == 1 || few && (times == 2 || times == 5) {
				tick.Label = shortLabel(value)
			}
			ticks = append(ticks, tick)
		}
	}
	if !slices.ContainsFunc(ticks, func(t plot.Tick) bool { return t.Label != "" }) {
		for k := range ticks {
			ticks[k].Label = shortLabel(ticks[k].Value)
		}
	}
	return ticks
}
