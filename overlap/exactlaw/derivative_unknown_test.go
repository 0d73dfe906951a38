package exactlaw

import (
	"math"
	"strings"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sphere/activation"
)

// Derivatives are not known for unequal clusters, for an MLP that is not odd, follows attention or is
// added to the hybrid model, for a drift, for parameters that the recursion does not have, and for layers
// that fold the line. Invalid arguments are rejected.
func TestUnknownDerivatives(t *testing.T) {
	equal := recursion(t, 4, 1, overlap.Softmax, 1, 1, 1, 20)
	odd := overlap.MLP{Activation: activation.Tanh, Strength: 0.3, Variance: 1}
	after, err := equal.WithMLPAfter(odd)
	if err != nil {
		t.Fatal(err)
	}
	drift, err := equal.WithDrift(0.5)
	if err != nil {
		t.Fatal(err)
	}
	hybrid := hybridOf(t, 3, 1, overlap.Softmax, 1.2, finitedepth.Uniform, 50)
	folding, err := Hybrid(3, 1, overlap.Softmax, 3, finitedepth.Rademacher, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]struct {
		r  *Recursion
		by overlap.Parameter
	}{
		"unequal masses": {recursion(t, 4, 1, overlap.Softmax, 1, 1, 2, 20), overlap.ByBeta},
		"not odd": {withMLP(t, equal, overlap.MLP{Activation: activation.ReLU, Strength: 0.3, Variance: 1}),
			overlap.ByBeta},
		"in sequence": {after, overlap.BySigma}, "no ε": {equal, overlap.ByEpsilon},
		"undefined": {equal, 3}, "undefined in the hybrid model": {hybrid, 3}, "negative": {equal, -1},
		"folds": {folding, overlap.ByBeta}, "hybrid with an MLP": {withMLP(t, hybrid, odd), overlap.ByBeta},
		"drift": {drift, overlap.ByBeta},
	} {
		if _, known, err := d.r.UniformDerivative(d.by, 10, 0.1, 1e-4); known || err != nil {
			t.Errorf("%s: %v, %v", name, known, err)
		}
	}
	for want, ask := range map[string]func() error{
		"z0 = 2": func() error {
			_, _, err := equal.FromDerivative(2, overlap.ByBeta, 10, 0.1, 1e-4)
			return err
		},
		"tolerance 1": func() error {
			_, _, err := equal.UniformDerivative(overlap.ByBeta, 10, 1, 1e-4)
			return err
		},
		"-1 layers": func() error {
			_, _, err := equal.FromDerivative(1, overlap.ByBeta, -1, 0.1, 1e-4)
			return err
		},
	} {
		if err := ask(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if d, known, err := equal.FromDerivative(-1, overlap.ByBeta, 10, 0.1, 1e-4); !known || err != nil ||
		d != (Derivatives{}) {
		t.Errorf("from -1: %v, %v, %v", d, known, err)
	}
}

// On the circle, dP/dβ for many layers of little noise tends to 0, as P(antipodal) is ½ at every β. At
// β = 0 it is 0 because probabilities are even in β.
func TestDerivativesThatVanish(t *testing.T) {
	longtest.Only(t)
	still := recursion(t, 3, 0, overlap.Softmax, 1, 1, 1, 10)
	if d, known, err := still.UniformDerivative(overlap.ByBeta, 40, 0.01, 1e-6); !known || err != nil ||
		math.Abs(d.Antipodal.Value) > 1e-12 || math.Abs(d.Single.Value) > 1e-12 {
		t.Errorf("β = 0: %v, %v, %v", d, known, err)
	}
	circle := recursion(t, 2, 1, overlap.Softmax, 1, 1, 1, 100)
	d, _, err := circle.UniformDerivative(overlap.ByBeta, 4000, 0.01, 1e-6)
	if err != nil || !(math.Abs(d.Antipodal.Value) <= 2e-3) || d.Antipodal.Error > 1e-5 {
		t.Errorf("circle: %v, %v", d, err)
	}
}

// The derivative of the square of a matrix agrees with differences, including what leaves the lattice.
func TestSquaredBandPair(t *testing.T) {
	const h = 1e-6
	at := func(x float64) *band {
		m := newBand(6)
		for i := range 6 {
			m.set(i, span{i - 2, []float64{0.1 + x, 0.2, 0.4 - 2*x, 0.1 + 0.5*x, 0.2 + 0.5*x}})
		}
		return m
	}
	by := newBand(6)
	for i := range 6 {
		by.set(i, span{i - 2, []float64{1, 0, -2, 0.5, 0.5}})
	}
	got := bandPair{at(0), by}.squared().derivative
	high, low := at(h).squared(), at(-h).squared()
	entry := func(s span, k int) float64 {
		if k < s.first || k >= s.first+len(s.p) {
			return 0
		}
		return s.p[k-s.first]
	}
	for i := range 6 {
		near(t, "left", got.left[i], (high.left[i]-low.left[i])/(2*h), 1e-9)
		near(t, "right", got.right[i], (high.right[i]-low.right[i])/(2*h), 1e-9)
		for k := range 6 {
			want := (entry(high.rows[i], k) - entry(low.rows[i], k)) / (2 * h)
			near(t, "entry", entry(got.rows[i], k), want, 1e-9)
		}
	}
}

// Derivatives of logarithms between points that are known are interpolated as logarithms are: those of a
// polynomial of degree 7 exactly.
func TestInterpolatedSlopes(t *testing.T) {
	f := func(k int) float64 {
		x := float64(k-5) / 40
		return 1 + x*(0.5-x*(2-x*(0.7+x*(1-x*(0.3-x*(2+x))))))
	}
	b := &layerDerivative{middle: 5, known: map[int]float64{}}
	for k := -160; k <= 160; k += 8 {
		b.known[5+k] = f(5 + k)
	}
	for k := -10; k <= 10; k++ {
		near(t, "slope", b.at(k), f(k), 1e-13)
	}
}
