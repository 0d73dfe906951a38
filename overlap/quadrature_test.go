package overlap

import (
	"math"
	"testing"

	"antipode/overlap/internal/overlaptest"

	"gonum.org/v1/gonum/mathext"
)

// quadrature computes the scale function by a second method that shares nothing with the package: in z,
// with package math and gonum. It writes
//
//	S'(z) = (1-z)^((n-1)/2) (1+z)^(a/2-1) exp(-R(z)), n = d-2, a = 1 - n/cosh 2β,
//
// where R' = (ψ(z)-z)/(1-z²), without its poles at ±1, is smooth. The variables of integration
// x = (1+z)^(a/2) and y = sqrt(1-z) absorb the singular powers.
type integrator struct {
	n, beta, a float64
	knot, R    []float64 // R at knots that are dense near ±1
}

func newIntegrator(dim int, beta float64) *integrator {
	n := float64(dim - 2)
	q := &integrator{n: n, beta: beta, a: 1 - n/math.Cosh(2*beta), knot: []float64{0}}
	for distance := 1.0; distance > 1e-7; {
		distance /= math.Sqrt2
		q.knot = append([]float64{-(1 - distance)}, append(q.knot, 1-distance)...)
	}
	q.R = make([]float64, len(q.knot))
	middle := len(q.knot) / 2
	for i := middle + 1; i < len(q.knot); i++ {
		q.R[i] = q.R[i-1] + overlaptest.Legendre(q.slope, q.knot[i-1], q.knot[i])
	}
	for i := middle - 1; i >= 0; i-- {
		q.R[i] = q.R[i+1] - overlaptest.Legendre(q.slope, q.knot[i], q.knot[i+1])
	}
	return q
}

// slope returns R'(z).
func (q *integrator) slope(z float64) float64 {
	atPlus, atMinus := q.n-1, 2-q.a
	return (q.n/math.Cosh(q.beta*(1-z)) - z - atPlus*(1+z)/2 - atMinus*(1-z)/2) / (1 - z*z)
}

// smooth returns exp(-R(z)).
func (q *integrator) smooth(z float64) float64 {
	for i, k := range q.knot {
		if i+1 == len(q.knot) || z < q.knot[i+1] {
			return math.Exp(-q.R[i] - overlaptest.Legendre(q.slope, k, z))
		}
	}
	panic("unreachable")
}

// integral returns ∫ f dS over [from, to].
func (q *integrator) integral(from, to float64, f func(z float64) float64) float64 {
	x := func(z float64) float64 { return math.Pow(1+z, q.a/2) }
	y := func(z float64) float64 { return math.Sqrt(1 - z) }
	minus := func(x float64) float64 {
		z := math.Pow(x, 2/q.a) - 1
		return f(z) * q.smooth(z) * math.Pow(1-z, (q.n-1)/2) * 2 / q.a
	}
	plus := func(y float64) float64 {
		z := 1 - y*y
		return f(z) * q.smooth(z) * math.Pow(1+z, q.a/2-1) * math.Pow(y, q.n) * 2
	}
	const middle = 0
	sum := 0.0
	if from < middle {
		sum += overlaptest.Composite(minus, x(from), x(min(to, middle)))
	}
	if to > middle {
		sum += overlaptest.Composite(plus, y(to), y(max(from, middle)))
	}
	return sum
}

// from returns P(antipodal | z0), and uniform its average over the uniform start, by parts: the
// distribution function of the start is an incomplete beta function.
func (q *integrator) from(z0 float64) float64 {
	one := func(float64) float64 { return 1 }
	left, right := q.integral(-1, z0, one), q.integral(z0, 1, one)
	return right / (left + right)
}

func (q *integrator) uniform() float64 {
	one := func(float64) float64 { return 1 }
	below := func(z float64) float64 { return mathext.RegIncBeta((q.n+1)/2, (q.n+1)/2, (1+z)/2) }
	return q.integral(-1, 1, below) / q.integral(-1, 1, one)
}

func TestProbabilitiesAgainstQuadratureInZ(t *testing.T) {
	worst := 0.0
	compare := func(what string, got Probability, want float64) {
		t.Helper()
		near(t, what, got.Value, want, 1e-11)
		worst = math.Max(worst, math.Abs(got.Value-want))
	}
	for _, dim := range []int{2, 3, 4, 5, 8, 20, 100} {
		critical, _ := CriticalBeta(dim)
		for _, above := range []float64{0.1, 1.5, 20} {
			beta := critical + above
			d, q := diffusion(t, dim, beta), newIntegrator(dim, beta)
			for _, z0 := range []float64{-0.999, -0.6, -0.1, 0, 0.3, 0.8, 0.999} {
				compare("P(antipodal | z0)", from(t, d, z0), q.from(z0))
			}
			compare("P(antipodal)", d.AntipodalUniform(), q.uniform())
		}
	}
	t.Logf("largest difference %.2g", worst)
}
