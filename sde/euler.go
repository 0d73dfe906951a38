package sde

import "antipode/sphere"

// integrator is what the schemes share. The increment of a step is that of the term's
// Brownian motion, of variance dt in each entry.
type integrator[C Calculus] struct {
	term      Term[C]
	tokens, d int
	dt        float64
	change    []float64 // of the tokens, N×d
}

func newIntegrator[C Calculus](term Term[C], dt float64) integrator[C] {
	tokens, d := term.Shape()
	return integrator[C]{term, tokens, d, dt, make([]float64, tokens*d)}
}

func (s *integrator[C]) IncrementLen() int { return s.term.NoiseLen() }

// retract replaces the tokens by normalise(from + factor·change).
func (s *integrator[C]) retract(x, from []float64, factor float64, change []float64) error {
	d := s.d
	for i := range s.tokens {
		copy(x[i*d:(i+1)*d], from[i*d:(i+1)*d])
		if err := advance(x[i*d:(i+1)*d], change[i*d:(i+1)*d], factor, i); err != nil {
			return err
		}
	}
	return nil
}

type euler struct{ integrator[Ito] }

// newEuler returns the Euler-Maruyama scheme with retraction and steps dt, which leaves out the radial drift
// before it normalises:
//
//	Y_i ← normalise(Y_i + v_i),  v_i = b_i Δt + g_i[ΔW].
//
// In the mean the retraction takes -½|v_i|² Y_i, the radial drift up to order Δt². To
// take it twice, by the drift and then by retraction, would be as good for small steps,
// but turn tokens to the other side for (d-1)σ²|A_i|²Δt ≥ 2. Weak order 1.
func newEuler(term Term[Ito], dt float64) Stepper { return &euler{newIntegrator(term, dt)} }

func (s *euler) Step(x, noise []float64) error {
	s.term.Increment(s.change, x, s.dt, noise)
	return s.retract(x, x, 1, s.change)
}

type geodesic struct{ integrator[Ito] }

// newGeodesic returns the Euler-Maruyama scheme along geodesics, with steps dt:
//
//	Y_i ← exp_{Y_i}(v_i),  v_i = b_i Δt + g_i[ΔW],  exp_Y(v) = cos|v| Y + sin|v| v/|v|.
//
// In the mean -½|v_i|² Y_i is the radial drift, up to order Δt². Weak order 1.
func newGeodesic(term Term[Ito], dt float64) Stepper { return &geodesic{newIntegrator(term, dt)} }

func (s *geodesic) Step(x, noise []float64) error {
	s.term.Increment(s.change, x, s.dt, noise)
	d := s.d
	for i := range s.tokens {
		change := s.change[i*d : (i+1)*d]
		if err := checkNorm(1+sphere.Dot(change, change), i); err != nil {
			return err
		}
		sphere.Exponential(x[i*d:(i+1)*d], x[i*d:(i+1)*d], change)
	}
	return nil
}
