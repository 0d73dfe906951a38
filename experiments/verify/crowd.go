package verify

import (
	"math"
	"slices"

	"antipode/internal/lists"
	"antipode/overlap"
	"antipode/sde"
	"antipode/sphere"
)

var crowdClaims = []Claim{
	{
		"crowd-rate", Clustering, "new",
		"the mean of many uniform tokens grows at its own rate, not that of two opposite clusters",
		"the exponent between two clusters instead of the crowd's; noise that is not common to the tokens",
		crowdRate,
	},
	{
		"crowd-time", Clustering, "new",
		"one side of N tokens wins after a time that grows like log N / twice this rate",
		"a time that does not depend on N, or with the rate of two opposite clusters", crowdTime,
	},
	{
		"crowd-sides", Clustering, "new",
		"at large β tokens choose sides like fair coins: P(two opposite clusters) = 1 - 2^(1-N)",
		"sides that depend on each other, or attention to others at large β", crowdSides,
	},
	{
		"crowd-chaos", Clustering, "new",
		"with equal noise, squared energy distances of parts of a crowd to all of it fall like 1/N",
		"noise that differs between tokens, or attention that feels the number of tokens", crowdChaos,
	},
}

// lean returns the length of the mean of the tokens x, vectors of dimension d.
func lean(x []float64, d int) float64 {
	mean := make([]float64, d)
	for k, v := range x {
		mean[k%d] += v
	}
	return math.Sqrt(sphere.Dot(mean, mean)) * float64(d) / float64(len(x))
}

// crowdRate measures the growth of the logarithm of the length of the mean token in the first unit of time.
// In four dimensions opposite clusters are attracting above β_c = 0.658.
func crowdRate(f *fixture, r *report) {
	const tokens, depth, trajectories = 512, 50, 600
	for beta := range parts(r, []float64{0, 0.4}) {
		c := uniformTokens(tokens, 4, beta, depth)
		seen := observe(f, c, trajectories, []int64{0, depth}, func(v *sde.View) float64 {
			return math.Log(lean(v.Tokens(), c.Dim))
		})
		grown := lists.Of(len(seen[0]), func(k int) float64 { return seen[1][k] - seen[0][k] })
		// The allowance has two reasons: at the end of some trajectories the mean token is no longer small,
		// and the effect of β is known to first order only.
		r.normal("growth of log |mean|, β="+number(beta), must(overlap.CrowdRate(c.Dim, beta, 1)),
			meanOf(grown, identity), 0.15, 0.05)
	}
}

// crowdTime measures the time until the mean token is longer than ½, for few and for many tokens.
func crowdTime(f *fixture, r *report) {
	const few, many, depth, horizon, trajectories, beta = 64, 1024, 20, 60, 300, 0.4
	won := func(tokens int) estimate {
		c := uniformTokens(tokens, 4, beta, depth)
		times := follow(f, c, trajectories, everyLayers(4, horizon*depth), func(time *float64, v *sde.View) {
			*time = float64(v.Layer) / depth
		}, func(v *sde.View) bool { return lean(v.Tokens(), c.Dim) > 0.5 })
		return meanOf(times, identity)
	}
	slope := won(many).minus(won(few)).scaled(1 / math.Log(float64(many)/few))
	r.normal("time / log N, d=4 β=0.4", 1/(2*must(overlap.CrowdRate(4, beta, 1))), slope, 0.5, 0.15)
	exponent, _ := must(f.diffusion(4, beta, overlap.Softmax, 1)).Lyapunov()
	r.refute(1 / (2 * exponent))
}

// crowdSides counts trajectories with two opposite clusters, long before clusters of unequal size merge.
func crowdSides(f *fixture, r *report) {
	const depth, horizon, trajectories, beta = 20, 30, 500, 1000
	for tokens := range parts(r, []int{3, 5}) {
		seen := atLayer(f, uniformTokens(tokens, 4, beta, depth), trajectories, horizon*depth, classify)
		r.binomial("antipodal, N="+number(float64(tokens)), 1-math.Pow(2, float64(1-tokens)),
			countOf(seen, sphere.Antipodal), len(seen), 0.06, 0.03)
	}
}

// crowdChaos simulates all tokens of a crowd, and with the same value matrices two smaller crowds that start
// from the first tokens of the whole crowd. crowdChaos compares how far, in energy distance, the two smaller
// crowds end from the whole crowd.
func crowdChaos(f *fixture, r *report) {
	const few, some, all, dim, depth, trajectories, beta = 16, 64, 256, 3, 20, 100, 2
	cells := make([]sde.Cell, 3)
	for k, n := range []int{few, some, all} {
		cells[k] = f.cell(uniformTokens(n, dim, beta, depth))
	}
	starts, values := f.normals(startNumbers, all*dim), f.normals(valueNumbers, dim*dim)
	whole, matrix := make([]float64, all*dim), make([]float64, dim*dim)
	var distances [][2]float64
	for range f.samples(trajectories) {
		starts(whole)
		var tokens [3][]float64
		var steppers [3]sde.Stepper
		for k, c := range cells {
			tokens[k] = slices.Clone(whole[:c.Tokens*dim])
			for i := range c.Tokens {
				token := tokens[k][i*dim : (i+1)*dim]
				sphere.Normalize(token, token)
			}
			steppers[k] = sde.NewStepper(c)
		}
		for range depth {
			values(matrix)
			for k, s := range steppers {
				ensure(s.Step(tokens[k], matrix))
			}
		}
		distances = append(distances, [2]float64{energyDistance(tokens[0], tokens[2], dim),
			energyDistance(tokens[1], tokens[2], dim)})
	}
	ratio := ratioOf(distances, func(d [2]float64) float64 { return d[0] },
		func(d [2]float64) float64 { return d[1] })
	share := func(n int) float64 { return 1/float64(n) - 1./all } // for n of all independent tokens
	r.normal("squared distance, 16 to 64 of 256 tokens", share(few)/share(some), ratio, 1.5, 0.7)
}

// energyDistance returns the squared energy distance of two sets of points in R^d, 2E|X-Y| - E|X-X'| -
// E|Y-Y'| for random points X, X' of the first set and Y, Y' of the second set.
func energyDistance(x, y []float64, d int) float64 {
	return 2*meanDistance(x, y, d) - meanDistance(x, x, d) - meanDistance(y, y, d)
}

func meanDistance(x, y []float64, d int) float64 {
	sum := 0.0
	for i := 0; i < len(x); i += d {
		for j := 0; j < len(y); j += d {
			square := 0.0
			for k := range d {
				square += (x[i+k] - y[j+k]) * (x[i+k] - y[j+k])
			}
			sum += math.Sqrt(square)
		}
	}
	return sum * float64(d) * float64(d) / float64(len(x)*len(y))
}
