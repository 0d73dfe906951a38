package sde

import "antipode/sde/internal/enum"

// Scheme is a numerical scheme for a continuous-time limit.
type Scheme int8

const (
	// Euler is Euler-Maruyama with retraction; of the flow, eq. (7) with ε = 0.
	Euler Scheme = iota
	// Geodesic is Euler-Maruyama along a geodesic.
	Geodesic
	// Heun is Stratonovich-Heun with retraction.
	Heun
	// RK4 is the classical Runge-Kutta scheme with retraction, of the flow alone.
	RK4
)

// SchemeNames are the names of the schemes, in the order of their values.
var SchemeNames = []string{"euler", "geodesic", "heun", "rk4"}

// String returns the scheme's name.
func (s Scheme) String() string { return enum.Name(SchemeNames, s, "Scheme") }

// MarshalText returns the scheme's name, or an error if it has none.
func (s Scheme) MarshalText() ([]byte, error) { return enum.Marshal(SchemeNames, s, "scheme") }

// UnmarshalText takes one of SchemeNames.
func (s *Scheme) UnmarshalText(text []byte) error {
	return enum.Unmarshal(SchemeNames, s, "scheme", text)
}

// noisySchemes returns the schemes that fit an equation with noise.
func noisySchemes() []Scheme { return []Scheme{Euler, Geodesic, Heun} }

// checkSchemeAndNoise refuses a scheme or a kind of noise that does not fit a model.
func checkSchemeAndNoise(m Model, scheme Scheme, noise Noise) error {
	if err := checkFit("scheme", scheme, m.Schemes(), m); err != nil {
		return err
	}
	return checkFit("noise", noise, m.Noises(), m)
}

// ItoTerm is the cell's limit in the sense of Itô: eq. (6) for Transformer and
// TransformerSDE, eq. (8) for Hybrid and HybridSDE, the flow for Flow. The cell must
// be valid; its depth, scheme, law and start do not matter.
func (c Cell) ItoTerm() Term[Ito] { return c.Model.equation().ito(c) }

// newScheme returns a scheme for the equation of a cell, with steps 1/Depth.
func newScheme(s Scheme, e equation, c Cell) Stepper {
	dt := 1 / float64(c.Depth)
	switch s {
	case Euler:
		return newEuler(withSublayers(c, e.ito(c)), dt)
	case Geodesic:
		return newGeodesic(withSublayers(c, e.ito(c)), dt)
	case Heun:
		return newHeun(withSublayers(c, e.stratonovich(c)), dt)
	case RK4:
		return newRK4(e.stratonovich(c), dt)
	}
	panic("sde: unknown scheme " + s.String())
}
