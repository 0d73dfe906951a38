package overlap

import (
	"fmt"
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/sphere/must"
)

// taylor is a polynomial a + bh + ch², with arithmetic up to second order in h.
type taylor [3]float64

func (x taylor) plus(y taylor) taylor { return taylor{x[0] + y[0], x[1] + y[1], x[2] + y[2]} }

func (x taylor) times(y taylor) taylor {
	return taylor{x[0] * y[0], x[0]*y[1] + x[1]*y[0], x[0]*y[2] + x[1]*y[1] + x[2]*y[0]}
}

// inverseRoot returns 1/√x for x = 1 + bh + ch².
func (x taylor) inverseRoot() taylor { return taylor{1, -x[1] / 2, -x[2]/2 + 3*x[1]*x[1]/8} }

// nextOverlap returns the overlap of the normalised X^k + hVA^k, in powers of h.
func nextOverlap(x, a [2][]float64, v []float64) taylor {
	dim := len(x[0])
	var next [2][]taylor
	var norm [2]taylor
	for k := range x {
		for i := range dim {
			moved := 0.0
			for j := range dim {
				moved += v[i*dim+j] * a[k][j]
			}
			next[k] = append(next[k], taylor{x[k][i], moved})
			norm[k] = norm[k].plus(next[k][i].times(next[k][i]))
		}
	}
	var z taylor
	for i := range dim {
		z = z.plus(next[0][i].times(next[1][i]))
	}
	return z.times(norm[0].inverseRoot()).times(norm[1].inverseRoot())
}

// secondMoments returns drift and variance of the overlap, computed from the second moments of the
// entries of V: the mean of its second-order term, which is a quadratic form in V, and the mean square of
// its first-order term.
func secondMoments(v Covariance, x, a [2][]float64) (drift, variance float64) {
	dim := len(x[0])
	size := dim * dim
	at := func(m, n int) taylor {
		matrix := make([]float64, size)
		matrix[m]++
		if n != m {
			matrix[n]++
		}
		return nextOverlap(x, a, matrix)
	}
	is := func(a, b int) float64 {
		if a == b {
			return 1
		}
		return 0
	}
	for m := range size {
		for n := range size {
			i, j, k, l := m/dim, m%dim, n/dim, n%dim
			moment := v.A*is(i, k)*is(j, l) + v.B*is(i, l)*is(j, k) + v.C*is(i, j)*is(k, l)
			first, second := at(m, m), at(n, n)
			form := first[2]
			if m != n {
				form = (at(m, n)[2] - first[2] - second[2]) / 2
			}
			drift += moment * form
			variance += moment * first[1] * second[1]
		}
	}
	return drift, variance
}

// weightsOf returns p₁, q₁, p₂ and q₂ from the definition of attention.
func weightsOf(attention Attention, beta, z, m1, m2 float64) (p1, q1, p2, q2 float64) {
	own, other := math.Exp(beta), math.Exp(beta*z)
	p1, q1, p2, q2 = m1*own, m2*other, m2*own, m1*other
	first, second := m1+m2, m1+m2
	if attention == Softmax {
		first, second = p1+q1, p2+q2
	}
	return p1 / first, q1 / first, p2 / second, q2 / second
}

// Drift and variance are those of one layer to first order in σ²/L, computed from the second moments of
// all entries of V.
func TestIsotropicGenerator(t *testing.T) {
	for _, v := range []Covariance{{A: 1}, {A: 0.8, B: 0.6, C: 0.3}, {A: 1, B: -0.5, C: 0.2},
		{A: 0.7, B: 0.4, C: -0.2},
		{A: 0.5, B: 0.5},
		{C: 1.3}, {A: 0.6, B: -0.6, C: 0.2}} {
		for _, masses := range [][2]float64{{1, 1}, {2, 5}} {
			for _, attention := range []Attention{Softmax, Unnormalized} {
				for _, z := range []float64{-0.9, -0.2, 0.65} {
					const beta, sigma = 0.8, 0.7
					x := [2][]float64{{1, 0, 0, 0}, {z, math.Sqrt(1-z*z) * 0.6, math.Sqrt(1-z*z) * 0.8, 0}}
					p1, q1, p2, q2 := weightsOf(attention, beta, z, masses[0], masses[1])
					var a [2][]float64
					for i := range x[0] {
						a[0] = append(a[0], p1*x[0][i]+q1*x[1][i])
						a[1] = append(a[1], p2*x[1][i]+q2*x[0][i])
					}
					drift, variance := secondMoments(v, x, a)
					d := must.Get(NewIsotropic(4, beta, attention, sigma, v, masses[0], masses[1]))(t)
					what := fmt.Sprintf("%v, masses %v, %v, z = %v: ", v, masses, attention, z)
					near(t, what+"drift", d.Drift(z), sigma*sigma*drift, 1e-13)
					near(t, what+"variance", d.Variance(z), sigma*sigma*variance, 1e-13)
				}
			}
		}
	}
}

// In the antisymmetric case the drift agrees with the second moments, and the variance is 0.
func TestAntisymmetricFlow(t *testing.T) {
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, z := range []float64{-0.95, 0.1, 0.8} {
			const beta, sigma = 1.1, 0.6
			v := Covariance{A: 0.7, B: -0.7}
			x := [2][]float64{{1, 0, 0}, {z, math.Sqrt(1 - z*z), 0}}
			p1, q1, p2, q2 := weightsOf(attention, beta, z, 1, 1)
			var a [2][]float64
			for i := range x[0] {
				a[0] = append(a[0], p1*x[0][i]+q1*x[1][i])
				a[1] = append(a[1], p2*x[1][i]+q2*x[0][i])
			}
			drift, variance := secondMoments(v, x, a)
			d := must.Get(NewIsotropic(3, beta, attention, sigma, v, 3, 3))(t)
			near(t, "drift", d.Drift(z), sigma*sigma*drift, 1e-13)
			near(t, "variance of the second moments", variance, 0, 1e-15)
			near(t, "variance", d.Variance(z), 0, 0)
			if d.MinusOne() != NonAttracting || d.PlusOne() != Attracting {
				t.Errorf("ends %v and %v", d.MinusOne(), d.PlusOne())
			}
			near(t, "P(single)", d.SingleUniform().Value, 1, 0)
		}
	}
}

// Antipodal probabilities of uniform tokens, computed to 8 digits outside this project, for both kinds of
// attention. The two kinds differ by more than the clock unless both p and q change by a common factor.
func TestIsotropicLimits(t *testing.T) {
	for _, c := range []struct {
		dim         int
		v           Covariance
		beta, limit float64
	}{
		{5, Covariance{A: 0.8, B: 0.6, C: 0.3}, 1.2, 0.29245067},
		{6, Symmetric, 1, 0.16512734},
		{4, Covariance{A: 1, B: -0.5, C: 0.2}, 1.2, 0.03112663},
	} {
		for _, attention := range []Attention{Softmax, Unnormalized} {
			d := must.Get(NewIsotropic(c.dim, c.beta, attention, 0.3, c.v, 1, 1))(t)
			p := d.AntipodalUniform()
			near(t, fmt.Sprintf("%d, %v, %v", c.dim, c.v, attention), p.Value, c.limit, 5.1e-9)
			if p.Error > 1e-11 {
				t.Errorf("%v: the error is estimated as %g", c.v, p.Error)
			}
		}
	}
}

// Multiples of the identity give the hybrid model with ε = σ, except for the drift 2q(1-z²) of its
// attention. Both ends are invariant for unequal masses, too.
func TestScalarNoiseIsTheHybrid(t *testing.T) {
	for _, attention := range []Attention{Softmax, Unnormalized} {
		const beta, epsilon = 0.9, 1.3
		scalar := must.Get(NewIsotropic(5, beta, attention, epsilon, Scalar, 1, 1))(t)
		hybrid := must.Get(NewHybrid(5, beta, attention, epsilon))(t)
		for _, z := range []float64{-0.99, -0.3, 0.4, 0.97} {
			_, q, _, _ := weightsOf(attention, beta, z, 1, 1)
			near(t, "drift", scalar.Drift(z), hybrid.Drift(z)-2*q*(1-z*z), 1e-14)
			near(t, "variance", scalar.Variance(z), hybrid.Variance(z), 1e-14)
		}
		if scalar.PlusOne() != NonAttracting || scalar.MinusOne() != Attracting {
			t.Errorf("ends %v, %v", scalar.PlusOne(), scalar.MinusOne())
		}
	}
	unequal := must.Get(NewIsotropic(4, 0.9, Softmax, 1, Scalar, 1, 3))(t)
	if unequal.MinusOne() != Attracting || unequal.Drift(-1) != 0 {
		t.Errorf("unequal masses: end %v, drift %v", unequal.MinusOne(), unequal.Drift(-1))
	}
}

// Independent entries of variance A are equivalent to σ√A, and give the paper's law bit for bit.
func TestIsotropicWithIndependentEntries(t *testing.T) {
	plain, _ := NewMasses(6, 1.4, Softmax, 1, 1, 2)
	same, _ := NewIsotropic(6, 1.4, Softmax, 1, Ginibre, 1, 2)
	twice, _ := NewMasses(6, 1.4, Softmax, math.Sqrt(2), 1, 2)
	scaled, _ := NewIsotropic(6, 1.4, Softmax, 1, Covariance{A: 2}, 1, 2)
	for _, z := range []float64{-1, -0.8, 0.1, 0.9} {
		near(t, "drift", same.Drift(z), plain.Drift(z), 0)
		near(t, "variance", same.Variance(z), plain.Variance(z), 0)
		near(t, "scaled drift", scaled.Drift(z), twice.Drift(z), 0)
	}
	// The general formulas for A alone are approached with a negligible C.
	limit, _ := NewIsotropic(6, 1.4, Softmax, 1, Covariance{A: 1, C: 1e-300}, 1, 2)
	for _, z := range []float64{-1, -0.999999, -0.8, 0.1, 0.9} {
		near(t, "drift in general", limit.Drift(z), plain.Drift(z), 1e-14)
		near(t, "variance in general", limit.Variance(z), plain.Variance(z), 1e-14)
	}
	for _, z := range []float64{-0.8, 0.4} {
		want, _ := plain.SingleFrom(z)
		got, _ := limit.SingleFrom(z)
		near(t, "P(single)", got.Value, want.Value, 1e-12)
	}
}

// Whether an end attracts agrees with the inequalities for the sign of the drift of u = atanh z at the
// ends.
func TestIsotropicEnds(t *testing.T) {
	for _, v := range []Covariance{{A: 1, B: 0.9}, {A: 1, B: -0.9}, {A: 0.5, B: 0.5}, {A: 1, B: -0.5, C: 0.2},
		{A: 0.3, B: 0.1, C: 2.9},
		{A: 1, B: 0.2, C: -0.1},
		{A: 0.6, B: -0.6, C: 0.2}} {
		for dim := 2; dim <= 9; dim++ {
			betas := CriticalBetas(dim, v)
			for _, beta := range []float64{0, 0.03, 0.3, 0.8, 1.3, 1.6, 2.5} {
				d := must.Get(NewIsotropic(dim, beta, Softmax, 1, v, 1, 1))(t)
				what := fmt.Sprintf("%v, d = %d, β = %v", v, dim, beta)
				single := v.A*float64(dim-1)-v.B-v.C > 1e-12
				if (d.PlusOne() == Attracting) != single {
					t.Errorf("%s: +1 is %v", what, d.PlusOne())
				}
				excess := v.A*math.Cosh(2*beta) + v.B*(1+math.Sinh(2*beta)) + v.C - v.A*float64(dim-2)
				if math.Abs(excess) < 1e-12 {
					excess = 0
				}
				if (d.MinusOne() == Attracting) != (excess > 0) {
					t.Errorf("%s: -1 is %v, excess %v", what, d.MinusOne(), excess)
				}
				if excess != 0 && (float64(dim) < CriticalDim(beta, v)) != (excess > 0) {
					t.Errorf("%s: critical dimension %v, excess %v", what, CriticalDim(beta, v), excess)
				}
				// The sign of the excess changes at each of the critical temperatures.
				above := 0
				for _, c := range betas {
					if c < beta {
						above++
					}
				}
				last := v.A+v.B > 0 // whether it attracts above all of them
				if excess != 0 && (excess > 0) != (last == ((len(betas)-above)%2 == 0)) && v.A+v.B > 0 {
					t.Errorf("%s: excess %v, but critical temperatures %v", what, excess, betas)
				}
			}
		}
	}
	betas := CriticalBetas(2, Covariance{A: 1, B: -0.9})
	if len(betas) != 2 {
		t.Fatalf("critical temperatures %v, want two", betas)
	}
	near(t, "the lower one", betas[0], 0.060, 1e-3)
	near(t, "the upper one", betas[1], 1.413, 1e-3)
	for _, dim := range []int{3, 4, 8} {
		symmetric := CriticalBetas(dim, Symmetric)
		want := math.Log(float64(dim-3)) / 2 // e^2β = d-3
		if dim == 3 {
			if len(symmetric) != 0 {
				t.Errorf("symmetric, d = 3: %v", symmetric)
			}
			continue
		}
		near(t, "symmetric", symmetric[len(symmetric)-1], want, 1e-15)
	}
}

// The drift of u far out has the sign that decides whether -1 attracts. The Lyapunov exponent is that of
// (26), from second moments: d log|S|/dt at z = -1.
func TestIsotropicLyapunov(t *testing.T) {
	v := Covariance{A: 0.8, B: 0.5, C: -0.2}
	const dim, beta, sigma = 5, 0.7, 1.2
	for _, attention := range []Attention{Softmax, Unnormalized} {
		d := must.Get(NewIsotropic(dim, beta, attention, sigma, v, 1, 1))(t)
		p, q, _, _ := weightsOf(attention, beta, -1, 1, 1)
		want := sigma * sigma * (v.A*(2*(dim-2)*p*q-p*p-q*q) + v.B*(-2*p*q-p*p+q*q) - 2*v.C*p*q)
		got, ok := d.Lyapunov()
		near(t, "exponent", got, want, 1e-13)
		if !ok {
			t.Error("there is none")
		}
	}
	flow, _ := NewIsotropic(4, 1, Softmax, 1, Antisymmetric, 1, 1)
	p, q, _, _ := weightsOf(Softmax, 1, -1, 1, 1)
	got, _ := flow.Lyapunov()
	near(t, "of the flow", got, q*(3*p-q), 1e-14)
}

func TestIsotropicRefuses(t *testing.T) {
	const none = "overlap: covariance 1,0,-0.4: no matrix of dimension 3 has it; " +
		"a + b + c·d must be at least 0"
	if _, err := NewIsotropic(3, 1, Softmax, 1, Covariance{A: 1, C: -0.4}, 1, 1); err == nil ||
		err.Error() != none {
		t.Errorf("a covariance that no matrix has: %v", err)
	}
	if _, err := NewIsotropic(3, 1, Softmax, 1, Antisymmetric, 1, 2); err == nil {
		t.Error("unequal masses under antisymmetric matrices are accepted")
	}
	// Scale densities of slope 10^9.
	for _, v := range []Covariance{{A: 1, B: -0.999999999}, {A: 1, B: -1, C: 1e-9}} {
		if _, err := NewIsotropic(3, 1, Softmax, 1, v, 1, 1); err == nil {
			t.Errorf("%v is accepted", v)
		}
	}
}

// If the noise decreases like e^(-2β(1-z)), the slope of the scale density is of order e^(2β). Its
// integrals stop once their value is known.
func TestSteepIsotropic(t *testing.T) {
	for _, v := range []Covariance{{A: 1, B: -1, C: 1.1}, {A: 1, B: -1, C: 8}, {A: 1, B: -1, C: 0.9},
		{A: 1, B: 1, C: 1e6},
		{A: 1e-9, C: 1}} {
		for _, beta := range []float64{1, 30, 1000} {
			for _, dim := range []int{2, 3} {
				d := must.Get(NewIsotropic(dim, beta, Softmax, 1, v, 1, 1))(t)
				p, s := d.AntipodalUniform(), d.SingleUniform()
				both := 0.0 // neither end need attract
				if d.PlusOne() == Attracting || d.MinusOne() == Attracting {
					both = 1
				}
				near(t, fmt.Sprintf("%v, d = %d, β = %v: P(antipodal) + P(single)", v, dim, beta),
					p.Value+s.Value, both, 1e-12)
				if !(p.Error < 1e-10) {
					t.Errorf("%v, d = %d, β = %v: error %g", v, dim, beta, p.Error)
				}
			}
		}
	}
}

// A scale density that grows beyond the range of float64 from the edge of the start: on the circle the
// start has mass up to u = 40, and the slope at +1 is 19. The second method averages AntipodalFrom over
// the angle, which is uniform.
func TestAverageBeyondTheRangeOfFloat64(t *testing.T) {
	longtest.Only(t)
	for _, beta := range []float64{0, 0.05, 1.6, 2.4} {
		d := must.Get(NewIsotropic(2, beta, Softmax, 1, Covariance{A: 1, B: -0.9}, 1, 1))(t)
		const points = 2000
		sum := 0.0
		for k := range points {
			sum += from(t, d, math.Cos(math.Pi*(float64(k)+0.5)/points)).Value / points
		}
		p := d.AntipodalUniform()
		near(t, fmt.Sprintf("β = %v", beta), p.Value, sum, 2e-5)
		if !(p.Value > 0.001 && p.Error < 1e-10) {
			t.Errorf("β = %v: %v", beta, p)
		}
	}
}

// Antisymmetric value matrices take every overlap to larger overlaps only. Under random multiples of the
// identity the antipodal pair attracts in every dimension.
func TestRotationsAndMultiples(t *testing.T) {
	d := must.Get(NewIsotropic(5, 1, Softmax, 1, Antisymmetric, 1, 1))(t)
	for _, c := range []struct{ z0, a, b, want float64 }{
		{0.2, -0.5, 0.6, 0}, {0.2, 0.6, -0.5, 1}, {-0.5, -0.6, 0.9, 0},
	} {
		p, err := d.HitFrom(c.z0, c.a, c.b)
		if near(t, "probability", p.Value, c.want, 1e-90); err != nil {
			t.Error(err)
		}
	}
	for _, beta := range []float64{0, 1, MaxBeta} {
		if dim := CriticalDim(beta, Scalar); !math.IsInf(dim, 1) {
			t.Errorf("β = %v: critical dimension %v", beta, dim)
		}
	}
}
