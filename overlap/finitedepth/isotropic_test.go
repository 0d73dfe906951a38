package finitedepth

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sphere/must"
)

func growthOf(t *testing.T, r Isotropic, single bool) *Growth {
	t.Helper()
	g, err := r.Antipodal()
	if single {
		g, err = r.Single()
	}
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return g
}

// For independent entries both methods are available; exponents and powers agree.
func TestGrowthOfIndependentEntries(t *testing.T) {
	for _, c := range []struct {
		dim       int
		beta      float64
		attention overlap.Attention
		depth     int
	}{
		{4, 1.5, overlap.Softmax, 100}, {2, 1, overlap.Softmax, 60}, {3, 0, overlap.Softmax, 40},
		{10, 3, overlap.Unnormalized, 1000}, {100, 3, overlap.Softmax, 100}, {5, 0.8, overlap.Softmax,
			1_000_000},
	} {
		r := Isotropic{Dim: c.dim, Beta: c.beta, Attention: c.attention, Sigma: 0.8,
			Covariance: overlap.Covariance{A: 2},
			Depth:      2 * c.depth}
		for _, single := range []bool{false, true} {
			end := Antipodal
			if single {
				end = Single
			}
			layer := must.Get(end(c.dim, c.beta, c.attention, 0.8, c.depth))(t)
			g := growthOf(t, r, single)
			lambda, uncertainty := g.Lyapunov()
			t.Logf("%+v: λ off by %.1e, %.1e", c, lambda-layer.Lyapunov(), uncertainty)
			near(t, "lyapunov", lambda, layer.Lyapunov(), uncertainty)
			for _, kappa := range []float64{0.2, 0.7, 1.3} {
				if 2*kappa < 0.7*float64(c.dim) {
					value, _ := g.moment(kappa)
					near(t, "power", value, layer.moment(kappa)/layer.moment(0), 1e-9)
				}
			}
		}
	}
}

// direct averages f(V, U) over all entries of Xs and Xe, by the trapezoidal rule in each of them.
func (g *gaussian) direct(f func(v, u []float64) float64) float64 {
	step, reach := 0.8, 8
	if g.dim > 2 {
		step, reach = 1, 5
	}
	c := g.covariance
	d := g.dim
	numbers := make([]float64, 2*d) // standard normal variables
	v, u := make([]float64, d), make([]float64, d)
	sum, total := 0.0, 0.0
	var visit func(k int, weight float64)
	visit = func(k int, weight float64) {
		if k < len(numbers) {
			for j := -reach; j <= reach; j++ {
				numbers[k] = step * float64(j)
				visit(k+1, weight*math.Exp(-0.5*numbers[k]*numbers[k]))
			}
			return
		}
		// e is the first direction, s the second.
		xs, xe := make([]float64, d), make([]float64, d)
		xs[0], xe[1] = pairOf(numbers[0], numbers[1], c.A, c.B)
		xs[1], xe[0] = pairOf(numbers[2], numbers[3], c.A+c.B+c.C, c.C)
		for k := 2; k < d; k++ {
			xs[k], xe[k] = math.Sqrt(c.A)*numbers[2*k], math.Sqrt(c.A)*numbers[2*k+1]
		}
		for k := range d {
			v[k], u[k] = g.f*xs[k]+g.w*xe[k], g.h*xe[k]
		}
		u[0]++
		v[1]++
		sum += weight * f(v, u)
		total += weight
	}
	visit(0, 1)
	return sum / total
}

// pairOf converts standard normal variables to a pair with the given variance and covariance.
func pairOf(x, y, variance, covariance float64) (float64, float64) {
	if variance == 0 {
		return 0, 0
	}
	root, correlation := math.Sqrt(variance), covariance/variance
	return root * x, root * (correlation*x + math.Sqrt(1-correlation*correlation)*y)
}

// ratio returns |P_U^⊥ V|²/|U|².
func ratio(v, u []float64) float64 {
	var vv, uv, uu float64
	for k := range v {
		vv, uv, uu = vv+v[k]*v[k], uv+u[k]*v[k], uu+u[k]*u[k]
	}
	return (vv*uu - uv*uv) / uu / uu
}

// A second quadrature, over all four or six random entries of a layer.
func TestGrowthByDirectQuadrature(t *testing.T) {
	longtest.Only(t)
	for _, g := range []gaussian{
		{2, 0.05, 0.02, 0.04, overlap.Covariance{A: 1, B: -0.9}},
		{2, 0.05, 0.02, 0.04, overlap.Covariance{A: 1}},
		{2, 0.03, 0, 0.05, overlap.Covariance{A: 1, B: 0.4, C: 0.3}},
		{2, 0.05, 0.01, 0, overlap.Covariance{A: 0.5, B: -0.5}},
		{2, 0.04, 0.02, -0.03, overlap.Covariance{A: 0.5, B: 0.3, C: -0.35}},
		{2, 0.05, 0.02, 0.03, overlap.Covariance{C: 1}},
		{3, 0.05, -0.02, 0.04, overlap.Covariance{A: 0.7, B: 0.3, C: 0.9}},
	} {
		tolerance := 5e-11
		if g.dim > 2 {
			tolerance = 5e-9
		}
		for _, kappa := range []float64{0.3, 0.8} {
			want := g.direct(func(v, u []float64) float64 { return math.Pow(ratio(v, u), kappa) })
			value, _ := g.moment(kappa)
			near(t, "moment", value, want, tolerance)
		}
		_, slope := g.moment(0)
		near(t, "λ", 0.5*slope, g.direct(func(v, u []float64) float64 { return 0.5 * math.Log(ratio(v, u)) }),
			tolerance)
	}
}

// The depth times the exponent tends to the exponent of the diffusion, at first order.
func TestGrowthOfGreatDepth(t *testing.T) {
	longtest.Only(t)
	for _, r := range []Isotropic{
		{Dim: 5, Beta: 1.2, Covariance: overlap.Covariance{A: 0.8, B: 0.6, C: 0.3}},
		{Dim: 4, Beta: 0.6, Attention: overlap.Unnormalized,
			Covariance: overlap.Covariance{A: 1, B: -0.5, C: 0.2}},
		{Dim: 6, Beta: 1, Covariance: overlap.Symmetric},
		{Dim: 4, Beta: 1, Covariance: overlap.Antisymmetric},
		{Dim: 3, Beta: 0.7, Covariance: overlap.Scalar},
		{Dim: 4, Beta: 1.5, Covariance: overlap.Ginibre, Spread: 0.5},
		{Dim: 3, Beta: 0.2, Attention: overlap.Unnormalized,
			Covariance: overlap.Covariance{A: 0.9, B: 0.2, C: 0.1}, Spread: 0.3},
	} {
		r.Sigma = 1.3
		limit, err := overlap.NewIsotropic(r.Dim, r.Beta, r.Attention, r.Sigma, r.Covariance, 1, 1)
		if r.Spread > 0 {
			limit, err = overlap.NewResampled(r.Dim, r.Beta, r.Attention, r.Sigma, r.Spread, r.Covariance)
		}
		if err != nil {
			t.Fatal(err)
		}
		want, _ := limit.Lyapunov()
		var off [2]float64
		for k, depth := range []int{1000, 4000} {
			r.Depth = depth
			lambda, _ := growthOf(t, r, false).Lyapunov()
			off[k] = float64(depth)*lambda - want
		}
		t.Logf("%+v: limit %.8f, off by %.2g and %.2g", r, want, off[0], off[1])
		if !(math.Abs(off[0]/off[1]-4) <= 0.1) || !(math.Abs(off[1]) <= 0.01*(1+math.Abs(want))) {
			t.Errorf("%+v: off by %v and %v", r, off[0], off[1])
		}
	}
}

// The depth times the exponent at +1, with random scores of unnormalized attention, tends to half the
// drift of ln(1-z) of the diffusion there.
func TestGrowthNextToOneOfGreatDepth(t *testing.T) {
	r := Isotropic{Dim: 10, Beta: 0.2, Attention: overlap.Unnormalized, Sigma: 1.3, Spread: 0.4,
		Covariance: overlap.Covariance{A: 0.9, B: 0.2, C: 0.1}, Depth: 4000}
	limit := must.Get(overlap.NewResampled(r.Dim, r.Beta, r.Attention, r.Sigma, r.Spread, r.Covariance))(t)
	const apart = 1e-7
	drift, variance := limit.Drift(1-apart), limit.Variance(1-apart)
	want := 0.5 * (-drift/apart - 0.5*variance/apart/apart)
	lambda, _ := growthOf(t, r, true).Lyapunov()
	near(t, "λ times the depth", 4000*lambda, want, 0.01*math.Abs(want))
}

// The square of the root is the argument, and the root lies in the right half-plane, on both sides of
// both axes.
func TestSquareRoot(t *testing.T) {
	for _, z := range []complex128{0, 4, -4, 3 + 4i, 3 - 4i, -3 + 4i, -3 - 4i, -2 - 1e-9i} {
		root := squareRoot(z)
		if off := root*root - z; !(real(root) >= 0) || magnitude(off) > 1e-15*magnitude(z) {
			t.Errorf("the root of %v is %v, of which the square is off by %v", z, root, off)
		}
	}
}

// The critical β of independent entries is that of CriticalBeta. For other covariances λ changes its sign
// there. There is none where all β attract. A β at which the exponent is not available is an error.
func TestCriticalBetaOfCovariances(t *testing.T) {
	longtest.Only(t)
	c := Isotropic{Dim: 5, Attention: overlap.Softmax, Sigma: 0.9, Depth: 40, Covariance: overlap.Ginibre}
	got, ok, err := c.CriticalBeta()
	want, known, problem := CriticalBeta(5, overlap.Softmax, 0.9, 40)
	if !ok || !known || err != nil || problem != nil {
		t.Fatal(got, ok, err, want, known, problem)
	}
	near(t, "critical β", got, want, 1e-8)
	c.Attention, c.Covariance = overlap.Unnormalized, overlap.Covariance{A: 0.9, B: -0.2, C: 0.3}
	if got, ok, err = c.CriticalBeta(); !ok || err != nil {
		t.Fatal(got, ok, err)
	}
	for _, side := range []float64{-1, 1} {
		c.Beta = got + 1e-6*side
		if lambda, _ := must.Get(c.Antipodal())(t).Lyapunov(); !(lambda*side < 0) {
			t.Errorf("λ = %v at β = %v", lambda, c.Beta)
		}
	}
	always := Isotropic{Dim: 2, Attention: overlap.Softmax, Sigma: 1, Depth: 40, Covariance: overlap.Ginibre}
	if beta, ok, err := always.CriticalBeta(); ok || err != nil {
		t.Errorf("d = 2: %v, %v, %v", beta, ok, err)
	}
	loud := Isotropic{Dim: 3, Attention: overlap.Softmax, Sigma: 3, Depth: 2, Covariance: overlap.Ginibre}
	if _, err := loud.Antipodal(); err != nil { // at β = 0 the noise is less
		t.Fatal(err)
	}
	if beta, ok, err := loud.CriticalBeta(); ok || err == nil {
		t.Errorf("much noise: %v, %v, %v", beta, ok, err)
	}
}
