package verify

import (
	"math"

	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"
)

// freePair is a pair of tokens that follows (6) by Euler-Maruyama steps without retraction.
type freePair struct {
	cell           sde.Cell
	stepper        sde.Stepper // the noise alone
	x, unit, field []float64
	drift          bool    // the radial drift of (6), or none
	growth         float64 // the integral of (d-1)σ²|A|² of the first token
}

func newFreePair(l *laboratory, depth int, drift bool) *freePair {
	const dim = 3
	c := l.cell(sde.Cell{Model: sde.TransformerSDE{Sigma: 1}, Tokens: 2, Dim: dim, Beta: 1, Depth: depth, Start: sde.PairStart{Overlap: 0.2}})
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

// step takes both tokens over a step, the drift from where they were before.
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

// grown is |Y|² of the first token at time 1, and what it has to grow by without the drift.
type grown struct{ square, expected float64 }

// follow returns what becomes of so many pairs.
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
// variance falls like 1/L. Its mean is 1 up to order 1/L.
func lemma1Sphere(l *laboratory, r *report) error {
	var spread [2]estimate
	for k, depth := range []int{32, 128} {
		rows, err := newFreePair(l, depth, true).follow(l.seed, 3000)
		if err != nil {
			return err
		}
		r.normal("E|Y|² at time 1", 1, meanOf(rows, func(g grown) float64 { return g.square }), 0.005, 1/float64(depth))
		r.refute(2)
		spread[k] = meanOf(rows, func(g grown) float64 { return square(g.square - 1) })
	}
	order := logarithmOf(spread[0]).minus(logarithmOf(spread[1])).scaled(0.5 / ln2)
	r.normal("order in 1/L of E(|Y|²-1)²", 1, order, 0.04, 0.1)
	return nil
}

// lemma1Naive: without the drift |Y|² grows by (d-1)σ²|A|² per unit of time in the mean, in
// each step as in the equation.
func lemma1Naive(l *laboratory, r *report) error {
	rows, err := newFreePair(l, 32, false).follow(l.seed, 4000)
	if err != nil {
		return err
	}
	expected := meanOf(rows, func(g grown) float64 { return g.expected }).value
	beyond := meanOf(rows, func(g grown) float64 { return g.square - g.expected })
	r.normal("E|Y|² at time 1", 1+expected, estimate{expected + beyond.value, beyond.stderr}, 0.02, 0)
	r.refute(1)
	return nil
}
