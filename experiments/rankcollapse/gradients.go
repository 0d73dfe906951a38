package rankcollapse

import (
	"errors"
	"math"

	"antipode/experiments/internal/networks"
	"antipode/overlap/collapse"
	"antipode/sde/network"
	"antipode/sphere/elementary"
)

// distanceParts returns the parts of Fig. 7: distances of attention from uniform for several dimensions of
// keys, with d = 100 as in the paper.
func distanceParts(paper bool) (parts []part) {
	tokens, dim, keys, count := 10, 40, []int{10, 30, 100, 300, 1000}, int64(20)
	if paper {
		tokens, dim, keys, count = 50, 100, []int{10, 20, 50, 100, 200, 500, 1000, 2000, 5000}, 200
	}
	for _, keyDim := range keys {
		n := xavier(tokens, dim, 1, 0, 1, 1)
		n.KeyDim, n.QueryKey2 = keyDim, float64(dim)*collapse.Glorot(dim, keyDim)
		parts = append(parts, part{network: n, networks: count,
			rows: func(runs [][]network.Layer) ([]Row, error) {
				distance, err1 := gaussian(n).Distance(keyDim)
				derivative, err2 := gaussian(n).DerivativeDistance(keyDim)
				row := func(quantity Quantity, theory float64, of func(l network.Layer) float64) Row {
					e := networks.EstimateOf(runs, 1,
						func(l network.Layer) float64 { return of(l) / float64(tokens) })
					r := rowOf(n, quantity, Constant)
					r.Layer, r.Theory = 1, theory/float64(tokens*tokens)
					r.Simulated, r.Stderr = e.Value, e.Stderr
					return r
				}
				return []Row{
					row(Distance, distance, func(l network.Layer) float64 { return l.Excess }),
					row(DerivativeDistance, derivative, func(l network.Layer) float64 { return l.Jacobian }),
				}, errors.Join(err1, err2)
			}})
	}
	return parts
}

// gaussian returns the law of the input tokens of a network.
func gaussian(n network.Network) collapse.Gaussian {
	return collapse.Gaussian{Tokens: n.Tokens, Dim: n.Dim, Variance: n.Q, Correlation: n.P / n.Q}
}

// The correlation and the standard deviation of the input tokens of Fig. 12 in the panels in which these do
// not vary.
const gradientRho, gradientSigma = 0.2, 0.5

// gradientSizes returns the number of tokens and the dimension of Fig. 12 for the panels in which these do
// not vary. gradientSizes also returns the values of both for the panels in which they vary.
func gradientSizes(paper bool) (tokens, dim int, sizes []int) {
	if paper {
		return 32, 64, []int{8, 16, 32, 64, 128, 256}
	}
	return 16, 16, []int{4, 8, 16, 32}
}

// gradientParts returns the parts of Fig. 12: gradients for four parameters that vary one at a time. The
// paper has 20 runs for each point.
func (c *Experiment) gradientParts(paper bool) (parts []part) {
	tokens, dim, sizes := gradientSizes(paper)
	count := map[bool]int64{false: 60, true: 20}[paper]
	seen := map[[4]float64]bool{}
	add := func(tokens, dim int, rho, sigma float64) {
		at := [4]float64{float64(tokens), float64(dim), rho, sigma}
		if seen[at] {
			return
		}
		seen[at] = true
		n, temperature := c.heated(xavier(tokens, dim, 1, rho, sigma, 1))
		parts = append(parts, part{network: n, networks: count, gradients: true, temperature: temperature,
			rows: func(runs [][]network.Layer) ([]Row, error) { return gradientRows(n, temperature, runs) }})
	}
	for _, d := range sizes {
		add(tokens, d, gradientRho, gradientSigma)
	}
	for _, t := range sizes {
		add(t, dim, gradientRho, gradientSigma)
	}
	for _, rho := range []float64{0, 0.2, 0.4, 0.6, 0.8} {
		add(tokens, dim, rho, gradientSigma)
	}
	for _, sigma := range []float64{0.25, 0.5, 1, 2} {
		add(tokens, dim, gradientRho, sigma)
	}
	return parts
}

// heated returns a network whose attention scores are multiplied by the requested factor τ, together with τ.
// The query and key weights W of this network have a standard deviation that is √τ times as large: W = √τ W′.
// The scores are then those of weights W′ with the factor τ, and gradients satisfy ∂S/∂W′ = √τ ∂S/∂W.
func (c *Experiment) heated(n network.Network) (network.Network, float64) {
	temperature, err := 1., error(nil)
	if c.Temperature != nil {
		temperature = *c.Temperature
	} else if temperature, err = gaussian(n).Temperature(); err != nil {
		panic(err) // cannot happen: in no figure are all tokens equal
	}
	n.QueryKey2 *= temperature
	return n, temperature
}

// gradientRows returns the gradients of attention's output with respect to queries, keys and input at a point
// of Fig. 12.
func gradientRows(n network.Network, temperature float64, runs [][]network.Layer) ([]Row, error) {
	g := gaussian(n)
	weights, err1 := g.QueryGradient(temperature)
	input, err2 := g.InputGradient(temperature)
	row := func(quantity Quantity, theory float64, of func(l network.Layer) float64) Row {
		e := networks.EstimateOf(runs, 1, of)
		r := rowOf(n, quantity, Constant)
		r.Layer, r.Temperature, r.Theory, r.Simulated, r.Stderr = 1, temperature, theory, e.Value, e.Stderr
		return r
	}
	rows := []Row{
		row(QueryGradient, weights, func(l network.Layer) float64 { return temperature * l.Local.Query }),
		row(KeyGradient, weights, func(l network.Layer) float64 { return temperature * l.Local.Key }),
		row(InputGradient, input, func(l network.Layer) float64 { return l.Local.Input }),
	}
	var err3 error
	if temperature == 1 {
		rows[2].Bound, err3 = g.PrintedInputBound()
	}
	return rows, errors.Join(err1, err2, err3)
}

// ratioGrid calls add for each point of Figs. 13 and 14: a number of tokens, a dimension, and a correlation
// and a standard deviation of the input.
func ratioGrid(paper bool, add func(tokens, dim int, rho, sigma float64)) {
	sizes := []int{4, 8, 16}
	if paper {
		sizes = []int{8, 16, 32, 64, 128}
	}
	for _, sigma := range []float64{0.25, 0.5, 1} {
		for _, rho := range []float64{0, 0.3, 0.6, 0.9} {
			for _, dim := range sizes {
				for _, tokens := range sizes {
					add(tokens, dim, rho, sigma)
				}
			}
		}
	}
}

// logRatio returns the theoretical log10 of the squared gradient with respect to queries divided by that with
// respect to values.
func logRatio(g collapse.Gaussian, temperature float64) (float64, error) {
	query, err := g.QueryGradient(temperature)
	if err != nil {
		return 0, err
	}
	value, err := g.ValueGradient()
	return logarithm(query / value), err
}

// ratioRow returns the row of a point of Figs. 13 and 14 with the theory, and without results of networks.
func ratioRow(n network.Network, temperature float64) (Row, error) {
	r, err := rowOf(n, LogRatio, Constant), error(nil)
	r.Layer, r.Temperature = 1, temperature
	r.Theory, err = logRatio(gaussian(n), temperature)
	return r, err
}

// ratioTheory returns the parts of Fig. 14: the theoretical ratio of gradients at each point.
func (c *Experiment) ratioTheory(paper bool) (parts []part) {
	ratioGrid(paper, func(tokens, dim int, rho, sigma float64) {
		n, temperature := c.heated(xavier(tokens, dim, 1, rho, sigma, 1))
		parts = append(parts, part{rows: func([][]network.Layer) ([]Row, error) {
			r, err := ratioRow(n, temperature)
			return []Row{r}, err
		}})
	})
	return parts
}

// ratioParts returns the parts of Fig. 13: the ratio of gradients in random networks at each point.
func (c *Experiment) ratioParts(paper bool) (parts []part) {
	count := int64(8)
	if paper {
		count = 20
	}
	ratioGrid(paper, func(tokens, dim int, rho, sigma float64) {
		n, temperature := c.heated(xavier(tokens, dim, 1, rho, sigma, 1))
		parts = append(parts, part{network: n, networks: count, gradients: true, temperature: temperature,
			rows: func(runs [][]network.Layer) ([]Row, error) {
				r, err := ratioRow(n, temperature)
				e := networks.RatioOf(runs, 1, func(l network.Layer) (x, y float64) {
					return temperature * l.Local.Query, l.Local.Value
				})
				r.Simulated, r.Stderr = logarithm(e.Value), e.Stderr/(e.Value*math.Ln10)
				return []Row{r}, err
			}})
	})
	return parts
}

// logarithm returns the logarithm to base 10.
func logarithm(x float64) float64 { return elementary.Log(x) / math.Ln10 }
