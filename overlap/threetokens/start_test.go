package threetokens

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"

	"antipode/internal/longtest"
	"antipode/overlap"
)

// startWithin returns the probability that three uniform tokens have three overlaps of at least z ≥ 0. The
// angles θ and φ of the first token from the second and the third are independent, with densities
// proportional to sin^(dim-2). Given the two angles, the third overlap is cosθ cosφ + u sinθ sinφ, where u is
// a coordinate of a uniform direction in R^(dim-1), so that (1+u)/2 has a beta distribution.
func startWithin(dim int, z float64) float64 {
	if dim == 2 {
		part := math.Acos(z) / (2 * math.Pi)
		return 3 * part * part
	}
	m := float64(dim - 2)
	c := math.Exp(lgamma(0.5*(m+2))-lgamma(0.5*(m+1))) / math.Sqrt(math.Pi)
	greatest := math.Acos(z)
	density := func(theta float64) float64 { return c * math.Pow(math.Sin(theta), m) }
	above := func(u float64) float64 { // the probability that the coordinate is at least u
		return mathext.RegIncBeta(0.5*m, 0.5*m, 0.5*(1-min(1, max(-1, u))))
	}
	inner := func(theta float64) float64 {
		f := func(phi float64) float64 {
			sines, cosines := math.Sin(theta)*math.Sin(phi), math.Cos(theta)*math.Cos(phi)
			return density(phi) * above((z-cosines)/sines)
		}
		kink := min(greatest, max(0, greatest-theta))
		return quad.Fixed(f, 0, kink, 60, nil, 0) + quad.Fixed(f, kink, greatest, 60, nil, 0)
	}
	outer := func(theta float64) float64 { return density(theta) * inner(theta) }
	middle := 0.5 * greatest
	return quad.Fixed(outer, 0, middle, 60, nil, 0) + quad.Fixed(outer, middle, greatest, 60, nil, 0)
}

// Without any motion the outcomes of a grid are those of the start. If one token is reflected, three overlaps
// of at least z become one of at least z and two of at most -z, so two against one have three times the
// probability of a single cluster.
func TestStartOfGrids(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		dim             int
		missing, failed float64 // greatest errors of the total mass and of probabilities
	}{
		{2, 1e-6, 5e-5}, {3, 1e-9, 5e-5}, {5, 1e-9, 5e-6}, {10, 1e-9, 1e-5}, {20, 1e-7, 1e-5},
		{50, 1e-6, 3e-4}, {100, 3e-5, 1e-3}, {150, 1e-4, 1e-3}, {200, 1e-4, 1e-3},
	} {
		for _, beta := range []float64{1, 4} {
			const level, tolerance = 2, 0.1
			w := tokens{c.dim, beta, overlap.Softmax, 1}
			g := newGrid(w, resolutionOf(c.dim, beta, level, tolerance), floor(beta, level))
			mass := g.start()
			total := 0.0
			for _, m := range mass {
				total += m
			}
			if !(math.Abs(total-1) <= c.missing) {
				t.Errorf("dimension %d, β = %v: mass %v", c.dim, beta, total)
			}
			for _, z := range []float64{0, 1 - tolerance} {
				single, two := g.outcomes(mass, 1-z)
				want := startWithin(c.dim, z)
				if !(math.Abs(single-want) <= c.failed && math.Abs(two-3*want) <= c.failed) {
					t.Errorf("dimension %d, β = %v: overlaps of at least %v %v, two opposed %v, want %v "+
						"and %v", c.dim, beta, z, single, two, want, 3*want)
				}
			}
		}
	}
}
