package verify

import (
	"math"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

var theorem1 = []Claim{
	{
		"thm1-weak", Clustering, "Theorem 1",
		"means under recursion (4) tend to those of the SDE (6), at order 1 in 1/L",
		"a limit with another drift or variance, or a scheme or recursion that is not of weak order 1", theorem1Weak,
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
}

// theorem1Weak compares two tokens with the Fokker-Planck equation, and three, for which
// there is none, with another scheme for (6) on the same Brownian paths.
func theorem1Weak(l *laboratory, r *report) error {
	const horizon = 0.5
	depths := []int{8, 16, 32}
	extrapolation := []float64{1. / 3, -2, 8. / 3} // without the errors of orders 1 and 2
	c := transformerPair(2, 1, sde.Softmax, 0, 0.5)
	c.Method = sde.Tokens
	limit, err := l.limitOf(c)
	if err != nil {
		return err
	}
	laws, err := fokkerplanck.From(limit, 0.5, []float64{horizon}, 1e-6)
	if err != nil {
		return err
	}
	values, err := coupledValues(l, atDepths(c, depths...), 60_000, horizon, meanSquare)
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
	values, err = coupledValues(l, append(atDepths(many, depths...), atDepths(heun, depths...)...), 8000, horizon, meanSquare)
	if err != nil {
		return err
	}
	difference := combination(values, append(extrapolation, -1./3, 2, -8./3)...)
	r.normal("E of mean Z² of 3 tokens, less that of Heun's scheme", 0, difference, 0.006, 0.002)
	return nil
}

// theorem1Laws compares the other laws with the Gaussian one, entry by entry coupled
// through quantiles, without their effect of order 1/L.
func theorem1Laws(l *laboratory, r *report) error {
	const depth, nextOrder = 16, 0.003
	c := transformerPair(2, 1, sde.Softmax, 0, 0)
	c.Method = sde.Tokens
	var cells []sde.Cell
	for law := range sde.LawNames {
		c.Model = sde.Transformer{Law: sde.Law(law), Sigma: 1}
		cells = append(cells, atDepths(c, depth, 2*depth)...)
	}
	values, err := coupledValues(l, cells, 12_000, 0.5, meanSquare)
	if err != nil {
		return err
	}
	for law := 1; law < len(sde.LawNames); law++ {
		difference := make([]float64, len(cells))
		difference[0], difference[1], difference[2*law], difference[2*law+1] = 1, -2, -1, 2
		r.normal("limit of E Z², "+sde.LawNames[law]+" less gaussian", 0, combination(values, difference...), 0.008, nextOrder)
	}
	return nil
}

// table1Scaling measures the variance of the overlap at time ½. V/L is σ = L^-½ in (4).
func table1Scaling(l *laboratory, r *report) error {
	const horizon, start, trajectories = 0.5, 0.2, 100_000
	variance := func(depth int, sigma float64) (estimate, error) {
		c := transformerPair(4, 1, sde.Softmax, depth, start)
		c.Model = sde.Transformer{Sigma: sigma}
		seen, err := atLayer(l, c, trajectories, int64(horizon*float64(depth)), seePair)
		mean := meanOf(seen, pair.z).value
		return meanOf(seen, func(p pair) float64 { return (p.z() - mean) * (p.z() - mean) }), err
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
	limit, err := l.diffusion(4, 1, overlap.Softmax, 1)
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
