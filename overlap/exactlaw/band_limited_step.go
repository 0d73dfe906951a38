package exactlaw

import (
	"math"

	"antipode/overlap/internal/quadrature"
	"antipode/sphere/elementary"
)

// A bandLimitedStep is the step function from 1 to 0 at the point at, without the frequencies that a lattice
// does not resolve: w(x) = ½ + Si(π(at-x)/spacing)/π with the sine integral Si. A Gaussian window makes w
// tend to 0 and 1 faster.
type bandLimitedStep struct {
	at, spacing, shift float64      // a point of the lattice is at + shift·spacing, |shift| ≤ ½
	values             [2][]float64 // windowed Si at the points above and below
}

func newBandLimitedStep(at, lattice, spacing float64) *bandLimitedStep {
	offset := (lattice - at) / spacing
	return &bandLimitedStep{at: at, spacing: spacing, shift: offset - math.Round(offset)}
}

// weight returns the value w(x) of the band-limited step at a point x of the lattice.
func (t *bandLimitedStep) weight(x float64) float64 {
	k := int(math.Round((x-t.at)/t.spacing - t.shift))
	side := 0
	if k < 0 {
		side, k = 1, -k
	}
	for len(t.values[side]) <= k {
		t.extend(side)
	}
	return 0.5 - t.values[side][k]/math.Pi
}

// extend appends the windowed sine integral at π(shift±n) to values[side], where n is the number of values.
func (t *bandLimitedStep) extend(side int) {
	n := len(t.values[side])
	if n == 0 {
		t.values[side] = append(t.values[side], windowedSineIntegral(0, math.Pi*t.shift))
		return
	}
	sign := float64(1 - 2*side)
	last := float64(math.Pi * (t.shift + float64(sign*float64(n-1))))
	more := windowedSineIntegral(last, last+float64(sign*math.Pi))
	t.values[side] = append(t.values[side], t.values[side][n-1]+more)
}

// windowDeviation is the standard deviation of the Gaussian window of a band-limited step, in spacings of the
// lattice.
const windowDeviation = 4

// windowedSineIntegral returns the integral from a to b of sin(x)/x times the Gaussian window; a and b must
// differ by at most π.
func windowedSineIntegral(a, b float64) float64 {
	half, sum := 0.5*(b-a), 0.0
	for i, x := range quadrature.Gauss.Node {
		at := a + float64(half*(1+x))
		value := 1.0
		if at != 0 {
			sin, _ := elementary.SinCos(at)
			value = sin / at
		}
		at /= windowDeviation * math.Pi
		sum += float64(quadrature.Gauss.Weight[i] * value * elementary.Exp(-float64(0.5*at*at)))
	}
	return half * sum
}
