package overlap

import (
	"math"
	"strings"
	"testing"

	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/must"

	"pgregory.net/rapid"
)

// softmaxKernel is softmax attention as a user would write it.
func softmaxKernel(beta float64) Kernel {
	return func(z float64) (p, q float64) {
		r := math.Exp(-beta * (1 - z))
		return 1 / (1 + r), r / (1 + r)
	}
}

func TestKernelIsTheBuiltInAttention(t *testing.T) {
	for _, dim := range []int{2, 3, 5, 30} {
		for _, beta := range []float64{0, 0.9, 2, 6} {
			want, got := diffusion(t, dim, beta), must.Get(NewKernel(dim, softmaxKernel(beta), 1))(t)
			if got.MinusOne() != want.MinusOne() || got.PlusOne() != want.PlusOne() {
				t.Errorf("dim %d, beta %v: ends %v, %v", dim, beta, got.MinusOne(), got.PlusOne())
			}
			near(t, "P(antipodal)", got.AntipodalUniform().Value, want.AntipodalUniform().Value, 1e-11)
			for z := -0.875; z < 1; z += 0.25 {
				near(t, "P(antipodal | z)", from(t, got, z).Value, from(t, want, z).Value, 1e-11)
				near(t, "drift", got.Drift(z), want.Drift(z), 1e-12*float64(dim))
				near(t, "variance", got.Variance(z), want.Variance(z), 1e-13)
			}
		}
	}
}

// Linear attention, A = ½(X¹ + zX²): ψ is odd, so that both ends attract equally.
func TestLinearAttention(t *testing.T) {
	d := must.Get(NewKernel(6, func(z float64) (p, q float64) { return 0.5, 0.5 * z }, 1))(t)
	if d.PlusOne() != Attracting || d.MinusOne() != Attracting {
		t.Errorf("ends %v, %v", d.PlusOne(), d.MinusOne())
	}
	near(t, "P(antipodal)", d.AntipodalUniform().Value, 0.5, 1e-12)
	near(t, "P(antipodal | -z)", from(t, d, -0.4).Value, 1-from(t, d, 0.4).Value, 1e-12)
}

// In ReLU attention a token attends to itself alone for z < 0: ψ = 0 there.
func TestReLUAttention(t *testing.T) {
	d := must.Get(NewKernel(3, func(z float64) (p, q float64) { return 0.5, 0.5 * max(z, 0) }, 1))(t)
	// dS = exp(-h) du with h = log cosh u for u < 0 and, for u > 0, h' = 2z/(1+z²) + z:
	// h = ½ log cosh 2u + log cosh u, since d/du ½ log cosh 2u = tanh 2u = 2z/(1+z²).
	density := func(u float64) float64 { return 1 / math.Cosh(u) / math.Sqrt(math.Cosh(2*u)) }
	right := overlaptest.Composite(density, 0, 40)
	near(t, "P(antipodal | 0)", from(t, d, 0).Value, right/(right+math.Pi/2), 1e-11)
}

func TestKernelsAreRefused(t *testing.T) {
	for name, kernel := range map[string]Kernel{
		"weights 0 and 0 at overlap -1":   func(z float64) (p, q float64) { return 1 + z, 1 + z },
		"weights NaN and 1 at overlap -1": func(z float64) (p, q float64) { return math.NaN(), 1 },
		"weights 1 and +Inf at overlap 1": func(z float64) (p, q float64) { return 1, 1 / (1 - z) },
	} {
		if _, err := NewKernel(3, kernel, 1); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not say %q", err, name)
		}
	}
	relu := func(z float64) (p, q float64) { return 1, max(z, 0) }
	for _, err := range []error{
		second(NewKernel(1, relu, 1)), second(NewKernel(3, relu, 0)), second(newHybridKernel(1, relu, 1)),
		second(newHybridKernel(3, relu, -1)), second(newHybridKernel(3, relu, 1)),
		second(NewHybrid(1, 1, Softmax, 1)), second(NewHybrid(3, 1, Softmax, -1)),
		second(NewHybrid(3, 1, Softmax, math.NaN())),
		second(NewMasses(3, 1, Softmax, 1, 0, 1)), second(NewMasses(3, 1, Softmax, 1, 1, -2)),
		second(NewMasses(3, 1, Softmax, 1, 1, math.NaN())),
		second(NewMasses(3, 1, Softmax, 1, 1, 1e7)), second(NewMasses(3, 1, Softmax, 1, 1, math.Inf(1))),
		second(NewMasses(1, 1, Softmax, 1, 1, 2)),
		second(NewMasses(3, 1, Softmax, 0, 1, 2)),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "overlap: ") ||
			!strings.Contains(err.Error(), "not allowed") {
			t.Errorf("error %v", err)
		}
	}
}

func second(_ *Diffusion, err error) error { return err }

// (22) and (23) as printed, before simplification.
func TestMassesAgainstIto(t *testing.T) {
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, masses := range [][2]float64{{1, 1}, {1, 2}, {5, 3}, {1, 1000}} {
			for _, beta := range []float64{0, 0.7, 3} {
				for _, dim := range []int{2, 3, 4, 9} {
					d := must.Get(NewMasses(dim, beta, attention, 1.5, masses[0], masses[1]))(t)
					for z := -1.0; z <= 1; z += 1.0 / 16 {
						m1, m2 := masses[0], masses[1]
						a, b := math.Exp(beta), math.Exp(beta*z)
						n1, n2 := m1*a+m2*b, m2*a+m1*b
						if attention == Unnormalized {
							n1, n2 = m1+m2, m1+m2
						}
						p1, q1, p2, q2 := m1*a/n1, m2*b/n1, m2*a/n2, m1*b/n2
						square := p1*p1 + q1*q1 + 2*p1*q1*z + p2*p2 + q2*q2 + 2*p2*q2*z
						product := (p1*p2+q1*q2)*z + p1*q2 + q1*p2
						n := float64(dim)
						drift := 2.25 * (-(n-1)/2*z*square + (z*z+n-2)*product)
						variance := 2.25 * (1 - z*z) * (square - 2*z*product)
						size := 2.25 * n * square
						near(t, "drift", d.Drift(z), drift, 1e-13*size)
						near(t, "variance", d.Variance(z), variance, 1e-13*size)
					}
					if got := d.MinusOne(); masses[0] != masses[1] &&
						(dim == 2 && got != Reflecting || dim > 2 && got != Entrance) ||
						d.PlusOne() != Attracting {
						t.Errorf("dim %d, masses %v: ends %v, %v", dim, masses, got, d.PlusOne())
					}
				}
			}
		}
	}
}

// Unequal masses cannot stay antipodal. Masses may be exchanged or scaled.
func TestMasses(t *testing.T) {
	d := must.Get(NewMasses(4, 2.5, Softmax, 1, 1, 2))(t)
	for _, z0 := range []float64{-1, -0.9, 0, 0.5} {
		if p, _ := d.SingleFrom(z0); p.Value != 1 || from(t, d, z0).Value != 0 {
			t.Errorf("from %v: %v", z0, p)
		}
	}
	if p := d.SingleUniform(); p.Value != 1 {
		t.Errorf("from the uniform start: %v", p)
	}
	for _, attention := range []Attention{Softmax, Unnormalized} {
		a := must.Get(NewMasses(4, 2.5, attention, 1, 1, 2))(t)
		b := must.Get(NewMasses(4, 2.5, attention, 1, 6, 3))(t)
		for z := -1.0; z <= 1; z += 0.125 {
			if a.Drift(z) != b.Drift(z) || a.Variance(z) != b.Variance(z) {
				t.Errorf("%v at %v: not the same after exchange", attention, z)
			}
		}
	}
}

// (26) for unnormalized attention, and the printed scale densities of Appendix C.4. The first expression
// there has y where it needs 2y; the final form is right.
func TestHybridAgainstThePaper(t *testing.T) {
	const beta, epsilon = 0.8, 1.1
	d := must.Get(NewHybrid(3, beta, Unnormalized, epsilon))(t)
	k := math.Exp(beta) - 2/(epsilon*epsilon)
	slope := func(z float64) float64 { return -2 * d.Drift(z) / d.Variance(z) }
	for z := -0.9; z < 1; z += 0.2 {
		b := math.Exp(beta * z)
		bracket := epsilon*epsilon*math.Exp(beta)/2 + z*epsilon*epsilon*b - 1
		near(t, "drift", d.Drift(z), b*(z*z-1)*bracket, 1e-13)
		near(t, "variance", d.Variance(z), math.Pow(b*(z*z-1)*epsilon, 2), 1e-13)
		middle := (k*math.Exp(-beta*z) + z) / (1 - z*z)
		final := 2*z/(1-z*z) + k*math.Exp(-beta*z)/(1-z*z)
		near(t, "(log s)'", slope(z), final, 1e-12/(1-z*z))
		if !(math.Abs(z) <= 0.05) && math.Abs(slope(z)-middle) < 0.05 {
			t.Errorf("the middle expression of C.4 is right at %v", z)
		}
	}
}

func TestHybridWindow(t *testing.T) {
	for epsilon, want := range map[float64]float64{1.2: 0.71702256, 1.3: 0.88637863} {
		d := must.Get(NewHybrid(3, 1, Softmax, epsilon))(t)
		near(t, "P(antipodal)", d.AntipodalUniform().Value, want, 0.6e-8)
		near(t, "P(single)", d.SingleUniform().Value, 1-want, 0.6e-8)
		k := must.Get(newHybridKernel(3, softmaxKernel(1), epsilon))(t)
		near(t, "P(antipodal) of the kernel", k.AntipodalUniform().Value, d.AntipodalUniform().Value, 1e-11)
		for z := -0.75; z < 1; z += 0.25 {
			near(t, "drift", k.Drift(z), d.Drift(z), 1e-14)
			near(t, "variance", k.Variance(z), d.Variance(z), 1e-14)
		}
	}
}

func TestHybridThresholds(t *testing.T) {
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, beta := range []float64{0, 0.5, 3, 20, 700, 1000} {
			single, antipodal := HybridThresholds(beta, attention)
			for _, epsilon := range []float64{0, 5e-324, math.Nextafter(antipodal, 0), antipodal,
				math.Nextafter(antipodal, 9), 1.2, math.Nextafter(single, 0), single,
				math.Nextafter(single, 9), 1000} {
				d := must.Get(NewHybrid(3, beta, attention, epsilon))(t)
				if (d.PlusOne() == Attracting) != (epsilon < single) ||
					(d.MinusOne() == Attracting) != (epsilon > antipodal) {
					t.Errorf("%v, beta %v, epsilon %v: ends %v, %v", attention, beta, epsilon, d.PlusOne(),
						d.MinusOne())
				}
				a, s := d.AntipodalUniform(), d.SingleUniform()
				if epsilon < single || epsilon > antipodal {
					near(t, "P(antipodal) + P(single)", a.Value+s.Value, 1, 1e-15)
				} else if a.Value != 0 || s.Value != 0 {
					t.Errorf("neither end attracts, but %v, %v", a, s)
				}
			}
		}
	}
}

func TestHit(t *testing.T) {
	d := diffusion(t, 2, 1.5) // P(antipodal | z) = arccos(z)/π, so S is arcsin
	hit := func(z0, a, b float64) float64 {
		t.Helper()
		p := must.Get(d.HitFrom(z0, a, b))(t)
		return p.Value
	}
	for _, z := range []float64{-0.4, 0.1, 0.5} {
		want := (math.Asin(0.5) - math.Asin(z)) / (math.Asin(0.5) - math.Asin(-0.4))
		near(t, "hit", hit(z, -0.4, 0.5), want, 1e-12)
		near(t, "hit, reversed", hit(z, 0.5, -0.4), 1-want, 1e-12)
		near(t, "hit or converge", hit(z, -1, 1), math.Acos(z)/math.Pi, 1e-12)
	}
	d = must.Get(NewMasses(4, 1, Softmax, 1, 1, 2))(t)
	for _, c := range []struct{ z0, a, b, want float64 }{
		{-0.5, -1, 0, 0}, {-0.5, 0, -1, 1}, {-1, 0, -1, 1}, {-1, -1, 0, 0}, {1, 0, 1, 0}, {1, 1, 0, 1},
		{0, 0, 1, 1}, {0.5, 1, 0.5, 0},
	} {
		if got := must.Get(d.HitFrom(c.z0, c.a, c.b))(t); got != (Probability{Value: c.want}) {
			t.Errorf("from %v to %v before %v: %v", c.z0, c.a, c.b, got)
		}
	}
	d = must.Get(NewHybrid(2, 5.66, Unnormalized, 0.911))(t) // whose end +1 does not attract
	for _, c := range []struct{ z0, a, b, want float64 }{{0.5, 0, 1, 1}, {0.5, 1, 0, 0}, {0.5, -1, 1, 1}} {
		if got := must.Get(d.HitFrom(c.z0, c.a, c.b))(t); got != (Probability{Value: c.want}) {
			t.Errorf("from %v to %v before %v, which repels: %v", c.z0, c.a, c.b, got)
		}
	}
	for _, c := range [][3]float64{{0, 0.1, 0.5}, {0, -2, 1}, {0, 0, 0}, {math.NaN(), -1, 1},
		{0, math.NaN(), 1}} {
		if _, err := d.HitFrom(c[0], c[1], c[2]); err == nil ||
			!strings.Contains(err.Error(), "not allowed") {
			t.Errorf("HitFrom(%v): %v", c, err)
		}
	}
}

// Results are finite, in range and ordered, for every model and parameter.
func TestEveryModelIsFinite(t *testing.T) {
	attentions := rapid.SampledFrom([]Attention{Softmax, Unnormalized})
	masses := rapid.Custom(func(t *rapid.T) float64 {
		return math.Exp(rapid.Float64Range(0, math.Log(MaxMass)).Draw(t, "log mass"))
	})
	epsilons := rapid.OneOf(rapid.Float64Range(0, 2), rapid.Float64Range(0, MaxEpsilon),
		rapid.Float64Range(1, 1.45))
	rapid.Check(t, func(t *rapid.T) {
		dim, beta, attention, z0 := overlaptest.Dimensions.Draw(t, "dim"), everyBeta.Draw(t, "beta"),
			attentions.Draw(t, "attention"), overlaptest.Overlaps.Draw(t, "z0")
		var d *Diffusion
		var err error
		if rapid.Bool().Draw(t, "hybrid") {
			d, err = NewHybrid(dim, beta, attention, epsilons.Draw(t, "epsilon"))
		} else {
			d, err = NewMasses(dim, beta, attention, 1, masses.Draw(t, "m1"), 1)
		}
		if err != nil {
			t.Fatal(err)
		}
		further := rapid.Float64Range(z0, 1).Draw(t, "greater z0")
		a, _ := d.AntipodalFrom(z0)
		s, _ := d.SingleFrom(z0)
		b, _ := d.AntipodalFrom(further)
		for _, p := range []Probability{a, s, b, d.AntipodalUniform(), d.SingleUniform()} {
			checkProbability(t, p)
		}
		notAbove(t, b, a)
		if sum := a.Value + s.Value; !(math.Abs(sum-1) <= 1e-11) && sum != 0 {
			t.Fatalf("P(antipodal) + P(single) = %v", sum)
		}
		if drift, variance := d.Drift(z0), d.Variance(z0); drift != drift || !(variance >= 0) {
			t.Fatalf("drift %v, variance %v", drift, variance)
		}
	})
}
