package steppers

import "antipode/sde/internal/linear"

// Heun is the Stratonovich-Heun scheme with retraction: see NewHeun.
type Heun struct {
	integrator[Stratonovich]
	predicted, second []float64
}

// NewHeun returns the Stratonovich-Heun scheme with retraction to the sphere and time steps dt:
//
//	k₁ = b(Y) Δt + g(Y)[ΔW],  Ȳ = normalise(Y + k₁),  k₂ = b(Ȳ) Δt + g(Ȳ)[ΔW],
//	Y ← normalise(Y + (k₁+k₂)/2).
//
// The Stratonovich-Heun scheme with retraction is the Heun scheme in R^d with coefficients that do not depend
// on |Y|. The scheme has weak order 1; for equations without noise it has order 2.
func NewHeun(term Term[Stratonovich], dt float64) *Heun {
	s := newIntegrator(term, dt)
	return &Heun{s, make([]float64, len(s.change)), make([]float64, len(s.change))}
}

// Step advances the tokens by one step of the Stratonovich-Heun scheme.
func (s *Heun) Step(x, noise []float64) error {
	s.term.Increment(s.change, x, s.dt, noise)
	if err := s.retract(s.predicted, x, 1, s.change); err != nil {
		return err
	}
	s.term.Increment(s.second, s.predicted, s.dt, noise)
	linear.AddScaled(s.change, 1, s.second)
	return s.retract(x, x, 0.5, s.change)
}

// RK4 is the classical Runge-Kutta scheme with retraction: see NewRK4.
type RK4 struct {
	integrator[Stratonovich]
	stage, slope []float64
}

// NewRK4 returns the classical Runge-Kutta scheme with time steps dt, which retracts tokens to the sphere at
// every stage. The scheme has order 4 for equations without noise; for equations with noise no order is
// claimed.
func NewRK4(term Term[Stratonovich], dt float64) *RK4 {
	s := newIntegrator(term, dt)
	return &RK4{s, make([]float64, len(s.change)), make([]float64, len(s.change))}
}

// Step advances the tokens by one step of the Runge-Kutta scheme.
func (s *RK4) Step(x, noise []float64) error {
	s.term.Increment(s.change, x, s.dt, noise)
	copy(s.slope, s.change)
	for _, stage := range [...]struct{ reach, weight float64 }{{0.5, 2}, {0.5, 2}, {1, 1}} {
		if err := s.retract(s.stage, x, stage.reach, s.slope); err != nil {
			return err
		}
		s.term.Increment(s.slope, s.stage, s.dt, noise)
		linear.AddScaled(s.change, stage.weight, s.slope)
	}
	return s.retract(x, x, 1./6, s.change)
}
