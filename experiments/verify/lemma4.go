package verify

import (
	"math"

	"antipode/sde"
	"antipode/sde/brownian"
	"antipode/sphere"
)

// infinitesimalDepth makes one layer an infinitesimal step: what it leaves out of mean
// and variance is of the relative order 1/L, below 10^-6, and the rounding of an overlap
// is 10^-8 of a step.
const infinitesimalDepth = 1 << 26

var (
	bothAttentions = []sde.Attention{sde.Softmax, sde.Unnormalized}
	stepOverlaps   = []float64{0, -0.95, -0.7, -0.35, 0.35, 0.7, 0.95}
)

// stepCells are the pairs of which one step is compared with the limit.
func stepCells(dims ...int) []sde.Cell {
	betas := map[int]float64{2: 1, 3: 0.7, 5: 1.5}
	var cells []sde.Cell
	for _, attention := range bothAttentions {
		for _, d := range dims {
			for _, z := range stepOverlaps {
				c := transformerPair(d, betas[d], attention, infinitesimalDepth, z)
				c.Method = sde.Tokens
				cells = append(cells, c)
			}
		}
	}
	return cells
}

func lemma4Drift(l *laboratory, r *report) error {
	for _, c := range stepCells(3, 2, 5) {
		limit, err := l.limitOf(c)
		if err != nil {
			return err
		}
		z := c.Start.(sde.PairStart).Overlap
		mean, err := evenSteps(l, c, z, 4000)
		if err != nil {
			return err
		}
		r.normal(describe(c), limit.Drift(z), mean, 0.1*math.Sqrt(limit.Variance(z))*float64(c.Dim), 0)
	}
	return nil
}

// evenSteps estimates the drift of the overlap from z. In powers of L^-½ the overlap
// after a layer is z + ℓ₁L^-½ + ℓ₂/L + …, odd and even in the value matrix. Half the sum of
// a step by a matrix and of one by its opposite is ℓ₂/L, whose mean is the drift and
// whose deviation is of its own size, while that of ℓ₁ is √L times as large.
func evenSteps(l *laboratory, c sde.Cell, z float64, draws int64) (estimate, error) {
	c = l.cell(c)
	stepper, d := sde.NewStepper(c), c.Dim
	increment := make([]float64, stepper.IncrementLen())
	path := brownian.NewPath(l.seed, c.ID(), c.Depth, len(increment))
	x := make([]float64, 2*d)
	step := func() (float64, error) {
		clear(x) // the law of a step is the same for all pairs at the overlap
		x[0], x[d], x[d+1] = 1, z, math.Sqrt((1-z)*(1+z))
		err := stepper.Step(x, increment)
		return sphere.Dot(x[:d], x[d:]) - z, err
	}
	changes := make([]float64, draws)
	for k := range draws {
		path.Increment(increment, k, 0, 0)
		c.FromBrownian(increment, increment)
		plus, err := step()
		if err != nil {
			return estimate{}, err
		}
		for i := range increment {
			increment[i] = -increment[i]
		}
		minus, err := step()
		if err != nil {
			return estimate{}, err
		}
		changes[k] = 0.5 * float64(c.Depth) * (plus + minus)
	}
	return meanOf(changes, identity), nil
}

func lemma4Variance(l *laboratory, r *report) error {
	for _, c := range stepCells(3) {
		limit, err := l.limitOf(c)
		if err != nil {
			return err
		}
		variance, err := squaredSteps(l, c, 12_500)
		if err != nil {
			return err
		}
		want := limit.Variance(c.Start.(sde.PairStart).Overlap)
		r.normal(describe(c), want, variance, 0.005*want, 0)
	}
	return nil
}

// squaredSteps estimates the variance per unit of time of the overlap by the mean square
// of its change in a layer, as the engine makes it. The overlap hardly moves in some
// layers, which are as good as so many trajectories.
func squaredSteps(l *laboratory, c sde.Cell, trajectories int64) (estimate, error) {
	const layers = 16
	type row struct{ z, squares float64 }
	start := c.Start.(sde.PairStart).Overlap
	rows, err := follow(l, c, trajectories, everyLayers(1, layers), func(r *row, v *sde.View) {
		before, x := r.z, v.Tokens()
		if v.Layer == 1 {
			before = start
		}
		r.z = sphere.Dot(x[:c.Dim], x[c.Dim:])
		r.squares += float64((r.z - before) * (r.z - before))
	}, nil)
	return meanOf(rows, func(r row) float64 { return float64(c.Depth) * r.squares / layers }), err
}
