package verify

import (
	"antipode/experiments/internal/theory"
	"antipode/overlap/fokkerplanck"
	"antipode/sde"
)

// hybridPair is a pair of tokens of the hybrid recursion (7) with bounded noise.
func hybridPair(beta, epsilon float64, attention sde.Attention, depth int, start sde.Start) sde.Cell {
	return sde.Cell{
		Model: sde.Hybrid{Law: sde.Rademacher, Epsilon: epsilon}, Method: sde.Chain, Attention: attention, Tokens: 2, Dim: 3, Beta: beta, Depth: depth, Start: start,
	}
}

// lemma3Hybrid compares two tokens with the Fokker-Planck equation of (8), and three with
// Heun's scheme for (8) on the same Brownian paths.
func lemma3Hybrid(l *laboratory, r *report) error {
	const horizon, nextOrder = 1.0, 0.003
	for _, c := range []sde.Cell{
		hybridPair(1, 0.6, sde.Softmax, 32, sde.PairStart{Overlap: 0}), hybridPair(1, 1.4, sde.Softmax, 32, sde.PairStart{Overlap: 0}),
		hybridPair(1, 0.3, sde.Unnormalized, 32, sde.PairStart{Overlap: 0}), hybridPair(1, 0.7, sde.Unnormalized, 32, sde.PairStart{Overlap: 0}),
	} {
		diffusion, err := theory.Diffusion(c)
		if err != nil {
			return err
		}
		laws, err := fokkerplanck.From(diffusion, 0, []float64{horizon}, 1e-6)
		if err != nil {
			return err
		}
		var seen [2][]pair
		for k, cell := range atDepths(c, c.Depth, 2*c.Depth) {
			if seen[k], err = atLayer(l, cell, 20_000, int64(horizon*float64(cell.Depth)), seePair); err != nil {
				return err
			}
		}
		limit := func(function func(z float64) float64) estimate {
			at := func(p pair) float64 { return function(p.z()) }
			return meanOf(seen[1], at).scaled(2).minus(meanOf(seen[0], at))
		}
		r.normal("limit of E Z, "+describe(c), laws[0].Expectation(identity), limit(identity), 0.012, nextOrder)
		r.normal("limit of E Z², "+describe(c), laws[0].Expectation(square), limit(square), 0.008, nextOrder)
	}
	many := sde.Cell{Model: sde.Hybrid{Law: sde.Gaussian, Epsilon: 1.2}, Tokens: 3, Dim: 3, Beta: 1, Start: sde.UniformStart{}}
	heun := many
	heun.Model = sde.HybridSDE{Epsilon: 1.2, Scheme: sde.Heun}
	values, err := coupledValues(l, append(atDepths(many, 32, 64), atDepths(heun, 32, 64)...), 2000, horizon, meanSquare)
	if err != nil {
		return err
	}
	r.normal("E of mean Z² of 3 tokens, less that of Heun's scheme", 0, combination(values, -1, 2, 1, -2), 0.004, nextOrder)
	return nil
}

func identity(x float64) float64 { return x }
func square(x float64) float64   { return float64(x * x) }
