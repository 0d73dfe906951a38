package exactlaw

import (
	"math"
	"testing"
)

// A random walk with normal steps, on a lattice that is made coarser repeatedly, has a normal law:
// compare the probability below 0 from points of the lattice.
func TestBandOfARandomWalk(t *testing.T) {
	const states, width, deviation, layers = 800, 0.1, 0.13, 1000
	l := &lattice{first: -40 + 0.03, width: width, anchor: 301, fixedStart: true, tolerance: 1e-10}
	l.matrix = newBand(states)
	l.antipodal, l.single = outcome{make([]float64, states), 1}, outcome{make([]float64, states), 0}
	cdf := func(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }
	for i := range states {
		var s span
		s.first = i - 10
		for k := -10; k <= 10; k++ {
			s.p = append(s.p, math.Exp(-0.5*math.Pow(width*float64(k)/deviation, 2)))
		}
		scaleToSum(1, s.p)
		l.matrix.set(i, s)
		l.antipodal.at[i] = cdf(-l.at(i) / deviation)
		l.single.at[i] = 1 - l.antipodal.at[i]
	}
	l.setStart(2)
	at := l.at(l.anchor)
	l.advance(layers - 1)
	if l.width < 0.19 {
		t.Errorf("the lattice is as fine as at first: %v", l.width)
	}
	want := cdf(-at / (deviation * math.Sqrt(layers)))
	if l.at(l.anchor) != at && !(math.Abs(l.at(l.anchor)-at) <= 1e-12) {
		t.Errorf("the anchor went from %v to %v", at, l.at(l.anchor))
	}
	near(t, "P(below 0)", l.start.mean(l.antipodal.at, 1, 0), want, 1e-8)
	near(t, "P(above 0)", l.start.mean(l.single.at, 0, 1), 1-want, 1e-8)
}

// The square of a matrix applied to a vector equals the matrix applied twice, including what leaves the
// lattice.
func TestSquaredBand(t *testing.T) {
	m := newBand(5)
	for i := range 5 {
		m.set(i, span{i - 2, []float64{0.1, 0.15, 0.3, 0.25, 0.2}})
	}
	v := []float64{3, -1, 2, 0.5, 7}
	twice := m.apply(m.apply(v, 5, -2), 5, -2)
	for i, x := range m.squared().apply(v, 5, -2) {
		near(t, "M²v", x, twice[i], 1e-14)
	}
}

// A threshold at any point between lattice points integrates a normal density up to that point; the wider
// the density, the more accurately.
func TestThreshold(t *testing.T) {
	for _, shift := range []float64{0, 0.011, 0.05, 0.077} {
		for deviation, tolerance := range map[float64]float64{0.13: 2e-4, 0.2: 1e-7, 0.3: 1e-12} {
			const spacing = 0.1
			th := newBandLimitedStep(0.4, 0.4+shift-7*spacing, spacing)
			sum := 0.0
			for k := -60; k <= 60; k++ {
				x := 0.4 + shift + spacing*float64(k)
				density := math.Exp(-0.5*math.Pow((x-0.3)/deviation, 2)) / (deviation * math.Sqrt(2*math.Pi))
				sum += spacing * density * th.weight(x)
			}
			near(t, "P(x < 0.4)", sum, 0.5*math.Erfc(-0.1/deviation/math.Sqrt2), tolerance)
		}
	}
	th := newBandLimitedStep(0, 0, 1)
	near(t, "weight far below", th.weight(-40), 1, 1e-9)
	near(t, "weight far above", th.weight(40), 0, 1e-9)
}

// From an overlap of -1, a step may lead to the lattice or beyond either end, and nowhere else.
func TestOutcomeAtAnEntrance(t *testing.T) {
	step := newBand(3)
	for i := range 3 {
		step.set(i, span{i, []float64{1}})
	}
	step.entrance = &row{span: span{1, []float64{0.25, 0.125}}, left: 0.5, right: 0.125}
	got := outcome{[]float64{3, 5, 7}, 11}.before(step, 13)
	if want := 0.25*5 + 0.125*7 + 0.5*11 + 0.125*13; got.limit != want || got.at[2] != 7 {
		t.Errorf("%v at -1, not %v; %v", got.limit, want, got.at)
	}
}
