package overlap

import (
	"fmt"
	"math"
	"testing"

	"antipode/overlap/internal/line"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

func TestBoundaryString(t *testing.T) {
	for boundary, want := range map[Boundary]string{
		Attracting: "attracting", NonAttracting: "non-attracting", Entrance: "entrance",
		Reflecting: "reflecting", 4: "Boundary(4)", -1: "Boundary(-1)",
	} {
		if got := boundary.String(); got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
		if labels := boundary.Labels(); boundary >= 0 && int(boundary) < len(labels) &&
			labels[boundary] != want {
			t.Errorf("the label of %s is %q", want, labels[boundary])
		}
	}
	if labels := Attracting.Labels(); len(labels) != 4 {
		t.Errorf("labels %q", labels)
	}
}

func TestBoundaryClass(t *testing.T) {
	critical := func(dim int) float64 { b, _ := CriticalBeta(dim); return b }
	for _, c := range []struct {
		dim  int
		beta float64
		want Boundary
	}{
		{2, 0, Attracting},
		{2, 1000, Attracting},
		{3, 0, NonAttracting}, // cosh 0 = 1 exactly
		{3, math.SmallestNonzeroFloat64, Attracting},
		{3, 1e-200, Attracting},
		{4, 0, NonAttracting},
		{4, critical(4), NonAttracting},
		{4, math.Nextafter(critical(4), 0), NonAttracting},
		{4, math.Nextafter(critical(4), 1), Attracting},
		{4, 0.65, NonAttracting},
		{4, 0.66, Attracting},
		{10000, critical(10000), NonAttracting},
		{10000, math.Nextafter(critical(10000), 1000), Attracting},
		{10000, 1000, Attracting}, // cosh 2000 exceeds float64
		{10000, 400, Attracting},
	} {
		d := diffusion(t, c.dim, c.beta)
		if got := d.MinusOne(); got != c.want {
			t.Errorf("dim %d, beta %v: MinusOne() = %v, want %v", c.dim, c.beta, got, c.want)
		}
		if got := d.PlusOne(); got != Attracting {
			t.Errorf("dim %d, beta %v: PlusOne() = %v", c.dim, c.beta, got)
		}
	}
}

// The class agrees with the inequality dim-2 < cosh 2β wherever that can be computed.
func TestBoundaryClassIsTheInequality(t *testing.T) {
	for dim := 2; dim < 200; dim++ {
		for beta := 0.0; beta < 4; beta += 1.0 / 64 {
			attracting := float64(dim-2) < math.Cosh(2*beta)
			if got := diffusion(t, dim, beta).MinusOne() == Attracting; got != attracting {
				t.Errorf("dim %d, beta %v: attracting %v, want %v", dim, beta, got, attracting)
			}
		}
	}
}

// Near an end the scale density with respect to z is a power of the distance, whose
// exponent decides the class: (dim-3)/2 at +1 and -1/2-(dim-2)/(2 cosh 2β) at -1. The
// integral of the first converges for every dim ≥ 2, contrary to the proof of Lemma 5.
func TestScaleDensityAtTheEnds(t *testing.T) {
	for _, dim := range []int{2, 3, 4, 10, 100} {
		for _, beta := range []float64{0, 0.5, 1.5, 3} {
			d := diffusion(t, dim, beta)
			exponent := func(sign float64) float64 {
				const near, far = 0x1p-46, 0x1p-40
				return (d.LogScaleDensity(sign*(1-far)) - d.LogScaleDensity(sign*(1-near))) /
					math.Log(far/near)
			}
			near(t, "exponent at +1", exponent(1), float64(dim-3)/2, 1e-9*float64(dim))
			near(t, "exponent at -1", exponent(-1), -0.5-float64(dim-2)/(2*math.Cosh(2*beta)),
				1e-9*float64(dim))
			if exponent(1) <= -1 {
				t.Errorf("dim %d, beta %v: ∫ s diverges at +1", dim, beta)
			}
			if got := exponent(-1) > -1; math.Abs(exponent(-1)+1) > 1e-6 &&
				got != (d.MinusOne() == Attracting) {
				t.Errorf("dim %d, beta %v: ∫ s converges at -1: %v, but the end is %v", dim, beta, got,
					d.MinusOne())
			}
		}
	}
}

// The slope of h at +1 is d-1 for all masses.
func TestSlopeWhereClustersMeet(t *testing.T) {
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, m2 := range []float64{1, 1.5, 1000, MaxMass} {
			d := must.Get(NewMasses(7, 2, attention, 1, 1, m2))(t)
			near(t, "slope", d.Line().Slope(line.Of(line.Asymptote)), d.Line().Plus.Slope, 1e-12)
			near(t, "slope", d.Line().Plus.Slope, 6, 0)
		}
	}
}

// Beyond its reach each end has the slope, the growth of the variance and the drift that it states, for every
// model, with weak and strong attention.
func TestEndsAreThoseOfTheLine(t *testing.T) {
	const sigma = 0.8
	covariance := Covariance{A: 0.9, B: -0.3, C: 0.4}
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, beta := range []float64{0.2, 1.3, 6, 30} {
			masses := func(m2 float64) *Diffusion {
				return must.Get(NewMasses(5, beta, attention, sigma, 1, m2))(t)
			}
			with := func(d *Diffusion, a activation.Activation) *Diffusion {
				return must.Get(must.Get(d.WithMLP(MLP{a, 0.6, 1.7}))(t).WithDrift(0.35))(t)
			}
			all := map[string]*Diffusion{
				"equal": masses(1), "unequal": masses(2.5), "nearly equal": masses(1 + 1e-7),
				"hybrid":     must.Get(NewHybrid(5, beta, attention, 0.7))(t),
				"covariance": must.Get(NewIsotropic(5, beta, attention, sigma, covariance, 1, 1))(t),
				"unequal, covariance": must.Get(NewIsotropic(5, beta, attention, sigma, covariance, 1,
					2.5))(t),
				"MLP":                 with(masses(1), activation.Tanh),
				"MLP that is not odd": with(masses(1), activation.GELU),
				"ReLU":                with(masses(1), activation.ReLU),
			}
			for name, d := range all {
				for _, side := range []float64{-1, 1} {
					end := d.line.Plus
					if side < 0 {
						end = d.line.Minus
					}
					at, farther := line.Of(side*end.Reach), line.Of(side*(end.Reach+2))
					say := func(what string, got, want float64) {
						t.Helper()
						what = fmt.Sprintf("%s, %v, β = %v, end %v: %s", name, attention, beta, side, what)
						near(t, what, got, want, 1e-9*(1+math.Abs(want)))
					}
					say("slope", d.line.Slope(at), end.Slope)
					growth := math.Log(d.line.Variance(farther) / d.line.Variance(at))
					say("growth of the variance", growth, side*2*end.Variance)
					if end.Enterable {
						say("drift", d.Drift(side)/end.Drift, 1)
					}
				}
			}
		}
	}
}
