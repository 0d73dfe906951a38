package sde

import "antipode/sphere"

// naive is the integrator of NewNaive.
type naive struct {
	integrator[Ito]
	unit []float64 // the directions of the tokens
}

// NewNaive returns a demonstration of why an equation of Itô on the sphere has a radial
// drift: the Euler-Maruyama scheme with steps dt for the equation without that drift,
// and without retraction. It leaves the sphere, and no cell uses it. The
// coefficients are those at Y_i/|Y_i|, as in the paper's example on the circle,
// dX = (-X₂, X₁)/|X| dW.
//
// For (6) E|Y_i|² grows at the rate (d-1)σ²|A_i|², in each step as in the equation. Unlike
// other steppers it does not keep norms; it fails if one is zero or no longer finite.
func NewNaive(term Term[Ito], dt float64) Stepper {
	s := newIntegrator(term, dt)
	return &naive{s, make([]float64, len(s.change))}
}

func (s *naive) Step(x, noise []float64) error {
	d := s.d
	for i := range s.tokens {
		if err := checkNorm(sphere.Normalize(s.unit[i*d:(i+1)*d], x[i*d:(i+1)*d]), i); err != nil {
			return err
		}
	}
	s.term.Increment(s.change, s.unit, s.dt, noise)
	addScaled(x, 1, s.change)
	return nil
}
