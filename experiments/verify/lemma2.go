package verify

import (
	"math"

	"antipode/sde"
	"antipode/sphere"
)

// lemma2Flow compares (7) with ε = 0 with the flow, by Runge-Kutta steps, in the largest
// distance over all tokens and all layers up to time 1.
func lemma2Flow(l *laboratory, r *report) error {
	for _, a := range bothAttentions {
		for _, beta := range []float64{1, 3} {
			c := sde.Cell{Model: sde.Flow, Attention: a, Tokens: 6, Dim: 4, Beta: beta, Start: sde.UniformStart{}}
			coarse, err := flowError(l, c, 512)
			if err != nil {
				return err
			}
			fine, err := flowError(l, c, 1024)
			if err != nil {
				return err
			}
			r.equal("order in 1/L, "+describe(c), 1, math.Log2(coarse/fine), 0.1)
		}
	}
	return nil
}

// flowError is the largest distance of the tokens of the recursion of a depth to those of
// the flow, from one start.
func flowError(l *laboratory, c sde.Cell, depth int) (float64, error) {
	path := func(scheme sde.Scheme) ([][]float64, error) {
		c.Depth, c.Scheme = depth, scheme
		stepper := sde.NewStepper(l.cell(c))
		x := make([]float64, c.Tokens*c.Dim)
		numbers := make([]float64, 2*len(x))
		sde.NewBrownianPath(l.seed, 1, 1, len(numbers)).Increment(numbers, 0, 0, 0)
		normal := func() float64 { v := numbers[0]; numbers = numbers[1:]; return v }
		if err := c.Start.Fill(x, c.Dim, 0, normal); err != nil {
			return nil, err
		}
		var layers [][]float64
		for range depth {
			if err := stepper.Step(x, nil); err != nil {
				return nil, err
			}
			layers = append(layers, append([]float64(nil), x...))
		}
		return layers, nil
	}
	recursion, err := path(sde.Euler)
	if err != nil {
		return 0, err
	}
	flow, err := path(sde.RK4)
	if err != nil {
		return 0, err
	}
	largest, difference := 0.0, make([]float64, c.Dim)
	for n := range recursion {
		for i := 0; i < len(recursion[n]); i += c.Dim {
			for k := range difference {
				difference[k] = recursion[n][i+k] - flow[n][i+k]
			}
			largest = max(largest, math.Sqrt(sphere.Dot(difference, difference)))
		}
	}
	return largest, nil
}
