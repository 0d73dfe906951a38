package steppers

import "antipode/sphere"

// integrator holds what the numerical schemes for equations of tokens have in common. The increment of a step
// is that of the Brownian motion of the Term, with variance dt in each entry.
type integrator[C Calculus] struct {
	term      Term[C]
	tokens, d int
	dt        float64
	change    []float64 // change of the tokens in a step, N×d
}

func newIntegrator[C Calculus](term Term[C], dt float64) integrator[C] {
	tokens, d := term.Shape()
	return integrator[C]{term, tokens, d, dt, make([]float64, tokens*d)}
}

// IncrementLen returns the number of entries of the Brownian increment of the equation.
func (s *integrator[C]) IncrementLen() int { return s.term.NoiseLen() }

// retract replaces the tokens x by normalise(from + factor·change), where normalise scales every token to
// length 1.
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

// Euler is the Euler-Maruyama scheme with retraction to the sphere: see NewEuler.
type Euler struct{ integrator[Ito] }

// NewEuler returns the Euler-Maruyama scheme with retraction and time steps dt. The scheme does not add the
// radial drift of the equation, because the normalisation produces this drift:
//
//	Y_i ← normalise(Y_i + v_i),  v_i = b_i Δt + g_i[ΔW].
//
// On average the retraction adds -½|v_i|² Y_i to token Y_i, which is the radial drift up to order Δt². A
// scheme that adds the radial drift and then retracts would be as accurate for small steps. But a scheme with
// both would turn a token to the opposite side where (d-1)σ²|A_i|²Δt ≥ 2. The Euler-Maruyama scheme with
// retraction has weak order 1.
func NewEuler(term Term[Ito], dt float64) *Euler { return &Euler{newIntegrator(term, dt)} }

// Step advances the tokens by one step of the Euler-Maruyama scheme.
func (s *Euler) Step(x, noise []float64) error {
	s.term.Increment(s.change, x, s.dt, noise)
	return s.retract(x, x, 1, s.change)
}

// Geodesic is the Euler-Maruyama scheme along geodesics: see NewGeodesic.
type Geodesic struct{ integrator[Ito] }

// NewGeodesic returns the Euler-Maruyama scheme along geodesics of the sphere, with time steps dt:
//
//	Y_i ← exp_{Y_i}(v_i),  v_i = b_i Δt + g_i[ΔW],  exp_Y(v) = cos|v| Y + sin|v| v/|v|.
//
// On average a step along a geodesic adds -½|v_i|² Y_i to token Y_i, which is the radial drift up to order
// Δt². The Euler-Maruyama scheme along geodesics has weak order 1.
func NewGeodesic(term Term[Ito], dt float64) *Geodesic {
	return &Geodesic{newIntegrator(term, dt)}
}

// Step advances the tokens by one step along geodesics.
func (s *Geodesic) Step(x, noise []float64) error {
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
