package lanes

import (
	"math"
	"testing"

	"antipode/sphere/activation"
	"antipode/sphere/must"
)

func rough(t *testing.T, a activation.Activation, deviation float64) *driftMLP {
	t.Helper()
	correlation := must.Get(activation.NewCorrelation(a, 36))(t)
	added := &DriftMLP{Strength: 0.7, Correlation: correlation}
	return newDriftMLP(Plane{Deviation: deviation, DriftMLP: added})
}

// What an MLP adds to S and D has the variances 2·0.7(1±φ̂), over the square of the deviation.
func TestSpreadOfTheMLP(t *testing.T) {
	const deviation = 1.3
	for _, a := range []activation.Activation{activation.Tanh, activation.ReLU, activation.Linear} {
		l := rough(t, a, deviation)
		for _, z := range []float64{-0.999, -0.4, 0, 0.3, 0.98} {
			sum, difference := l.spread(&scaledSquares{above: 2 * (1 + z), below: 2 * (1 - z)})
			value := l.Correlation.At(z)
			own, other := 1.4/(deviation*deviation)*(1+value), 1.4/(deviation*deviation)*(1-value)
			if !(math.Abs(sum-own) <= 1e-12) || !(math.Abs(difference-other) <= 1e-12) {
				t.Errorf("%v at %v: %v, %v, want %v, %v", a, z, sum, difference, own, other)
			}
		}
	}
}

// Close to an end that stays the variance of the small vector is proportional to its square, by the slope of
// φ̂, also where squares are scaled.
func TestSpreadOfTheMLPAtTheEnds(t *testing.T) {
	l := rough(t, activation.Tanh, 1)
	slope := l.Correlation.Slope()
	for _, p := range []scaledSquares{{above: 1e-30, below: 4}, {above: 1e-90, below: 4, scale: 3}} {
		sum, _ := l.spread(&p)
		_, difference := l.spread(&scaledSquares{above: p.below, below: p.above, scale: p.scale})
		if want := 0.7 * slope * p.above; math.Abs(sum/want-1) > 1e-12 ||
			math.Abs(difference/want-1) > 1e-12 {
			t.Errorf("%+v: %v and %v, want %v", p, sum, difference, want)
		}
	}
}

// A factor times its transpose is the covariance.
func TestFactorHasTheCovariance(t *testing.T) {
	for _, c := range [][6]float64{
		{0.4, -0.3, 0.2, 0.9, 0.5, 0.7}, {0.4, -0.3, 0.2, 0.9, 0, 0}, {0, 0, 0.2, 0.9, 0, 0.7},
		{1e-12, 0, 0.2, 0.9, 0, 0},
	} {
		f := factorOf(c[0], c[1], c[2], c[3], c[4], c[5])
		product := []float64{f.sum * f.sum, f.sum * f.shared, f.shared*f.shared + f.difference*f.difference}
		for k, got := range product {
			want := []float64{c[0]*c[0] + c[1]*c[1] + c[4], c[0]*c[2] + c[1]*c[3], c[2]*c[2] + c[3]*c[3] +
				c[5]}[k]
			if !(math.Abs(got-want) <= 1e-15) {
				t.Errorf("%v: entry %d is %v, want %v", c, k, got, want)
			}
		}
	}
}

// A layer without noise takes S and D to their means, S + Drift(aS+bD) and D + Drift(cS+eD).
func TestDriftOfAPlaneChain(t *testing.T) {
	l := newDriftMLP(Plane{Deviation: 1, DriftMLP: &DriftMLP{Drift: 0.3}})
	const a, b, c, e = 0.9, 0.4, -0.2, 0.6
	p := scaledSquares{above: 1.4, below: 2.6}
	x, y := math.Sqrt(p.above), math.Sqrt(p.below)
	var none [4]float64
	above, _ := l.step(&p, a, b, c, e, &none, &none)
	s, d := [2]float64{x + 0.3*a*x, 0.3 * b * y}, [2]float64{0.3 * c * x, y + 0.3*e*y}
	var squares [2]float64
	inner := 0.0
	for i := range s {
		first, second := (s[i]+d[i])/2, (s[i]-d[i])/2
		squares[0], squares[1], inner = squares[0]+first*first, squares[1]+second*second, inner+first*second
	}
	if want := 2 * (1 + inner/math.Sqrt(squares[0]*squares[1])); !(math.Abs(above-want) <= 1e-14) {
		t.Errorf("|S|² is %v, want %v", above, want)
	}
}
