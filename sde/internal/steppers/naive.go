package steppers

import (
	"antipode/sde/internal/linear"
	"antipode/sphere"
)

// Naive is the Euler-Maruyama scheme without radial drift and without retraction: see sde.NewNaive.
type Naive struct {
	integrator[Ito]
	unit []float64 // directions Y_i/|Y_i| of the tokens
}

// NewNaive returns the Euler-Maruyama scheme without radial drift and without retraction, with time steps dt.
func NewNaive(term Term[Ito], dt float64) *Naive {
	s := newIntegrator(term, dt)
	return &Naive{s, make([]float64, len(s.change))}
}

// Step advances the tokens by one step of the scheme without radial drift and retraction.
func (s *Naive) Step(x, noise []float64) error {
	d := s.d
	for i := range s.tokens {
		if err := checkNorm(sphere.Normalize(s.unit[i*d:(i+1)*d], x[i*d:(i+1)*d]), i); err != nil {
			return err
		}
	}
	s.term.Increment(s.change, s.unit, s.dt, noise)
	linear.AddScaled(x, 1, s.change)
	return nil
}
