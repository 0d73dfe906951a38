package exactlaw

import (
	"math"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/integrate/quad"
)

// hybridOf returns recursion (7), which must be accepted.
func hybridOf(
	t testing.TB, dim int, beta float64, attention overlap.Attention, epsilon float64,
	law finitedepth.ScalarLaw, depth int,
) *Recursion {
	t.Helper()
	r := must.Get(Hybrid(dim, beta, attention, epsilon, law, depth))(t)
	return r
}

// nextOverlap computes a layer of recursion (7) in the plane from its definition.
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

// The map of u agrees with the recursion, even for weights that turn tokens around.
func TestHybridStep(t *testing.T) {
	for _, attention := range []overlap.Attention{overlap.Softmax, overlap.Unnormalized} {
		h := hybridOf(t, 3, 1.3, attention, 0.7, finitedepth.Rademacher, 9).solver.(*hybrid)
		for _, z := range []float64{-0.9, -0.2, 0.4, 0.95} {
			for _, w := range []float64{0.3, -0.2, -0.9, -3} {
				u, delta := math.Atanh(z), 1e-5
				next, slope := h.step(u, w)
				near(t, "z after a layer", math.Tanh(next), nextOverlap(z, 1.3, w, attention), 1e-12)
				above, _ := h.step(u+delta, w)
				below, _ := h.step(u-delta, w)
				near(t, "slope", slope, (above-below)/(2*delta), 1e-7)
			}
		}
	}
}

// At a pole a layer makes the tokens equal or opposite. Poles exist for some w only.
func TestHybridPoles(t *testing.T) {
	h := hybridOf(t, 3, 1.3, overlap.Unnormalized, 1, finitedepth.Rademacher, 1).solver.(*hybrid)
	l := grid{-20, 0.1, 401}
	for w, z := range map[float64]float64{-0.7: 1, -0.55: 0, -0.5: -1, -0.3: -1, -0.2: 0, 0.4: 0} {
		at := h.poles(w, l)
		if (z != 0) != (len(at) == 1) {
			t.Fatalf("w = %v: poles at %v", w, at)
		}
		if z != 0 {
			near(t, "overlap at a pole", nextOverlap(math.Tanh(at[0]), 1.3, w, overlap.Unnormalized), z, 1e-9)
		}
	}
}

// The scalars have mean 0, variance 1, and the fourth moments of their laws.
func TestScalars(t *testing.T) {
	for law, fourth := range map[finitedepth.ScalarLaw]float64{
		finitedepth.Gaussian: 3, finitedepth.Uniform: 1.8, finitedepth.Rademacher: 1,
		finitedepth.TruncatedNormal: 2.36553672,
	} {
		h := &hybrid{law: law, drift: 0.5, noise: 1}
		for effort := range 3 {
			w, p := h.scalars(effort, 0.3)
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

// The law after a few layers is the mean over all paths of the scalars, from a uniform start.
func TestHybridIsThatOfAllPaths(t *testing.T) {
	const layers, beta, depth, tolerance = 5, 0.9, 20, 0.05
	x, weights := make([]float64, 400), make([]float64, 400)
	for _, attention := range []overlap.Attention{overlap.Softmax, overlap.Unnormalized} {
		epsilon := 1.4
		if attention == overlap.Unnormalized {
			epsilon = 0.6
		}
		r := hybridOf(t, 3, beta, attention, epsilon, finitedepth.Rademacher, depth)
		// In three dimensions the overlap of uniform tokens is uniform. Each path contributes the
		// fraction of starting overlaps z0 that it takes to an outcome: all z0 up to some point, or from
		// some point on.
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
		o := must.Get(r.Uniform(layers, tolerance, 1e-6))(t)
		near(t, "P(antipodal)", o.Antipodal.Value, antipodal/2/(1<<layers), 1e-6+o.Antipodal.Error)
		near(t, "P(single)", o.Single.Value, single/2/(1<<layers), 1e-6+o.Single.Error)
		if math.Max(o.Antipodal.Error, o.Single.Error) > 1e-5 {
			t.Errorf("%v: errors %v", attention, o)
		}
	}
}

// share returns the length of the part of a short interval in which f > 0, for nearly linear f.
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

// For laws of the scalar with a density, one layer is an integral over the start and the scalar.
func TestHybridAfterOneLayer(t *testing.T) {
	const beta, epsilon, depth, tolerance = 0.7, 0.8, 30, 0.3
	for law, quantile := range map[finitedepth.ScalarLaw]func(share float64) float64{
		finitedepth.Uniform:  func(share float64) float64 { return math.Sqrt(3) * (2*share - 1) },
		finitedepth.Gaussian: func(share float64) float64 { return math.Sqrt2 * math.Erfinv(2*share-1) },
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

// Laws of layers that stretch distances, fold the line and turn tokens around. They are compared with
// probabilities from all paths with exact intervals of the start (up to four layers), or with the
// distribution function on lattices at least five times as fine with another interpolation (others). The
// last four have steps far out of up to 1e-3 that coarse lattices do not resolve although they agree.
// Errors are at most the estimated ones.
func TestHybridOfStrongLayers(t *testing.T) {
	longtest.Only(t)
	const softmax, unnormalized = overlap.Softmax, overlap.Unnormalized
	for _, c := range []struct {
		dim               int
		beta              float64
		attention         overlap.Attention
		epsilon           float64
		law               finitedepth.ScalarLaw
		depth, layers     int
		tolerance         float64
		antipodal, single float64
	}{
		{2, 1.55, softmax, 2.54, finitedepth.Rademacher, 3, 1, 1e-3, 0.008618071753, 0.023371790573},
		{6, 1.17, softmax, 2.53, finitedepth.Rademacher, 1, 1, 1e-3, 0.000000007707, 0.011586456083},
		{2, 1.1, unnormalized, 3.25, finitedepth.Rademacher, 1, 1, 1e-3, 0.011055041646, 0.155486805550},
		{9, 3, unnormalized, 2, finitedepth.Rademacher, 4, 4, 1e-3, 0.000000000002, 0.264862915478},
		{4, 5, unnormalized, 0.25, finitedepth.Rademacher, 4, 3, 1e-3, 0.000018962944, 0.114238761666},
		{2, 3, unnormalized, 1.0983, finitedepth.Rademacher, 1, 1, 1e-2, 0.084610333075, 0.110989258908},
		{33, 0.5, softmax, 2.18, finitedepth.Rademacher, 131, 190, 1e-3, 0.130856855652, 0.006775903863},
		{29, 1.46, softmax, 1.35, finitedepth.Rademacher, 6, 524, 1e-3, 0.874702616017, 0.056765747646},
		{15, 9.6, unnormalized, 0.0138, finitedepth.Rademacher, 632, 597, 1e-3, 0, 0.440413131426},
		{3, 1.6, softmax, 1.21, finitedepth.Rademacher, 31, 600, 1e-2, 0.023823449680, 0.153770208424},
		{5, 8, unnormalized, 0.033, finitedepth.TruncatedNormal, 7, 16, 1e-3, 0.000000749739, 0.229536694330},
		{7, 1, unnormalized, 0.9, finitedepth.Uniform, 40, 60, 0.1, 0.038328897908, 0.094025326768},
		{61, 5.2, softmax, 2.16, finitedepth.Rademacher, 2, 240, 1e-3, 0, 0.000877018095},
		{27, 1.5, softmax, 2.5, finitedepth.Rademacher, 21, 124, 1e-3, 0.662941718775, 0.000086044850},
		{44, 0.1, softmax, 1.7, finitedepth.Rademacher, 120, 230, 1e-3, 0.097872616578, 0.021637637087},
		{7, 0.9, softmax, 1.75, finitedepth.Rademacher, 21, 170, 1e-3, 0.609519896811, 0.010460368816},
		{45, 0.9, unnormalized, 1.2, finitedepth.Rademacher, 28, 290, 0.1, 0.964114285901, 0.001740480251},
	} {
		r := hybridOf(t, c.dim, c.beta, c.attention, c.epsilon, c.law, c.depth)
		r.solver = &keeping{r.solver, map[int]law{}}
		for _, accuracy := range []float64{1e-3, 1e-6, 1e-7} {
			o := must.Get(r.Uniform(c.layers, c.tolerance, accuracy))(t)
			near(t, "P(antipodal)", o.Antipodal.Value, c.antipodal, o.Antipodal.Error)
			near(t, "P(single)", o.Single.Value, c.single, o.Single.Error)
			if !(max(o.Antipodal.Error, o.Single.Error) <= accuracy) {
				t.Errorf("%+v: errors %v", c, o)
			}
		}
	}
}

// A keeping solver keeps the laws of one problem, which several accuracies share.
type keeping struct {
	solver
	laws map[int]law
}

func (s *keeping) outcomes(p problem, effort int) (law, error) {
	if l, ok := s.laws[effort]; ok {
		return l, nil
	}
	l, err := s.solver.outcomes(p, effort)
	if err == nil {
		s.laws[effort] = l
	}
	return l, err
}

// Without noise the starts above a point end in a single cluster: those that the layers take to the
// tolerance. In the plane much mass starts far out, and a few layers of strong drift move all of it
// further than it is spread.
func TestHybridWithoutNoise(t *testing.T) {
	const tolerance = 1e-3
	for _, c := range []struct {
		dim           int
		beta          float64
		attention     overlap.Attention
		depth, layers int
		most          float64 // upper bound of the point
	}{
		{2, 1.5, overlap.Softmax, 10, 900, -8},
		{3, 3, overlap.Unnormalized, 1, 300, -0.5},
		{3, 0.3, overlap.Unnormalized, 1, 200, -5},
		{3, 0, overlap.Softmax, 1, 7, -1},
	} {
		low, high := -15.0, 0.0
		for range 60 {
			start := 0.5 * (low + high)
			z := math.Tanh(start)
			for range c.layers {
				z = nextOverlap(z, c.beta, 1/float64(c.depth), c.attention)
			}
			if z < 1-tolerance {
				low = start
			} else {
				high = start
			}
		}
		if low > c.most {
			t.Errorf("what starts above %v ends in a single cluster: the test has no power", low)
		}
		r := hybridOf(t, c.dim, c.beta, c.attention, 0, finitedepth.Gaussian, c.depth)
		o := must.Get(r.Uniform(c.layers, tolerance, 1e-6))(t)
		want := 0.5 - 0.5*math.Tanh(low)
		if c.dim == 2 {
			want = 1 - 2/math.Pi*math.Atan(math.Exp(low))
		}
		near(t, "P(single)", o.Single.Value, want, o.Single.Error)
	}
}

// From one overlap the law after two layers is an integral over the first scalar. The second scalar leads
// beyond a tolerance above some value, which is found from the recursion itself.
func TestHybridFromOneOverlap(t *testing.T) {
	const beta, tolerance, points = 1.3, 0.7, 2000
	const cut = 0.8796256610342398 // standard deviation of a normal variable truncated at ±2
	normal := func(v float64) float64 { return 0.5 * math.Erfc(-v/math.Sqrt2) }
	truncated := func(v float64) float64 { return (normal(cut*v) - normal(-2)) / (1 - 2*normal(-2)) }
	for _, c := range []struct {
		attention overlap.Attention
		epsilon   float64
		law       finitedepth.ScalarLaw
		depth     int
		z0        float64
		below     func(v float64) float64
		density   func(v float64) float64 // up to a factor
	}{
		{overlap.Unnormalized, 0.6, finitedepth.Uniform, 60, 0.4,
			func(v float64) float64 { return 0.5 + v/math.Sqrt(12) }, func(float64) float64 { return 1 }},
		{overlap.Softmax, 1.3, finitedepth.TruncatedNormal, 30, 0.3, truncated,
			func(v float64) float64 { return math.Exp(-0.5 * cut * cut * v * v) }},
		{overlap.Softmax, 1.7, finitedepth.Gaussian, 150, -0.35, normal,
			func(v float64) float64 { return math.Exp(-0.5 * v * v) }},
	} {
		after := func(z, v float64) float64 {
			w := 1/float64(c.depth) + c.epsilon*v/math.Sqrt(float64(c.depth))
			return nextOverlap(z, beta, w, c.attention)
		}
		var antipodal, single, total float64
		for i := range points {
			v := c.law.Largest() * (2*(float64(i)+0.5)/points - 1)
			z, weight := after(c.z0, v), c.density(v)
			upTo := func(edge float64) float64 { // the greatest v with u' below the edge
				low, high := -c.law.Largest(), c.law.Largest()
				for range 50 {
					if v := 0.5 * (low + high); after(z, v) < edge {
						low = v
					} else {
						high = v
					}
				}
				return low
			}
			total += weight
			antipodal += weight * c.below(upTo(-1+tolerance))
			single += weight * (1 - c.below(upTo(1-tolerance)))
		}
		o, err := hybridOf(t, 5, beta, c.attention, c.epsilon, c.law, c.depth).From(c.z0, 2, tolerance, 1e-4)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "P(antipodal)", o.Antipodal.Value, antipodal/total, 2e-7+o.Antipodal.Error)
		near(t, "P(single)", o.Single.Value, single/total, 2e-7+o.Single.Error)
		if !(max(o.Antipodal.Error, o.Single.Error) <= 3e-4) {
			t.Errorf("errors of %+v", o)
		}
	}
}

// The waves of the steps lie between 0 and 1, from no noise to strong noise, with weights that underflow
// at an end.
func TestWaves(t *testing.T) {
	for _, attention := range []overlap.Attention{overlap.Softmax, overlap.Unnormalized} {
		for _, beta := range []float64{0, 0.7, 20, 100} {
			for _, noise := range []float64{1e-9, 0.1, 0.9} { // relative to the weight of a token
				epsilon := noise * 5
				if attention == overlap.Unnormalized {
					epsilon *= math.Exp(-beta)
				}
				r := hybridOf(t, 3, beta, attention, epsilon, finitedepth.Rademacher, 25)
				for _, end := range []float64{-1, 1} {
					waves := r.solver.(*hybrid).firstHarmonic(end)
					if !(waves >= 0 && waves <= 1) {
						t.Errorf("β = %v, ε = %v, %v: waves of %v", beta, epsilon, attention, waves)
					}
				}
			}
		}
	}
}

// If only the antipodal end attracts, all mass that starts at a point ends there, far beyond the lattice.
func TestHybridFromOneOverlapInTheEnd(t *testing.T) {
	o, err := hybridOf(t, 3, 1, overlap.Softmax, 2.5, finitedepth.Uniform, 60).From(0.4, 6000, 1e-3, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "P(antipodal)", o.Antipodal.Value, 1, 1e-4+o.Antipodal.Error)
	near(t, "P(single)", o.Single.Value, 0, 1e-4+o.Single.Error)
}

// Many layers are possible if powers of the matrix are fast, although they would take too long one by
// one. The final law is determined by the ends, as for the diffusion, up to the effect of the finite
// depth.
func TestHybridOfManyLayers(t *testing.T) {
	const depth = 100
	o, err := hybridOf(t, 3, 1, overlap.Softmax, 1.2, finitedepth.Uniform, depth).Uniform(20_000*depth, 1e-3,
		1e-3)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "P(antipodal)", o.Antipodal.Value, 0.71702256, 2./depth)
	near(t, "P(antipodal) + P(single)", o.Antipodal.Value+o.Single.Value, 1, 1e-3)
}
