package exactlaw

import (
	"math"
	"testing"

	"antipode/overlap"
	"antipode/overlap/finitedepth"

	"gonum.org/v1/gonum/integrate/quad"
)

// hybridOf returns recursion (7), which must be accepted.
func hybridOf(
	t testing.TB, dim int, beta float64, attention overlap.Attention, epsilon float64,
	law finitedepth.ScalarLaw, depth int,
) *Recursion {
	t.Helper()
	r, err := Hybrid(dim, beta, attention, epsilon, law, depth)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// nextOverlap is a layer of recursion (7) in the plane, by its definition.
func nextOverlap(z, beta, w float64, attention overlap.Attention) float64 {
	p, q := math.Exp(beta), math.Exp(beta*z)
	if attention == overlap.Softmax {
		p, q = p/(p+q), q/(p+q)
	} else {
		p, q = p/2, q/2
	}
	// X¹ + w(pX¹+qX²) and so on.
	a, b := 1+w*p, w*q
	square := a*a + b*b + 2*a*b*z
	return ((a*a+b*b)*z + 2*a*b) / square
}

// The map of u is the recursion, for weights that turn tokens around too.
func TestHybridStep(t *testing.T) {
	for _, attention := range []overlap.Attention{overlap.Softmax, overlap.Unnormalized} {
		h := hybridOf(t, 3, 1.3, attention, 0.7, finitedepth.Signs, 9).solver.(*hybrid)
		for _, z := range []float64{-0.9, -0.2, 0.4, 0.95} {
			for _, w := range []float64{0.3, -0.2, -0.9, -3} {
				got := math.Tanh(h.step(math.Atanh(z), w))
				near(t, "z after a layer", got, nextOverlap(z, 1.3, w, attention), 1e-12)
			}
		}
	}
}

// The scalars have mean 0 and variance 1, and the fourth moments of their laws.
func TestScalars(t *testing.T) {
	for law, fourth := range map[finitedepth.ScalarLaw]float64{
		finitedepth.Normal: 3, finitedepth.Uniform: 1.8, finitedepth.Signs: 1,
		finitedepth.TruncatedNormal: 2.36553672,
	} {
		h := &hybrid{law: law, drift: 0.5, noise: 1}
		for effort := range 3 {
			w, p := h.scalars(effort)
			var m [5]float64
			for k, x := range w {
				for n := range m {
					m[n] += p[k] * math.Pow(x-h.drift, float64(n))
				}
			}
			for n, want := range []float64{1, 0, 1, 0, fourth} {
				near(t, "moment", m[n], want, 1e-7)
			}
		}
	}
}

// The law after a few layers is that of all paths of the scalars, from a uniform start.
func TestHybridIsThatOfAllPaths(t *testing.T) {
	const layers, beta, depth, tolerance = 5, 0.9, 20, 0.05
	x, weights := make([]float64, 400), make([]float64, 400)
	for _, attention := range []overlap.Attention{overlap.Softmax, overlap.Unnormalized} {
		epsilon := 1.4
		if attention == overlap.Unnormalized {
			epsilon = 0.6
		}
		r := hybridOf(t, 3, beta, attention, epsilon, finitedepth.Signs, depth)
		// In three dimensions the overlap of uniform tokens is uniform: the share of z0 that a path takes
		// to an outcome, which is all z0 up to some or from some on.
		var antipodal, single float64
		quad.Legendre{}.FixedLocations(x, weights, -1, 1)
		for path := range 1 << layers {
			after := func(z float64) float64 {
				for k := range layers {
					v := float64(2*(path>>k&1) - 1)
					z = nextOverlap(z, beta, 1.0/depth+epsilon*v/math.Sqrt(depth), attention)
				}
				return z
			}
			const points = 4000
			last := -1.0
			for i := 1; i <= points; i++ {
				z := 2*float64(i)/points - 1
				antipodal += share(last, z, func(z float64) float64 { return -1 + tolerance - after(z) })
				single += share(last, z, func(z float64) float64 { return after(z) - 1 + tolerance })
				last = z
			}
		}
		o, err := r.Uniform(layers, tolerance, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "P(antipodal)", o.Antipodal.Value, antipodal/2/(1<<layers), 1e-6+o.Antipodal.Error)
		near(t, "P(single)", o.Single.Value, single/2/(1<<layers), 1e-6+o.Single.Error)
		if math.Max(o.Antipodal.Error, o.Single.Error) > 1e-5 {
			t.Errorf("%v: errors %v", attention, o)
		}
	}
}

// share is the length of the part of a short interval where f > 0, f nearly straight.
func share(a, b float64, f func(x float64) float64) float64 {
	x, y := f(a), f(b)
	switch {
	case x > 0 && y > 0:
		return b - a
	case x > 0:
		return (b - a) * x / (x - y)
	case y > 0:
		return (b - a) * y / (y - x)
	}
	return 0
}

// With laws that have a density one layer is an integral over the start and the scalar.
func TestHybridAfterOneLayer(t *testing.T) {
	const beta, epsilon, depth, tolerance = 0.7, 0.8, 30, 0.3
	for law, quantile := range map[finitedepth.ScalarLaw]func(share float64) float64{
		finitedepth.Uniform: func(share float64) float64 { return math.Sqrt(3) * (2*share - 1) },
		finitedepth.Normal:  func(share float64) float64 { return math.Sqrt2 * math.Erfinv(2*share-1) },
	} {
		const points = 1200
		var antipodal, single float64
		for i := range points {
			v := quantile((float64(i) + 0.5) / points)
			last := -1.0
			for k := 1; k <= points; k++ {
				z := 2*float64(k)/points - 1
				next := func(z float64) float64 {
					return nextOverlap(z, beta, 1.0/depth+epsilon*v/math.Sqrt(depth), overlap.Softmax)
				}
				antipodal += share(last, z, func(z float64) float64 { return -1 + tolerance - next(z) })
				single += share(last, z, func(z float64) float64 { return next(z) - 1 + tolerance })
				last = z
			}
		}
		o, err := hybridOf(t, 3, beta, overlap.Softmax, epsilon, law, depth).Uniform(1, tolerance, 1e-4)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "P(antipodal)", o.Antipodal.Value, antipodal/2/points, 2e-5+o.Antipodal.Error)
		near(t, "P(single)", o.Single.Value, single/2/points, 2e-5+o.Single.Error)
	}
}
