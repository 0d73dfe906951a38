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
			c := sde.Cell{Model: sde.Flow{}, Attention: a, Tokens: 6, Dim: 4, Beta: beta, Start: sde.UniformStart{}}
			var distances [2]float64
			for k, c := range atDepths(c, 512, 1024) {
				var err error
				if distances[k], err = distanceToFlow(l, c); err != nil {
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
func distanceToFlow(l *laboratory, c sde.Cell) (float64, error) {
	hybrid := c
	hybrid.Model = sde.Hybrid{}
	recursion, err := newDeterministic(l, hybrid)
	if err != nil {
		return 0, err
	}
	c.Model = sde.Flow{Scheme: sde.RK4}
	flow, err := newDeterministic(l, c)
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

// deterministic is the tokens of a model without noise: of the hybrid with ε = 0 any amplitude does
// nothing.
type deterministic struct {
	stepper      sde.Stepper
	x, increment []float64
}

func newDeterministic(l *laboratory, c sde.Cell) (*deterministic, error) {
	d := &deterministic{stepper: sde.NewStepper(l.cell(c)), x: make([]float64, c.Tokens*c.Dim)}
	for range d.stepper.IncrementLen() {
		d.increment = append(d.increment, 1)
	}
	numbers := make([]float64, 2*len(d.x)) // more than a start takes
	l.normals(startNumbers, len(numbers))(numbers)
	return d, c.Start.Fill(d.x, c.Dim, 0, func() float64 {
		next := numbers[0]
		numbers = numbers[1:]
		return next
	})
}
