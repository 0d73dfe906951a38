package firstpassage

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sphere/must"
)

// slowest returns the smallest eigenvalue of minus the generator on n cells. The tridiagonal matrix minus
// a rate is definite as long as all its pivots are positive.
func (v *volume) slowest(n int) float64 {
	v.divide(n)
	below := func(rate float64) bool {
		pivot := 1.0
		for i := range n {
			next := -v.diagonal[i] - rate
			if i > 0 {
				next -= v.lower[i] * v.upper[i-1] / pivot
			}
			if pivot = next; !(pivot > 0) {
				return false
			}
		}
		return true
	}
	low, high := 0.0, 1.0
	for below(high) {
		low, high = high, 2*high
	}
	for high-low > 1e-11*high {
		if middle := 0.5 * (low + high); below(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// Decay times agree with simple finite volumes that end where the eigenfunction is negligible, with a
// high and with hardly any barrier, up to the highest dimension.
func TestDecayTimesAgainstFiniteVolumes(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		dim             int
		beta, m2, until float64
		cells           int
		tolerance       float64
	}{
		{4, 1.5, 2, 12, 20_000, 2e-6},
		{3, 2, 3, 12, 20_000, 2e-6},
		{30, 0.3, 1.01, 3, 20_000, 1e-6},
		{30, 5, 1000, 2, 40_000, 1e-7},
		{100, 5, 30, 2, 40_000, 1e-7},
		{300, 1, 1.01, 2, 100_000, 1e-6},
		{10_000, 1, 2, 0.8, 200_000, 2e-6},
		{10_000, 8, 1e6, 0.5, 200_000, 1e-5},
	} {
		d := must.Get(overlap.NewMasses(c.dim, c.beta, overlap.Softmax, 1, 1, c.m2))(t)
		got := value(t)(DecayTime(d))
		v := inAngle(d)
		v.right, v.absorbRight = math.Acos(-math.Tanh(c.until)), true
		coarse, fine := v.slowest(c.cells/2), v.slowest(c.cells)
		want := 1 / (fine + (fine-coarse)/3)
		t.Logf("%+v: %.9g, off by %.1e", c, got, got/want-1)
		near(t, "decay time", got, want, c.tolerance*want)
	}
}

// A very light cluster performs a Brownian motion relative to a heavy one: the edge of the spectrum is
// that of equal masses, (d-1)²/8.
func TestDecayTimeOfVeryUnequalMasses(t *testing.T) {
	for _, dim := range []int{2, 3, 30, 10_000} {
		d := must.Get(overlap.NewMasses(dim, 0.5, overlap.Softmax, 1, 1, overlap.MaxMass))(t)
		edge := 8 / float64((dim-1)*(dim-1))
		near(t, "decay time", value(t)(DecayTime(d)), edge, 1e-6*edge)
	}
}

func TestLowest(t *testing.T) {
	near(t, "minimum", minimum(func(x float64) float64 { return math.Abs(x - 0.3) }, -1, 2), 0.3, 1e-13)
}

// An eigenvalue counts as known if the extrapolations from fewer and from more cells differ by less than
// 1e-5. Errors of second order in the cell width leave no difference, and other errors do.
func TestExtrapolatedEigenvalue(t *testing.T) {
	d := must.Get(overlap.NewMasses(4, 1.5, overlap.Softmax, 1, 1, 2))(t)
	for _, c := range []struct {
		first float64 // error of first order
		want  bool
	}{{0, true}, {1e-5, true}, {1e-3, false}, {0.1, false}} {
		cells := 0
		exceeds := func(p *piecewiseDiffusion, eigenvalue float64) bool {
			if cells == 0 {
				cells = len(p.cells)
			}
			part := float64(cells) / float64(len(p.cells))
			unit := math.Log(0.5 * p.variance)
			return math.Log(eigenvalue)+unit > -3+0.2*part*part+c.first*part
		}
		logRate, ok := extrapolatedEigenvalue(d.Line(), 0, exceeds)
		if ok != c.want || c.want && !(math.Abs(logRate+3) <= 2e-5) {
			t.Errorf("with an error of %g of the first order: %v, %v", c.first, logRate, ok)
		}
	}
}

// The ratio at the left end is the lesser root of r² - h'r + l = 0 while the roots are real, and 2l/h'
// beyond; where the overlap enters there is no flux.
func TestRatioAtTheLeftEnd(t *testing.T) {
	for _, c := range []struct{ slope, rate, eigenvalue, want float64 }{
		{5, 1, 6, 2}, {5, 2, 3, 2}, {5, 0.5, 12, 2}, {4, 1, 4, 2}, {3, 1, 0, 0}, {10, 4, 4, 2}, {5, 0, 6, 0},
		{2, 1, 9, 9},
	} {
		p := &piecewiseDiffusion{leftSlope: c.slope, leftRate: c.rate}
		near(t, "ratio", p.leftRatio(c.eigenvalue), c.want, 1e-14)
	}
}

// While the times to relax down the slopes of h may exceed e^-18 of the decay time, the decay time is that of
// the eigenvalue, and then the mean time to the end +1.
func TestMethodOfTheDecayTime(t *testing.T) {
	for beta, separate := range map[float64]bool{8: false, 14: true} {
		d := must.Get(overlap.NewMasses(4, beta, overlap.Softmax, 1, 1, 1.01))(t)
		life := must.Get(Lifetime(d))(t)
		l := d.Line()
		want := absorptionTime(l, life)
		if logRate, ok := logSmallestEigenvalue(l, spectrumEdge(l, l.Plus, 1)); ok && !separate {
			want = timeOf(1, -logRate)
		}
		if got := must.Get(DecayTime(d))(t); got != want {
			t.Errorf("β = %v: %v, want %v", beta, got, want)
		}
	}
}
