package verify

import (
	"math"
	"slices"

	"antipode/experiments/theory"
	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"
)

var convergence = []Claim{
	{
		"thm1-weak", Clustering, "Theorem 1",
		"means under recursion (4) tend to those of the SDE (6), at order 1 in 1/L",
		"a limit with a wrong drift or variance, or a scheme or recursion without weak order 1",
		theorem1Weak,
	},
	{
		"thm1-laws", Clustering, "Theorem 1",
		"the limit of (4) is the same for all four laws of the value matrices",
		"a law whose entries do not have variance σ², or are not independent", theorem1Laws,
	},
	{
		"table1-scaling", Clustering, "Table 1",
		"updates V/L leave no noise in the limit, but updates V/√L do",
		"a layer's update scaled by another power of L than in (4)", table1Scaling,
	},
	{
		"lemma1-sphere", Clustering, "Lemma 1",
		"the radial drift of (6) keeps tokens on the sphere",
		"noise of (6) whose variance does not balance the radial drift -(d-1)σ²|A|²/2", lemma1Sphere,
	},
	{
		"lemma1-naive", Clustering, "Section 4.1",
		"without this drift tokens leave the sphere: |Y|² grows at the rate (d-1)σ²|A|²",
		"noise of (6) that is already tangent, which would hide a missing drift", lemma1Naive,
	},
	{
		"lemma2-flow", Clustering, "Lemma 2",
		"(7) with ε = 0 tends to the attention flow, uniformly and at order 1 in 1/L",
		"(7) at ε = 0 with a step that is not 1/L, or with noise; a flow with a wrong speed",
		lemma2Flow,
	},
	{
		"lemma3-hybrid", Clustering, "Lemma 3",
		"the hybrid recursion (7) tends to the SDE (8)",
		"a drift or variance of (8) without its Itô terms ε²F, or with ε instead of ε²", lemma3Hybrid,
	},
}

// theorem1Weak tests the convergence of means under recursion (4). Means for two tokens are compared with the
// Fokker-Planck equation of the SDE (6). Three tokens have no such equation; their means are compared with
// another numerical scheme for (6) on the same Brownian paths.
func theorem1Weak(f *fixture, r *report) {
	const horizon = 0.5
	depths := []int{8, 16, 32}
	extrapolation := []float64{1. / 3, -2, 8. / 3} // cancels the errors of orders 1 and 2
	c := transformerPair(2, 1, sde.Softmax, 0, 0.5)
	c.Method = sde.Tokens
	r.part(func() {
		laws := must(fokkerplanck.From(f.limitOf(c), 0.5, []float64{horizon}, 1e-6))
		values := coupledValues(f, atDepths(c, depths...), 60_000, horizon)
		// higherOrders allows for errors of higher order in the order of convergence that is observed at
		// depths from 8 to 32.
		const higherOrders = 0.15
		r.normal("order in 1/L", 1, orderOf(values), 0.4, higherOrders)
		want := laws[0].Expectation(square)
		r.normal("limit of E Z²", want, combination(values, extrapolation...), 0.012, 0.001)
	})

	many := uniformTokens(3, 3, 1, 0)
	heun := many
	heun.Model = sde.TransformerSDE{Sigma: 1, Scheme: sde.Heun}
	both := append(atDepths(many, depths...), atDepths(heun, depths...)...)
	r.part(func() {
		values := coupledValues(f, both, 8000, horizon)
		difference := combination(values, append(extrapolation, -1./3, 2, -8./3)...)
		r.normal("E of mean Z² of 3 tokens, less that of Heun's scheme", 0, difference, 0.012, 0.002)
	})
}

// theorem1Laws compares recursion (4) under each other law of the value matrices with recursion (4) under the
// Gaussian law on the same paths. Each entry of a value matrix is coupled with the same entry of the Gaussian
// matrix by equal quantiles. The effect of the law is of order 1/L at depth L, and is removed by
// extrapolation.
func theorem1Laws(f *fixture, r *report) {
	const depth, nextOrder = 16, 0.003
	c := transformerPair(2, 1, sde.Softmax, 0, 0)
	c.Method = sde.Tokens
	var gaussian [][]float64
	for law, name := range sde.LawNames {
		c.Model = sde.Transformer{Law: sde.Law(law), Sigma: 1}
		values := coupledValues(f, atDepths(c, depth, 2*depth), 12_000, 0.5)
		if law == int(sde.Gaussian) {
			gaussian = values
			continue
		}
		for k, row := range values {
			values[k] = append(row, gaussian[k]...)
		}
		r.normal("limit of E Z², "+name+" less gaussian", 0, combination(values, -1, 2, 1, -2), 0.04,
			nextOrder)
	}
}

// table1Scaling measures the variance of the overlap at time ½ under two scalings of the value matrices V.
// The update V/L corresponds to σ = L^-½ in recursion (4), whose update is V/√L.
func table1Scaling(f *fixture, r *report) {
	const horizon, start, trajectories = 0.5, 0.2, 100_000
	variance := func(depth int, sigma float64) estimate {
		c := transformerPair(4, 1, sde.Softmax, depth, start)
		c.Model = sde.Transformer{Sigma: sigma}
		observed := atLayer(f, c, trajectories, int64(horizon*float64(depth)), pairOf)
		mean := meanOf(observed, pair.z).value
		return meanOf(observed, func(p pair) float64 { return (p.z() - mean) * (p.z() - mean) })
	}
	coarse := variance(32, 1/math.Sqrt(32))
	fine := variance(128, 1/math.Sqrt(128))
	order := logarithmOf(coarse).minus(logarithmOf(fine)).scaled(0.5 / math.Ln2)
	r.normal("V/L: order in 1/L of Var Z", 1, order, 0.04, 0.05)
	limit := must(f.diffusion(4, 1, overlap.Softmax, 1))
	laws := must(fokkerplanck.From(limit, start, []float64{horizon}, 1e-6))
	mean := laws[0].Expectation(identity)
	want := laws[0].Expectation(func(z float64) float64 { return (z - mean) * (z - mean) })
	staying := variance(128, 1)
	r.normal("V/√L: Var Z", want, staying, 0.01, 0.003)
}

// freePair is a pair of tokens that follows the SDE (6) by Euler-Maruyama steps without retraction to the
// sphere.
type freePair struct {
	cell           sde.Cell
	stepper        sde.Stepper // only for the noise of the program under test
	x, unit, field []float64
	drift          bool    // whether the radial drift of (6) is included
	growth         float64 // integral of (d-1)σ²|A|² of the first token
}

func newFreePair(f *fixture, depth int, drift bool) *freePair {
	const dim = 3
	c := sde.Cell{
		Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: dim, Beta: 1, Depth: depth,
		Start: sde.PairStart{Overlap: 0.2},
	}
	numbers := func() []float64 { return make([]float64, 2*dim) }
	return &freePair{
		cell: c, stepper: sde.NewNaive(f.cell(c).ItoTerm(), 1/float64(depth)),
		x: numbers(), unit: numbers(), field: numbers(), drift: drift,
	}
}

func (p *freePair) restart() {
	const z = 0.2
	clear(p.x)
	p.x[0], p.x[p.cell.Dim], p.x[p.cell.Dim+1] = 1, z, math.Sqrt(1-z*z)
	p.growth = 0
}

// step moves both tokens by one Euler-Maruyama step, with the drift evaluated at the positions before the
// step.
func (p *freePair) step(increment []float64) {
	d, dt := p.cell.Dim, 1/float64(p.cell.Depth)
	for i := 0; i < len(p.x); i += d {
		sphere.Normalize(p.unit[i:i+d], p.x[i:i+d])
	}
	p.cell.Field(p.field, p.unit)
	before := append(p.unit[:0], p.x...)
	ensure(p.stepper.Step(p.x, increment))
	for i := 0; i < len(p.x); i += d {
		a := p.field[i : i+d]
		growth := float64(d-1) * square(p.cell.Model.(sde.TransformerSDE).Sigma) * sphere.Dot(a, a) * dt
		if i == 0 {
			p.growth += growth
		}
		if p.drift {
			for k := i; k < i+d; k++ {
				p.x[k] -= float64(0.5 * growth * before[k])
			}
		}
	}
}

// grown is the squared norm |Y|² of the first token at time 1, and its expected growth without the radial
// drift.
type grown struct{ square, expected float64 }

// follow simulates pairs of tokens without retraction to the sphere up to time 1.
func (p *freePair) follow(f *fixture, trajectories int64) []grown {
	increment := make([]float64, p.stepper.IncrementLen())
	path := brownian.NewPath(f.seed, p.cell.ID(), p.cell.Depth, len(increment)).Sequence(0)
	all := make([]grown, f.samples(trajectories))
	for k := range all {
		path.Restart(int64(k))
		p.restart()
		for range p.cell.Depth {
			path.Next(increment)
			p.step(increment)
		}
		first := p.x[:p.cell.Dim]
		all[k] = grown{sphere.Dot(first, first), p.growth}
	}
	return all
}

// lemma1Sphere tests that the squared norm |Y|² of a token stays 1 if the drift of (6) includes its radial
// part. Steps of length 1/L cause an error of |Y|² whose variance and mean are both of order 1/L.
func lemma1Sphere(f *fixture, r *report) {
	var spread [2]estimate
	for k, depth := range []int{32, 128} {
		rows := newFreePair(f, depth, true).follow(f, 3000)
		r.normal("E|Y|² at time 1", 1, meanOf(rows, func(g grown) float64 { return g.square }), 0.02,
			1/float64(depth))
		r.refute(2)
		spread[k] = meanOf(rows, func(g grown) float64 { return square(g.square - 1) })
	}
	order := logarithmOf(spread[0]).minus(logarithmOf(spread[1])).scaled(0.5 / math.Ln2)
	r.normal("order in 1/L of E(|Y|²-1)²", 1, order, 0.25, 0.1)
}

// lemma1Naive tests that the squared norm |Y|² of a token grows on average by (d-1)σ²|A|² per unit of time,
// with attention A, if the radial drift of (6) is left out. The mean growth in an Euler-Maruyama step is
// exactly the mean growth of the SDE.
func lemma1Naive(f *fixture, r *report) {
	rows := newFreePair(f, 32, false).follow(f, 4000)
	expected := meanOf(rows, func(g grown) float64 { return g.expected }).value
	beyond := meanOf(rows, func(g grown) float64 { return g.square - g.expected })
	r.normal("E|Y|² at time 1", 1+expected, beyond.shifted(expected), 0.03, 0)
	r.refute(1)
}

// lemma2Flow compares the hybrid recursion (7) at ε = 0 with the attention flow, which Runge-Kutta steps
// integrate. The comparison is of the largest distance between tokens of the two models, over all tokens and
// all layers up to time 1.
func lemma2Flow(f *fixture, r *report) {
	for _, a := range bothAttentions {
		for _, beta := range []float64{1, 3} {
			c := uniformTokens(6, 4, beta, 0)
			c.Model, c.Attention = sde.Flow{}, a
			var distances [2]float64
			for k, c := range atDepths(c, 512, 1024) {
				distances[k] = distanceToFlow(f, c)
			}
			r.equal("order in 1/L, "+describe(c), 1, math.Log2(distances[0]/distances[1]), 0.1)
		}
	}
}

// distanceToFlow returns the largest distance between the tokens of the hybrid recursion at ε = 0 and those
// of the attention flow up to time 1, from the same start.
func distanceToFlow(f *fixture, c sde.Cell) float64 {
	hybrid := c
	hybrid.Model = sde.Hybrid{}
	recursion := newDeterministic(f, hybrid)
	c.Model = sde.Flow{Scheme: sde.RK4}
	flow := newDeterministic(f, c)
	largest, difference := 0.0, make([]float64, c.Dim)
	for range c.Depth {
		for _, d := range []*deterministic{recursion, flow} {
			ensure(d.stepper.Step(d.x, d.increment))
		}
		for i := 0; i < len(flow.x); i += c.Dim {
			for k := range difference {
				difference[k] = recursion.x[i+k] - flow.x[i+k]
			}
			largest = max(largest, math.Sqrt(sphere.Dot(difference, difference)))
		}
	}
	return largest
}

// deterministic is the trajectory of a model without noise. In the hybrid with ε = 0, the increments have no
// effect.
type deterministic struct {
	stepper      sde.Stepper
	x, increment []float64
}

func newDeterministic(f *fixture, c sde.Cell) *deterministic {
	d := &deterministic{stepper: sde.NewStepper(f.cell(c)), x: make([]float64, c.Tokens*c.Dim)}
	d.increment = slices.Repeat([]float64{1}, d.stepper.IncrementLen())
	numbers := make([]float64, 2*len(d.x)) // more random numbers than a start needs
	f.normals(startNumbers, len(numbers))(numbers)
	ensure(c.Start.Fill(d.x, c.Dim, 0, func() float64 {
		next := numbers[0]
		numbers = numbers[1:]
		return next
	}))
	return d
}

// hybridPair returns a cell of two tokens of the hybrid recursion (7) with bounded noise.
func hybridPair(beta, epsilon float64, attention sde.Attention, depth int, start sde.Start) sde.Cell {
	return sde.Cell{
		Model: sde.Hybrid{Law: sde.Rademacher, Epsilon: epsilon}, Method: sde.Chain, Attention: attention,
		Tokens: 2, Dim: 3, Beta: beta, Depth: depth, Start: start,
	}
}

// lemma3Hybrid tests the convergence of the hybrid recursion (7). Two tokens are compared with the
// Fokker-Planck equation of (8), and three tokens with Heun's scheme for (8) on the same Brownian paths.
func lemma3Hybrid(f *fixture, r *report) {
	const horizon, nextOrder = 1.0, 0.003
	for c := range parts(r, []sde.Cell{
		hybridPair(1, 0.6, sde.Softmax, 32, sde.PairStart{Overlap: 0}),
		hybridPair(1, 1.4, sde.Softmax, 32, sde.PairStart{Overlap: 0}),
		hybridPair(1, 0.3, sde.Unnormalized, 32, sde.PairStart{Overlap: 0}),
		hybridPair(1, 0.7, sde.Unnormalized, 32, sde.PairStart{Overlap: 0}),
	}) {
		diffusion := must(theory.Diffusion(c))
		laws := must(fokkerplanck.From(diffusion, 0, []float64{horizon}, 1e-6))
		var observed [2][]pair
		for k, cell := range atDepths(c, c.Depth, 2*c.Depth) {
			layer := int64(horizon * float64(cell.Depth))
			observed[k] = atLayer(f, cell, 20_000, layer, pairOf)
		}
		limit := func(function func(z float64) float64) estimate {
			at := func(p pair) float64 { return function(p.z()) }
			return meanOf(observed[1], at).scaled(2).minus(meanOf(observed[0], at))
		}
		r.normal("limit of E Z, "+describe(c), laws[0].Expectation(identity), limit(identity),
			0.06, nextOrder)
		r.normal("limit of E Z², "+describe(c), laws[0].Expectation(square), limit(square), 0.04,
			nextOrder)
	}
	many := uniformTokens(3, 3, 1, 0)
	many.Model = sde.Hybrid{Law: sde.Gaussian, Epsilon: 1.2}
	heun := many
	heun.Model = sde.HybridSDE{Epsilon: 1.2, Scheme: sde.Heun}
	both := append(atDepths(many, 32, 64), atDepths(heun, 32, 64)...)
	values := coupledValues(f, both, 2000, horizon)
	r.normal("E of mean Z² of 3 tokens, less that of Heun's scheme", 0, combination(values, -1, 2, 1, -2),
		0.032, nextOrder)
}

func identity(x float64) float64 { return x }
func square(x float64) float64   { return float64(x * x) }
