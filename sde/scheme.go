package sde

import (
	"antipode/internal/enum"
	"antipode/sde/internal/attention"
	"antipode/sde/internal/steppers"
)

// Scheme is a numerical scheme for a continuous-time limit.
type Scheme int8

const (
	// Euler is the Euler-Maruyama scheme with retraction to the sphere; for the flow, it is eq. (7) with ε =
	// 0.
	Euler Scheme = iota
	// Geodesic is the Euler-Maruyama scheme whose steps follow geodesics of the sphere.
	Geodesic
	// Heun is the Stratonovich-Heun scheme with retraction to the sphere.
	Heun
	// RK4 is the classical Runge-Kutta scheme of order 4 with retraction to the sphere; it is only for the
	// flow.
	RK4
)

// SchemeNames are the names of the numerical schemes, in the order of the constants.
var SchemeNames = []string{"euler", "geodesic", "heun", "rk4"}

// String returns the name of the numerical scheme.
func (s Scheme) String() string { return enum.Name(SchemeNames, s, "Scheme") }

// MarshalText returns the name of the scheme, or an error for a value that has no name.
func (s Scheme) MarshalText() ([]byte, error) { return enum.Marshal(SchemeNames, s, "scheme") }

// UnmarshalText sets the scheme to that with the given name, one of SchemeNames.
func (s *Scheme) UnmarshalText(text []byte) error {
	return enum.Unmarshal(SchemeNames, s, "scheme", text)
}

// noisySchemes returns the schemes that fit a stochastic differential equation.
func noisySchemes() []Scheme { return []Scheme{Euler, Geodesic, Heun} }

// checkSchemeAndNoise returns an error for a scheme or a kind of noise that does not fit a model.
func checkSchemeAndNoise(m Model, scheme Scheme, noise Noise) error {
	if err := checkFit("scheme", scheme, m.Schemes(), m); err != nil {
		return err
	}
	return checkFit("noise", noise, m.Noises(), m)
}

// ItoTerm returns the cell's limit in the sense of Itô: eq. (6) for Transformer and TransformerSDE, eq. (8)
// for Hybrid and HybridSDE, the flow for Flow. The cell must be valid; the equation does not depend on the
// cell's depth, scheme, law and start.
func (c Cell) ItoTerm() Term[Ito] { return c.Model.equation().ito(c.newAttention()) }

// newScheme returns a stepper that applies a scheme to the equation of a cell, with time steps 1/Depth.
func newScheme(s Scheme, e equation, c Cell, a *attention.Attention) Stepper {
	dt := 1 / float64(c.Depth)
	switch s {
	case Euler:
		return steppers.NewEuler(withSublayers(c, e.ito(a)), dt)
	case Geodesic:
		return steppers.NewGeodesic(withSublayers(c, e.ito(a)), dt)
	case Heun:
		return steppers.NewHeun(withSublayers(c, e.stratonovich(a)), dt)
	case RK4:
		return steppers.NewRK4(e.stratonovich(a), dt)
	}
	panic("sde: unknown scheme " + s.String())
}

// withSublayers adds the drift and the MLP of a cell to a term; for a cell without drift and MLP it returns
// the term itself.
func withSublayers[C Calculus](c Cell, term Term[C]) Term[C] {
	if c.Plain() {
		return term
	}
	if c.Drift == 0 {
		return steppers.WithSublayers(term, nil, 0, c.MLP.layer())
	}
	return steppers.WithSublayers(term, c.newAttention(), c.Drift, c.MLP.layer())
}

// NewNaive returns a demonstration of why an equation of Itô on the sphere has a radial drift: the
// Euler-Maruyama scheme with steps dt for the equation without that drift, and without retraction. The tokens
// Y_i of this scheme leave the sphere, and no cell uses the scheme. The coefficients are evaluated at
// Y_i/|Y_i|, as in the paper's example on the circle, dX = (-X₂, X₁)/|X| dW.
//
// For equation (6) without the radial drift, E|Y_i|² grows at the rate (d-1)σ²|A_i|², in each step of the
// scheme as in the equation. Unlike other steppers, the naive stepper does not keep the norms of tokens; it
// fails if the norm of a token is zero or not finite.
func NewNaive(term Term[Ito], dt float64) Stepper { return steppers.NewNaive(term, dt) }
