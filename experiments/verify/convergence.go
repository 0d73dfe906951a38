package verify

import (
	"math"

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
		"a limit with another drift or variance, or a scheme or recursion that is not of weak order 1",
		theorem1Weak,
	},
	{
		"thm1-laws", Clustering, "Theorem 1",
		"the limit of (4) is the same for all four laws of the value matrices",
		"a law whose entries have another variance than σ², or are not independent", theorem1Laws,
	},
	{
		"table1-scaling", Clustering, "Table 1",
		"updates V/L leave no noise in the limit, updates V/√L do",
		"a layer's update scaled by another power of L than in (4)", table1Scaling,
	},
	{
		"lemma1-sphere", Clustering, "Lemma 1",
		"the radial drift of (6) keeps tokens on the sphere",
		"noise of (6) whose variance does not balance the radial drift -(d-1)σ²|A|²/2", lemma1Sphere,
	},
	{
		"lemma1-naive", Clustering, "Section 4.1",
		"without that drift tokens leave the sphere: |Y|² grows at the rate (d-1)σ²|A|²",
		"noise of (6) that is tangent already, which would hide a missing drift", lemma1Naive,
	},
	{
		"lemma2-flow", Clustering, "Lemma 2",
		"(7) with ε = 0 tends to the attention flow, uniformly and at order 1 in 1/L",
		"(7) at ε = 0 with a step that is not 1/L, or noise in it; a flow that runs at another speed",
		lemma2Flow,
	},
	{
		"lemma3-hybrid", Clustering, "Lemma 3",
		"the hybrid recursion (7) tends to the SDE (8)",
		"a drift or variance of (8) without its Itô terms ε²F, or ε for ε²", lemma3Hybrid,
	},
}

// theorem1Weak compares two tokens with the Fokker-Planck equation, and three tokens,
// which have none, with another scheme for (6) on the same Brownian paths.
func theorem1Weak(f *fixture, r *report) error {
	const horizon = 0.5
	depths := []int{8, 16, 32}
	extrapolation := []float64{1. / 3, -2, 8. / 3} // without the errors of orders 1 and 2
	c := transformerPair(2, 1, sde.Softmax, 0, 0.5)
	c.Method = sde.Tokens
	limit, err := f.limitOf(c)
	if err != nil {
		return err
	}
	laws, err := fokkerplanck.From(limit, 0.5, []float64{horizon}, 1e-6)
	if err != nil {
		return err
	}
	values, err := coupledValues(f, atDepths(c, depths...), 60_000, horizon, meanSquare)
	if err != nil {
		return err
	}
	const higherOrders = 0.15 // of the order that depths from 8 to 32 show
	r.normal("order in 1/L", 1, orderOf(values), 0.07, higherOrders)
	want := laws[0].Expectation(square)
	r.normal("limit of E Z²", want, combination(values, extrapolation...), 0.003, 0.001)

	many := sde.Cell{Model: sde.Transformer{Sigma: 1}, Tokens: 3, Dim: 3, Beta: 1, Start: sde.UniformStart{}}
	heun := many
	heun.Model = sde.TransformerSDE{Sigma: 1, Scheme: sde.Heun}
	both := append(atDepths(many, depths...), atDepths(heun, depths...)...)
	values, err = coupledValues(f, both, 8000, horizon, meanSquare)
	if err != nil {
		return err
	}
	difference := combination(values, append(extrapolation, -1./3, 2, -8./3)...)
	r.normal("E of mean Z² of 3 tokens, less that of Heun's scheme", 0, difference, 0.006, 0.002)
	return nil
}

// theorem1Laws compares the other laws with the Gaussian one, coupled entry by entry through quantiles.
// Extrapolation removes their effect of order 1/L.
func theorem1Laws(f *fixture, r *report) error {
	const depth, nextOrder = 16, 0.003
	c := transformerPair(2, 1, sde.Softmax, 0, 0)
	c.Method = sde.Tokens
	var cells []sde.Cell
	for law := range sde.LawNames {
		c.Model = sde.Transformer{Law: sde.Law(law), Sigma: 1}
		cells = append(cells, atDepths(c, depth, 2*depth)...)
	}
	values, err := coupledValues(f, cells, 12_000, 0.5, meanSquare)
	if err != nil {
		return err
	}
	for law := 1; law < len(sde.LawNames); law++ {
		difference := make([]float64, len(cells))
		difference[0], difference[1], difference[2*law], difference[2*law+1] = 1, -2, -1, 2
		r.normal("limit of E Z², "+sde.LawNames[law]+" less gaussian", 0, combination(values, difference...),
			0.008, nextOrder)
	}
	return nil
}

// table1Scaling measures the variance of the overlap at time ½. V/L is σ = L^-½ in (4).
func table1Scaling(f *fixture, r *report) error {
	const horizon, start, trajectories = 0.5, 0.2, 100_000
	variance := func(depth int, sigma float64) (estimate, error) {
		c := transformerPair(4, 1, sde.Softmax, depth, start)
		c.Model = sde.Transformer{Sigma: sigma}
		observed, err := atLayer(f, c, trajectories, int64(horizon*float64(depth)), pairOf)
		mean := meanOf(observed, pair.z).value
		return meanOf(observed, func(p pair) float64 { return (p.z() - mean) * (p.z() - mean) }), err
	}
	coarse, err := variance(32, 1/math.Sqrt(32))
	if err != nil {
		return err
	}
	fine, err := variance(128, 1/math.Sqrt(128))
	if err != nil {
		return err
	}
	order := logarithmOf(coarse).minus(logarithmOf(fine)).scaled(0.5 / ln2)
	r.normal("V/L: order in 1/L of Var Z", 1, order, 0.01, 0.05)
	limit, err := f.diffusion(4, 1, overlap.Softmax, 1)
	if err != nil {
		return err
	}
	laws, err := fokkerplanck.From(limit, start, []float64{horizon}, 1e-6)
	if err != nil {
		return err
	}
	mean := laws[0].Expectation(identity)
	want := laws[0].Expectation(func(z float64) float64 { return (z - mean) * (z - mean) })
	staying, err := variance(128, 1)
	if err != nil {
		return err
	}
	r.normal("V/√L: Var Z", want, staying, 0.002, 0.003)
	return nil
}

// freePair is a pair of tokens that follows (6) by Euler-Maruyama steps without retraction.
type freePair struct {
	cell           sde.Cell
	stepper        sde.Stepper // the noise alone
	x, unit, field []float64
	drift          bool    // the radial drift of (6), or none
	growth         float64 // the integral of (d-1)σ²|A|² of the first token
}

func newFreePair(f *fixture, depth int, drift bool) *freePair {
	const dim = 3
	c := f.cell(sde.Cell{
		Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: dim, Beta: 1, Depth: depth,
		Start: sde.PairStart{Overlap: 0.2},
	})
	numbers := func() []float64 { return make([]float64, 2*dim) }
	return &freePair{
		cell: c, stepper: sde.NewNaive(c.ItoTerm(), 1/float64(depth)),
		x: numbers(), unit: numbers(), field: numbers(), drift: drift,
	}
}

func (f *freePair) restart() {
	const z = 0.2
	clear(f.x)
	f.x[0], f.x[f.cell.Dim], f.x[f.cell.Dim+1] = 1, z, math.Sqrt(1-z*z)
	f.growth = 0
}

// step moves both tokens by one step, with the drift at the positions before it.
func (f *freePair) step(increment []float64) error {
	d, dt := f.cell.Dim, 1/float64(f.cell.Depth)
	for i := 0; i < len(f.x); i += d {
		sphere.Normalize(f.unit[i:i+d], f.x[i:i+d])
	}
	f.cell.Field(f.field, f.unit)
	before := append(f.unit[:0], f.x...)
	if err := f.stepper.Step(f.x, increment); err != nil {
		return err
	}
	for i := 0; i < len(f.x); i += d {
		a := f.field[i : i+d]
		growth := float64(d-1) * square(f.cell.Model.(sde.TransformerSDE).Sigma) * sphere.Dot(a, a) * dt
		if i == 0 {
			f.growth += growth
		}
		if f.drift {
			for k := i; k < i+d; k++ {
				f.x[k] -= float64(0.5 * growth * before[k])
			}
		}
	}
	return nil
}

// grown is |Y|² of the first token at time 1, and its expected growth without the drift.
type grown struct{ square, expected float64 }

// follow simulates pairs.
func (f *freePair) follow(seed uint64, trajectories int) ([]grown, error) {
	increment := make([]float64, f.stepper.IncrementLen())
	path := brownian.NewPath(seed, f.cell.ID(), f.cell.Depth, len(increment)).Sequence(0)
	all := make([]grown, trajectories)
	for k := range all {
		path.Restart(int64(k))
		f.restart()
		for range f.cell.Depth {
			path.Next(increment)
			if err := f.step(increment); err != nil {
				return nil, err
			}
		}
		first := f.x[:f.cell.Dim]
		all[k] = grown{sphere.Dot(first, first), f.growth}
	}
	return all, nil
}

// lemma1Sphere: with the radial drift |Y|² stays 1 up to the error of the steps, whose
// variance is of order 1/L. Its mean is 1 up to order 1/L.
func lemma1Sphere(f *fixture, r *report) error {
	var spread [2]estimate
	for k, depth := range []int{32, 128} {
		rows, err := newFreePair(f, depth, true).follow(f.seed, 3000)
		if err != nil {
			return err
		}
		r.normal("E|Y|² at time 1", 1, meanOf(rows, func(g grown) float64 { return g.square }), 0.005,
			1/float64(depth))
		r.refute(2)
		spread[k] = meanOf(rows, func(g grown) float64 { return square(g.square - 1) })
	}
	order := logarithmOf(spread[0]).minus(logarithmOf(spread[1])).scaled(0.5 / ln2)
	r.normal("order in 1/L of E(|Y|²-1)²", 1, order, 0.04, 0.1)
	return nil
}

// lemma1Naive: without the drift |Y|² grows by (d-1)σ²|A|² per unit of time in the mean, in
// each step as in the SDE.
func lemma1Naive(f *fixture, r *report) error {
	rows, err := newFreePair(f, 32, false).follow(f.seed, 4000)
	if err != nil {
		return err
	}
	expected := meanOf(rows, func(g grown) float64 { return g.expected }).value
	beyond := meanOf(rows, func(g grown) float64 { return g.square - g.expected })
	r.normal("E|Y|² at time 1", 1+expected, estimate{expected + beyond.value, beyond.stderr}, 0.02, 0)
	r.refute(1)
	return nil
}

// lemma2Flow compares (7) at ε = 0 with the flow, integrated by Runge-Kutta steps: the largest distance
// over all tokens and all layers up to time 1.
func lemma2Flow(f *fixture, r *report) error {
	for _, a := range bothAttentions {
		for _, beta := range []float64{1, 3} {
			c := sde.Cell{
				Model: sde.Flow{}, Attention: a, Tokens: 6, Dim: 4, Beta: beta, Start: sde.UniformStart{},
			}
			var distances [2]float64
			for k, c := range atDepths(c, 512, 1024) {
				var err error
				if distances[k], err = distanceToFlow(f, c); err != nil {
					return err
				}
			}
			r.equal("order in 1/L, "+describe(c), 1, math.Log2(distances[0]/distances[1]), 0.1)
		}
	}
	return nil
}

// distanceToFlow is the largest distance between the tokens of the recursion and those of the
// flow up to time 1, from one start.
func distanceToFlow(f *fixture, c sde.Cell) (float64, error) {
	hybrid := c
	hybrid.Model = sde.Hybrid{}
	recursion, err := newDeterministic(f, hybrid)
	if err != nil {
		return 0, err
	}
	c.Model = sde.Flow{Scheme: sde.RK4}
	flow, err := newDeterministic(f, c)
	if err != nil {
		return 0, err
	}
	largest, difference := 0.0, make([]float64, c.Dim)
	for range c.Depth {
		for _, d := range []*deterministic{recursion, flow} {
			if err := d.stepper.Step(d.x, d.increment); err != nil {
				return 0, err
			}
		}
		for i := 0; i < len(flow.x); i += c.Dim {
			for k := range difference {
				difference[k] = recursion.x[i+k] - flow.x[i+k]
			}
			largest = max(largest, math.Sqrt(sphere.Dot(difference, difference)))
		}
	}
	return largest, nil
}

// deterministic is the trajectory of a model without noise: for the hybrid with ε = 0 increments have
// no effect.
type deterministic struct {
	stepper      sde.Stepper
	x, increment []float64
}

func newDeterministic(f *fixture, c sde.Cell) (*deterministic, error) {
	d := &deterministic{stepper: sde.NewStepper(f.cell(c)), x: make([]float64, c.Tokens*c.Dim)}
	for range d.stepper.IncrementLen() {
		d.increment = append(d.increment, 1)
	}
	numbers := make([]float64, 2*len(d.x)) // more than a start takes
	f.normals(startNumbers, len(numbers))(numbers)
	return d, c.Start.Fill(d.x, c.Dim, 0, func() float64 {
		next := numbers[0]
		numbers = numbers[1:]
		return next
	})
}

// hybridPair is a pair of tokens of the hybrid recursion (7) with bounded noise.
func hybridPair(beta, epsilon float64, attention sde.Attention, depth int, start sde.Start) sde.Cell {
	return sde.Cell{
		Model: sde.Hybrid{Law: sde.Rademacher, Epsilon: epsilon}, Method: sde.Chain, Attention: attention,
		Tokens: 2, Dim: 3, Beta: beta, Depth: depth, Start: start,
	}
}

// lemma3Hybrid compares two tokens with the Fokker-Planck equation of (8), and three with
// Heun's scheme for (8) on the same Brownian paths.
func lemma3Hybrid(f *fixture, r *report) error {
	const horizon, nextOrder = 1.0, 0.003
	for _, c := range []sde.Cell{
		hybridPair(1, 0.6, sde.Softmax, 32, sde.PairStart{Overlap: 0}),
		hybridPair(1, 1.4, sde.Softmax, 32, sde.PairStart{Overlap: 0}),
		hybridPair(1, 0.3, sde.Unnormalized, 32, sde.PairStart{Overlap: 0}),
		hybridPair(1, 0.7, sde.Unnormalized, 32, sde.PairStart{Overlap: 0}),
	} {
		diffusion, err := theory.Diffusion(c)
		if err != nil {
			return err
		}
		laws, err := fokkerplanck.From(diffusion, 0, []float64{horizon}, 1e-6)
		if err != nil {
			return err
		}
		var observed [2][]pair
		for k, cell := range atDepths(c, c.Depth, 2*c.Depth) {
			layer := int64(horizon * float64(cell.Depth))
			if observed[k], err = atLayer(f, cell, 20_000, layer, pairOf); err != nil {
				return err
			}
		}
		limit := func(function func(z float64) float64) estimate {
			at := func(p pair) float64 { return function(p.z()) }
			return meanOf(observed[1], at).scaled(2).minus(meanOf(observed[0], at))
		}
		r.normal("limit of E Z, "+describe(c), laws[0].Expectation(identity), limit(identity),
			0.012, nextOrder)
		r.normal("limit of E Z², "+describe(c), laws[0].Expectation(square), limit(square), 0.008, nextOrder)
	}
	many := sde.Cell{
		Model: sde.Hybrid{Law: sde.Gaussian, Epsilon: 1.2}, Tokens: 3, Dim: 3, Beta: 1,
		Start: sde.UniformStart{},
	}
	heun := many
	heun.Model = sde.HybridSDE{Epsilon: 1.2, Scheme: sde.Heun}
	both := append(atDepths(many, 32, 64), atDepths(heun, 32, 64)...)
	values, err := coupledValues(f, both, 2000, horizon, meanSquare)
	if err != nil {
		return err
	}
	r.normal("E of mean Z² of 3 tokens, less that of Heun's scheme", 0, combination(values, -1, 2, 1, -2),
		0.004, nextOrder)
	return nil
}

func identity(x float64) float64 { return x }
func square(x float64) float64   { return float64(x * x) }
