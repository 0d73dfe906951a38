package figure

import (
	"fmt"
	"math"
	"strings"

	"antipode/internal/lists"

	"gonum.org/v1/plot"
)

// linearTicks places the ticks of a linear axis. Three to seven ticks with labels are at multiples of 1, 2 or
// 5 times a power of ten, with minor ticks between them.
type linearTicks struct{}

// Ticks implements plot.Ticker. An axis has one tick if its length is 0 or so small that rounding errors
// would put several ticks at one value.
func (linearTicks) Ticks(low, high float64) (ticks []plot.Tick) {
	const most = 6 // greatest number of steps between labels
	length := high - low
	if !(length > 1e-12*max(math.Abs(low), math.Abs(high), 1e-280)) || math.IsInf(length, 0) {
		return []plot.Tick{{Value: low, Label: shortLabel(low)}}
	}
	step, parts := labelStep(length, most)
	first, last := math.Ceil(low/step*parts-1e-9), math.Floor(high/step*parts+1e-9)
	for k := first; k <= last; k++ {
		tick := plot.Tick{Value: k/parts*step + 0} // no negative zero
		if math.Mod(k, parts) == 0 {
			tick.Label = shortLabel(tick.Value)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// labelStep returns the least step between labels with which an axis of the given length has at most most
// steps. labelStep also returns the number of minor intervals in a step.
func labelStep(length float64, most int) (step, parts float64) {
	for power := math.Floor(math.Log10(length / float64(most))); ; power++ {
		for _, s := range []struct{ times, parts float64 }{{1, 5}, {2, 4}, {5, 5}} {
			if step := s.times * math.Pow(10, power); length <= step*float64(most) {
				return step, s.parts
			}
		}
	}
}

// WholeTicks returns ticks at up to a dozen of the given values.
func WholeTicks(values []float64) (ticks []Tick) {
	return lists.Map(Spread(values, 12), func(v float64) Tick { return Tick{v, shortLabel(v)} })
}

// shortLabel writes a number with up to six digits. Large and small numbers are written as in 1e7 and 1e-7.
func shortLabel(value float64) string {
	text := fmt.Sprintf("%.6g", value)
	if mantissa, exponent, found := strings.Cut(text, "e"); found {
		sign := strings.Trim(exponent[:1], "+")
		return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
	}
	return text
}

// logTicks places the ticks of a logarithmic axis. Up to eight powers of ten have labels. If there are fewer
// than three powers of ten, 2 and 5 times a power of ten have labels too. If fewer than two ticks then have
// labels, all ticks have labels. A still shorter axis has linear ticks. An axis of a single value has one
// tick at this value.
type logTicks struct{}

// Ticks implements plot.Ticker.
func (logTicks) Ticks(low, high float64) []plot.Tick {
	switch {
	case !(high <= math.MaxFloat64):
		return nil
	case !(low > 0):
		return singleTick(low, high)
	}
	low, high = low*(1-1e-6), high*(1+1e-6) // gives an axis from 1.0000001 a tick at 1
	powers := math.Floor(math.Log10(high)) - math.Ceil(math.Log10(low)) + 1
	each := int(math.Ceil(powers / 8))
	for _, labelled := range []func(times, power int) bool{
		func(times, power int) bool {
			return times == 1 && power%each == 0 || powers < 3 && (times == 2 || times == 5)
		},
		func(int, int) bool { return true },
	} {
		if ticks, labels := multiples(low, high, powers > mostWithMarks, labelled); labels > 1 {
			return ticks
		}
	}
	return linearTicks{}.Ticks(low, high)
}

// mostWithMarks is the largest number of powers of ten on a logarithmic axis with minor ticks between them.
// With more powers of ten, the minor ticks would merge into a bar.
const mostWithMarks = 5

// multiples returns the ticks of a logarithmic axis from low to high at the multiples of powers of ten or, if
// alone is true, at the powers only. Ticks for which labelled returns true have labels; the result labels is
// their number.
func multiples(low, high float64, alone bool, labelled func(times, power int) bool) (
	ticks []plot.Tick, labels int,
) {
	for power := int(math.Floor(math.Log10(low))); power <= int(math.Floor(math.Log10(high))); power++ {
		for times := 1; times < 10; times++ {
			value := float64(times) * math.Pow10(power)
			if value < low || value > high || alone && times > 1 {
				continue
			}
			tick := plot.Tick{Value: value}
			if labelled(times, power) {
				tick.Label = shortLabel(value)
				labels++
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks, labels
}

// LayerTicks returns ticks at up to seven equidistant integers from 0 to the number of layers.
func LayerTicks(layers int64) []Tick {
	step := int64(1)
	for factor := int64(2); layers/step > 6; factor = 7 - factor { // 1, 2, 10, 20, ...
		step *= factor
	}
	var values []float64
	for l := int64(0); l <= layers; l += step {
		values = append(values, float64(l))
	}
	return WholeTicks(values)
}
