package verify

import (
	"math"

	"antipode/sde"
	"antipode/sphere"
)

// freePair is a pair of tokens of (6), to be followed by Euler-Maruyama without retraction.
func freePair(depth int) sde.Cell {
	return sde.Cell{Model: sde.TransformerSDE, Tokens: 2, Dim: 3, Beta: 1, Sigma: 1, Depth: depth, Start: sde.PairStart{Overlap: 0.2}}
}

// free is what becomes of a norm without retraction up to time 1.
type free struct {
	square float64 // |Y|²
	growth float64 // the integral of (d-1)σ²|A|²
}

// followFree follows the first token of pairs by Euler-Maruyama steps without retraction,
// with the radial drift of (6) or without it.
func followFree(l *laboratory, depth, trajectories int, drift bool) ([]free, error) {
	c := l.cell(freePair(depth))
	d, dt := c.Dim, 1/float64(depth)
	stepper := sde.NewNaive(c.ItoTerm(), dt)
	increment, field, unit := make([]float64, stepper.IncrementLen()), make([]float64, 2*d), make([]float64, 2*d)
	increments := sde.NewBrownianPath(l.seed, c.ID(), depth, len(increment)).Sequence(0)
	x := make([]float64, 2*d)
	all := make([]free, trajectories)
	for k := range all {
		increments.Restart(int64(k))
		clear(x)
		x[0], x[d], x[d+1] = 1, 0.2, math.Sqrt(1-0.2*0.2)
		for range depth {
			for i := 0; i < len(x); i += d {
				sphere.Normalize(unit[i:i+d], x[i:i+d])
			}
			c.Field(field, unit)
			increments.Next(increment)
			before := append([]float64(nil), x...)
			if err := stepper.Step(x, increment); err != nil {
				return nil, err
			}
			for i := 0; i < len(x); i += d {
				rate := float64(d-1) * c.Sigma * c.Sigma * sphere.Dot(field[i:i+d], field[i:i+d])
				if i == 0 {
					all[k].growth += rate * dt
				}
				for j := range d {
					if drift {
						x[i+j] -= 0.5 * rate * dt * before[i+j]
					}
				}
			}
		}
		all[k].square = sphere.Dot(x[:d], x[:d])
	}
	return all, nil
}

// lemma1Sphere: with the radial drift |Y|² stays 1 up to the error of a step, whose
// variance falls like 1/L. With the coefficients at Y/|Y| its mean is 1 up to order 1/L.
func lemma1Sphere(l *laboratory, r *report) error {
	var spread [2]estimate
	for k, depth := range []int{32, 128} {
		rows, err := followFree(l, depth, 3000, true)
		if err != nil {
			return err
		}
		r.normal("E|Y|² at time 1", 1, meanOf(rows, func(f free) float64 { return f.square }), 0.005, 1/float64(depth))
		r.refute(2)
		spread[k] = meanOf(rows, func(f free) float64 { return (f.square - 1) * (f.square - 1) })
	}
	order := logarithmOf(spread[0]).minus(logarithmOf(spread[1])).scaled(0.5 / ln2)
	r.normal("order in 1/L of E(|Y|²-1)²", 1, order, 0.04, 0.1)
	return nil
}

// lemma1Naive: without the drift |Y|² grows by (d-1)σ²|A|² per unit of time in the mean, in
// each step as in the equation.
func lemma1Naive(l *laboratory, r *report) error {
	rows, err := followFree(l, 32, 4000, false)
	if err != nil {
		return err
	}
	growth := meanOf(rows, func(f free) float64 { return f.growth }).value
	grown := meanOf(rows, func(f free) float64 { return f.square - f.growth })
	r.normal("E|Y|² at time 1", 1+growth, estimate{growth + grown.value, grown.stderr}, 0.02, 0)
	r.refute(1)
	return nil
}
