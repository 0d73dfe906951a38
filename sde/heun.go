package sde

type heun struct {
	integrator[Stratonovich]
	predicted, second []float64
}

// newHeun returns the Stratonovich-Heun scheme with retraction and steps dt:
//
//	k₁ = b(Y) Δt + g(Y)[ΔW],  Ȳ = normalise(Y + k₁),  k₂ = b(Ȳ) Δt + g(Ȳ)[ΔW],
//	Y ← normalise(Y + (k₁+k₂)/2).
//
// It is the Heun scheme for coefficients that are extended off the sphere so as not to
// depend on |Y|. Weak order 1; order 2 without noise.
func newHeun(term Term[Stratonovich], dt float64) Stepper {
	s := newIntegrator(term, dt)
	return &heun{s, make([]float64, len(s.change)), make([]float64, len(s.change))}
}

func (s *heun) Step(x, noise []float64) error {
	s.term.Increment(s.change, x, s.dt, noise)
	if err := s.retract(s.predicted, x, 1, s.change); err != nil {
		return err
	}
	s.term.Increment(s.second, s.predicted, s.dt, noise)
	addScaled(s.change, 1, s.second)
	return s.retract(x, x, 0.5, s.change)
}

type rk4 struct {
	integrator[Stratonovich]
	stage, slope []float64
}

// newRK4 returns the classical Runge-Kutta scheme with retraction of all stages and
// steps dt. It has order 4 for a term without noise; no order is claimed with noise.
func newRK4(term Term[Stratonovich], dt float64) Stepper {
	s := newIntegrator(term, dt)
	return &rk4{s, make([]float64, len(s.change)), make([]float64, len(s.change))}
}

func (s *rk4) Step(x, noise []float64) error {
	s.term.Increment(s.change, x, s.dt, noise)
	copy(s.slope, s.change)
	for _, stage := range [...]struct{ reach, weight float64 }{{0.5, 2}, {0.5, 2}, {1, 1}} {
		if err := s.retract(s.stage, x, stage.reach, s.slope); err != nil {
			return err
		}
		s.term.Increment(s.slope, s.stage, s.dt, noise)
		addScaled(s.change, stage.weight, s.slope)
	}
	return s.retract(x, x, 1./6, s.change)
}
