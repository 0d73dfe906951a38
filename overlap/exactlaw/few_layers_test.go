package exactlaw

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sphere/must"
)

// One layer is an integral over the direction and the length of X¹+X², and over the component of X¹-X²
// along it; the orthogonal part has a noncentral χ² law. These values are from that integral, computed by
// another program.
func TestOneLayer(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		dim               int
		beta              float64
		attention         overlap.Attention
		depth             int
		tolerance, z0     float64
		antipodal, single float64
	}{
		{15, 1, overlap.Unnormalized, 2, 0.1, -0.9, 0.176910497217, 0},
		{15, 1, overlap.Unnormalized, 2, 0.1, 0.2, 0, 0.088833666174},
		{15, 1, overlap.Unnormalized, 2, 0.1, 0.7, 0, 0.999818034297},
		{8, 1.45, overlap.Unnormalized, 4, 1e-3, 0.95, 0, 0.247535353608},
		{50, 3.47, overlap.Softmax, 2, 1e-3, 0.95, 0, 5.7697531e-5},
	} {
		r := recursion(t, c.dim, c.beta, c.attention, 1, 1, 1, c.depth)
		o := must.Get(r.From(c.z0, 1, c.tolerance, 1e-7))(t)
		near(t, "P(antipodal)", o.Antipodal.Value, c.antipodal, o.Antipodal.Error)
		near(t, "P(single)", o.Single.Value, c.single, o.Single.Error)
	}
}

// Strong noise in a few layers: the law of these cells was computed by a direct sum over a lattice from
// layer to layer, and by Gauss panels beyond the edge of an outcome. It is known to 1e-7, and on a
// lattice of half the width to 1e-9.
func TestFewLayers(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		dim           int
		beta          float64
		attention     overlap.Attention
		depth, layers int
		tolerance     float64
		single, known float64
	}{
		{15, 1, overlap.Unnormalized, 2, 2, 0.1, 0.7366274, 1e-7},
		{8, 1.45, overlap.Unnormalized, 4, 4, 1e-3, 0.6468562, 1e-7},
		{4, 0.82, overlap.Unnormalized, 2, 12, 1e-3, 0.95678310, 1e-8},
		{2, 0, overlap.Softmax, 12, 84, 1e-3, 0.35791391, 1e-8},
		{2, 0.32168, overlap.Softmax, 3, 5, 0.0188, 0.266621824785, 1e-10},
	} {
		r := recursion(t, c.dim, c.beta, c.attention, 1, 1, 1, c.depth)
		o := must.Get(r.Uniform(c.layers, c.tolerance, 1e-5))(t)
		near(t, "P(single)", o.Single.Value, c.single, o.Single.Error+c.known)
	}
}

// An outcome is not less likely within a larger tolerance, and both together have at most probability 1.
func TestOutcomesTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2 {
		dim, depth := 2+random.IntN(6), 4+random.IntN(20)
		r := recursion(t, dim, 2*random.Float64(), overlap.Softmax, 1, 1, 1, depth)
		layers, before := 1+random.IntN(400), Outcomes{}
		for _, tolerance := range []float64{1e-6, 1e-2, 0.5} {
			o := must.Get(r.Uniform(layers, tolerance, 1e-3))(t)
			if o.Antipodal.Value+o.Single.Value > 1 {
				t.Errorf("d = %d, L = %d, %d layers: %v is more than certain", dim, depth, layers, o)
			}
			for _, p := range [][2]overlap.Probability{
				{before.Antipodal, o.Antipodal}, {before.Single, o.Single},
			} {
				if p[1].Value < p[0].Value-p[0].Error-p[1].Error {
					t.Errorf("d = %d, L = %d, %d layers: %v within a smaller tolerance, %v within %v",
						dim, depth, layers, p[0], p[1], tolerance)
				}
			}
			before = o
		}
	}
	o := consistentOutcomes(
		overlap.Probability{Value: 0.25, Error: 1e-9}, overlap.Probability{Value: 0.75 + 1e-10})
	if o.Antipodal.Value+o.Single.Value != 1 || math.Abs(o.Single.Value-0.75) > 1e-10 ||
		o.Single.Error != 1e-9 {
		t.Errorf("outcomes of more than 1: %v", o)
	}
	o = consistentOutcomes(overlap.Probability{Value: 0.75, Error: 1e-3},
		overlap.Probability{Value: 0.5, Error: 2e-3})
	if want := (overlap.Probability{Value: 0.625, Error: 2e-3}); o.Antipodal != want {
		t.Errorf("of an excess of 0.25 each outcome has a half: %v", o)
	}
	o = consistentOutcomes(overlap.Probability{Value: -1e-12}, overlap.Probability{Value: 1 + 1e-12})
	if o != (Outcomes{Single: overlap.Probability{Value: 1}}) {
		t.Errorf("outcomes beyond 0 and 1: %v", o)
	}
}

// In many dimensions the sum over nodes ends after the single maximum of the densities. The rest, which
// would take seconds, adds nothing.
func TestDensitiesInManyDimensions(t *testing.T) {
	for _, m2 := range []float64{1, 1.5} {
		for _, depth := range []int{1, 30} {
			c := recursion(t, manyDimensions, 2, overlap.Softmax, 1, 1, m2, depth).solver.(*clusters)
			for _, u := range []float64{-2, 0, 3} {
				short, whole := c.layer(u, efforts[3]), c.layer(u, efforts[3])
				if !short.unimodal || whole.n11 < weakNoise {
					t.Fatalf("the noise at depth %d is little", depth)
				}
				whole.unimodal = false
				middle := short.mode(0.05)
				whole.mode(0.05)
				top := whole.density(float64(0.05*float64(middle)), 0)
				for k := -4; k <= 4; k++ {
					delta := float64(0.05 * float64(middle+k))
					near(t, "a density", short.density(delta, 0)/top, whole.density(delta, 0)/top, 1e-11)
				}
			}
		}
	}
}

// In the greatest dimension a law takes a second; these outcomes are certain.
func TestLawInTheGreatestDimension(t *testing.T) {
	o := uniform(t, recursion(t, 10_000, 1, overlap.Softmax, 1, 1, 1, 10), 100, 1e-4)
	near(t, "P(single)", o.Single.Value, 1, 1e-8)
	if _, err := Clusters(10_000, 1, overlap.Softmax, 1, 1, 2, 10); err == nil {
		t.Error("unequal clusters in 10,000 dimensions are accepted")
	}
}

// At the least effort the first difference of two lattices may be less than half the error. The reference
// values are those of lattices three times as fine, which agree to 1e-11. If the variance of a layer's
// noise is 7700, differences do not shrink. In three dimensions at β = 8.622441657495658, with
// unnormalized attention, masses 1:1.0338929693233352, L = 1000 and 180 layers, the differences were
// those below. The law differed by 6.9e-6 from that with two efforts more.
func TestErrorsAreNotLessThanDifferencesThatDoNotShrink(t *testing.T) {
	r := recursion(t, 2, 0.11129954078346335, overlap.Softmax, 1, 1, 1.2008574233636222, 1)
	o := must.Get(r.Uniform(4, 0.5, 1e-2))(t)
	near(t, "P(antipodal)", o.Antipodal.Value, 0.26754229056, o.Antipodal.Error)
	near(t, "P(single)", o.Single.Value, 0.65252434122, o.Single.Error)
	got := r.solver.estimate(problem{}, 6, []float64{3.3343e-6, 7.9401e-6, 5.4699e-6}, 7.9421e-6)
	if !(got > 6.9e-6) {
		t.Errorf("estimated error %.2g, want more than 6.9e-6", got)
	}
}
