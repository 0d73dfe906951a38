package verify

import (
	"fmt"
	"math"

	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/elementary"
)

// beyondClaims are claims that go beyond the clustering paper: on general covariances of the value matrices,
// random queries and keys, and opposite clusters of equal size.
var beyondClaims = []Claim{
	{
		"covariance-ends", Clustering, "new",
		"under values of covariance (a,b,c) +1 attracts iff a(d-1) > b+c, -1 as e^2β says",
		"a covariance with b's sign or c's factor wrong; a drift without what normalisation adds",
		covarianceEnds,
	},
	{
		"covariance-law", Clustering, "new",
		"under values of covariance (a,b,c) two tokens end as their overlap's diffusion does",
		"chains or tokens of another covariance than the theory's", covarianceLaw,
	},
	{
		"covariance-flow", Clustering, "new",
		"antisymmetric values leave no noise in the overlap of two tokens: it follows a flow to +1",
		"a noise that is left; a velocity with a factor wrong", covarianceFlow,
	},
	{
		"resampled-ends", Clustering, "new",
		"with queries and keys drawn anew -1 attracts iff (d-2)(1-τ) + (d-3)w < 1+τ",
		"scores of two tokens with a correlation of another sign; weights at the mean scores", resampledEnds,
	},
	{
		"resampled-law", Clustering, "new",
		"with new random queries and keys in each layer two tokens end as a diffusion does",
		"scores that are the same in all layers, or not common to the tokens", resampledLaw,
	},
	{
		"halves-within", Clustering, "new",
		"within opposite halves of any number of tokens distances shrink at the rate (d-1)tanh²β/2",
		"an exponent that depends on the number of tokens; tangent vectors that are not the derivative's",
		equalClustersWithin,
	},
	{
		"halves-between", Clustering, "new",
		"opposite halves separate as two opposite tokens do: they are stable iff cosh 2β > d-2",
		"clusters that are not opposite; an exponent of one token alone", equalClustersBetween,
	},
}

// pairAt returns a cell of two tokens under Gaussian value matrices with the given covariance. The cell is
// simulated as a Markov chain of the overlap, from the overlap start.
func pairAt(dim int, beta float64, v sde.Covariance, spread float64, depth int, start float64) sde.Cell {
	c := transformerPair(dim, beta, sde.Softmax, depth, start)
	c.Model, c.Resampling.Spread = sde.Transformer{Sigma: 1, Covariance: v}, spread
	return c
}

// logSlope returns the drift of ln(1-z) for a diffusion of the overlap z next to 1, or of ln(1+z) next to -1.
func logSlope(d *overlap.Diffusion, side float64) float64 {
	const near = 1e-7
	drift, variance := d.Drift(side*(1-near)), d.Variance(side*(1-near))
	return -side*drift/near - 0.5*variance/near/near
}

// endsOf compares the simulated slopes of ln(1-Z) for overlaps Z next to 1, and of ln(1+Z) next to -1, with
// the Lyapunov exponents at the simulated depth. endsOf also compares these exponents with the drifts in the
// limit of infinite depth; at depth 100 the two differ by one or two hundredths.
func endsOf(f *fixture, r *report, c sde.Cell, trajectories int64) {
	const found, depthEffect = 0.3, 0.03
	diffusion := must(theory.Diffusion(c))
	v := c.Model.(sde.Transformer).Covariance
	layer := theory.Isotropic(c)
	for side := range parts(r, []float64{-1, 1}) {
		c.Start = sde.PairStart{Overlap: side * (1 - near)}
		of, growth := logPlus, layer.Antipodal
		if side > 0 {
			of, growth = logMinus, layer.Single
		}
		measured := slope(f, c, trajectories, of)
		end := must(growth())
		lambda, _ := end.Lyapunov()
		predicted := 2 * float64(c.Depth) * lambda
		what := fmt.Sprintf("slope of ln(1%+.0fZ), d=%d β=%g, %g,%g,%g S=%g", -side, c.Dim, c.Beta, v.A,
			v.B, v.C, c.Resampling.Spread)
		r.normal(what, predicted, measured, found, 0)
		if math.Abs(predicted) > 1 {
			r.refute(0)
		}
		limit := logSlope(diffusion, side)
		r.equal("limit of the "+what, limit, predicted, depthEffect*(1+math.Abs(limit)))
	}
}

// covarianceEnds tests at the overlaps -1 and 1, for value matrices with a covariance, cells on both sides of
// the condition for attraction.
func covarianceEnds(f *fixture, r *report) {
	for _, x := range []struct {
		dim  int
		beta float64
		v    sde.Covariance
	}{
		{5, 1.2, sde.Covariance{A: 0.8, B: 0.6, C: 0.3}}, {6, 0.1, sde.Covariance{A: 0.8, B: 0.6, C: 0.3}},
		{6, 1.1, sde.Covariance{A: 0.5, B: 0.5}}, {6, 0.2, sde.Covariance{A: 0.5, B: 0.5}},
		{4, 0.4, sde.Covariance{A: 1, B: -0.5, C: 0.2}}, {2, 0, sde.Covariance{A: 1, B: -0.9}},
		{2, 0.6, sde.Covariance{A: 1, B: -0.9}}, {3, 0.5, sde.Covariance{A: 0.3, B: 0.1, C: 1.5}},
	} {
		endsOf(f, r, pairAt(x.dim, x.beta, x.v, 0, 100, 0), 10_000)
	}
}

// resampledEnds tests, with random queries and keys, cells on both sides of the boundary of attraction at
// overlap -1.
func resampledEnds(f *fixture, r *report) {
	for _, x := range []struct {
		dim          int
		beta, spread float64
	}{{3, 0, 1.5}, {4, 1.5, 0.5}, {6, 1.5, 1.8}} {
		endsOf(f, r, pairAt(x.dim, x.beta, sde.Covariance{A: 1}, x.spread, 100, 0), 40_000)
	}
}

// lawOf compares the outcomes of pairs of tokens with uniform starts at one time with those of the
// theoretical diffusion. The cell chain is simulated as a Markov chain of the overlap, and the cell tokens by
// its tokens.
func lawOf(f *fixture, r *report, chain, tokens sde.Cell) {
	const trajectories, horizon, found = 4000, 15, 0.09
	tokens.Method = sde.Tokens
	for c := range parts(r, []sde.Cell{chain, tokens}) {
		c.Start = sde.UniformStart{}
		law := must(fokkerplanck.Uniform(must(theory.Diffusion(c)), []float64{horizon}, 1e-5))[0]
		counts := outcomesOf(atLayer(f, c, trajectories, horizon*int64(c.Depth), pairOf))
		of := fmt.Sprintf(" at time %d, %s %v S=%g", horizon, describe(c), c.Method, c.Resampling.Spread)
		antipodal, single := law.Antipodal(tolerance).Value, law.Single(tolerance).Value
		shift, all := depthShift/float64(c.Depth), counts.all()
		r.binomial("antipodal"+of, antipodal, counts[sphere.Antipodal], all, found, shift)
		r.refute(0)
		r.binomial("single"+of, single, counts[sphere.Single], all, found, shift)
	}
}

func covarianceLaw(f *fixture, r *report) {
	lawOf(f, r, pairAt(5, 1.2, sde.Covariance{A: 0.8, B: 0.6, C: 0.3}, 0, 100, 0),
		pairAt(4, 1, sde.Covariance{A: 0.5, B: 0.5}, 0, 50, 0))
}

func resampledLaw(f *fixture, r *report) {
	lawOf(f, r, pairAt(4, 1.5, sde.Covariance{A: 1}, 0.5, 100, 0),
		pairAt(3, 0, sde.Covariance{A: 1}, 1.5, 50, 0))
}

// covarianceFlow starts the overlap of two tokens at one value under antisymmetric value matrices.
// covarianceFlow compares the mean of the overlap with the flow, and the variance of the overlap, which
// vanishes like 1/L, with 0.
func covarianceFlow(f *fixture, r *report) {
	const depth, start = 1000, -0.7
	c := pairAt(4, 1, sde.Covariance{A: 0.5, B: -0.5}, 0, depth, start)
	diffusion := must(theory.Diffusion(c))
	for _, time := range []int64{1, 3} {
		laws := must(fokkerplanck.From(diffusion, start, []float64{float64(time)}, 1e-5))
		observed := atLayer(f, c, 400, time*depth, pairOf)
		predicted := medianOf(laws[0])
		r.normal(fmt.Sprintf("E Z at time %d", time), predicted, meanOf(observed, pair.z), 0.01, 0.005)
		r.refute(start)
		variance := meanOf(observed, func(p pair) float64 { return square(p.z() - predicted) })
		r.normal(fmt.Sprintf("E(Z-z)² at time %d", time), 0, variance, 0.002, 0.003)
	}
}

// medianOf returns the median of a law of the overlap. A law without noise is concentrated at its median.
func medianOf(law fokkerplanck.Distribution) float64 {
	low, high := -1., 1.
	for range 60 {
		if middle := 0.5 * (low + high); law.Below(middle).Value < 0.5 {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// equalClusters returns a cell of two opposite clusters of equal size that is simulated with tangent vectors,
// that is, infinitesimal displacements of the tokens.
func equalClusters(tokens, dim int, beta float64, depth int) sde.Cell {
	c := clusters(tokens/2, tokens/2, dim, beta, depth)
	c.Method, c.Tangent = sde.Tokens, true
	return c
}

// growthOf estimates the exponents, per unit of time, of distances within and between two opposite clusters
// of equal size.
func growthOf(f *fixture, c sde.Cell) (within, between estimate) {
	const trajectories, time = 200, 5
	type growth struct{ within, between float64 }
	all := atLayer(f, c, trajectories, time*int64(c.Depth), func(v *sde.View) (g growth) {
		g.within, g.between = v.Growth()
		return g
	})
	return meanOf(all, func(g growth) float64 { return g.within / time }),
		meanOf(all, func(g growth) float64 { return g.between / time })
}

var equalClusterCells = []sde.Cell{
	equalClusters(4, 4, 1.5, 40), equalClusters(8, 4, 0.5, 40), equalClusters(16, 6, 0.7, 20),
}

// equalClustersWithin compares the measured exponent of distances within opposite clusters of equal size with
// the theoretical exponent at the simulated depth. equalClustersWithin also compares the exponent at that
// depth with the limit of infinite depth.
func equalClustersWithin(f *fixture, r *report) {
	for c := range parts(r, equalClusterCells) {
		layer := must(finitedepth.Within(c.Dim, c.Beta, overlap.Softmax, 1, c.Depth))
		measured, _ := growthOf(f, c)
		predicted := float64(c.Depth) * layer.Lyapunov()
		r.normal("exponent within, "+describe(c), predicted, measured, 0.2, 0)
		if predicted < -0.7 {
			r.refute(0)
		}
		tanh := elementary.Expm1(2*c.Beta) / (elementary.Expm1(2*c.Beta) + 2)
		r.equal("its limit times 2/tanh²β, "+describe(c), -float64(c.Dim-1), 2*predicted/square(tanh),
			0.05*float64(c.Dim-1))
	}
}

// equalClustersBetween compares the measured exponent of the distance between opposite clusters of equal size
// with the exponent of two tokens at the simulated depth.
func equalClustersBetween(f *fixture, r *report) {
	for c := range parts(r, equalClusterCells) {
		layer := must(finitedepth.Antipodal(c.Dim, c.Beta, overlap.Softmax, 1, c.Depth))
		_, measured := growthOf(f, c)
		r.normal("exponent between, "+describe(c), float64(c.Depth)*layer.Lyapunov(), measured, 0.3, 0)
	}
}
