package sde

import (
	"fmt"
	"slices"
	"strings"
)

// Scheme is how one step of a continuous-time limit is taken.
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
func (s Scheme) String() string { return nameOf(SchemeNames, int(s), "Scheme") }

// Schemes are the schemes that fit a model. A recursion is a scheme in itself, an
// Euler scheme with retraction, and has that name alone.
func (m Model) Schemes() []Scheme {
	switch m {
	case TransformerSDE, HybridSDE:
		return []Scheme{Euler, Geodesic, Heun}
	case Flow:
		return []Scheme{Euler, RK4}
	}
	return []Scheme{Euler}
}

// Noises are the kinds of noise that fit a model.
func (m Model) Noises() []Noise {
	switch m {
	case TransformerSDE, HybridSDE:
		return []Noise{CommonNoise, IndependentNoise}
	}
	return []Noise{CommonNoise}
}

// checkFit refuses a value that is not among those that fit a model.
func checkFit[T interface {
	comparable
	fmt.Stringer
}](what string, value T, fit []T, m Model) error {
	if slices.Contains(fit, value) {
		return nil
	}
	names := make([]string, len(fit))
	for k, v := range fit {
		names[k] = v.String()
	}
	return fmt.Errorf("%s %v: does not fit model %v; must be %s", what, value, m, strings.Join(names, " or "))
}

// ItoTerm is the cell's limit in the sense of Itô: eq. (6) for Transformer and
// TransformerSDE, eq. (8) for Hybrid and HybridSDE, the flow for Flow. The cell must
// be valid; its depth, scheme, law and start do not matter.
func (c Cell) ItoTerm() Term[Ito] {
	if c.Model == Transformer || c.Model == TransformerSDE {
		return &transformerIto{newTransformerNoise(c)}
	}
	return &hybridIto{newHybridNoise(c)}
}

// StratonovichTerm is ItoTerm in the sense of Stratonovich: another drift, the same
// process.
func (c Cell) StratonovichTerm() Term[Stratonovich] {
	if c.Model == Transformer || c.Model == TransformerSDE {
		s := newTransformerNoise(c)
		return &transformerStratonovich{s, newFieldDerivative(c, s.attention)}
	}
	s := newHybridNoise(c)
	return &hybridStratonovich{s, newFieldDerivative(c, s.attention), make([]float64, c.Dim)}
}

// newScheme returns the stepper of a cell's scheme, with steps 1/Depth.
func newScheme(c Cell) Stepper {
	dt := 1 / float64(c.Depth)
	switch c.Scheme {
	case Euler:
		return NewEuler(c.ItoTerm(), dt)
	case Geodesic:
		return NewGeodesic(c.ItoTerm(), dt)
	case Heun:
		return NewHeun(c.StratonovichTerm(), dt)
	case RK4:
		return NewRK4(c.StratonovichTerm(), dt)
	}
	panic("sde: unknown scheme " + c.Scheme.String())
}
