package sde

import (
	"antipode/sde/internal/enum"
	"antipode/sde/internal/steppers"
)

// Calculus is the interpretation of a stochastic integral: Ito or Stratonovich.
type Calculus = steppers.Calculus

// Ito is the calculus of equations (6) and (8) as written: the integrand is evaluated at the beginning of a
// step.
type Ito = steppers.Ito

// Stratonovich is the calculus of the ordinary chain rule: the integrand is evaluated in the middle of a
// step. An equation without noise belongs to it as well.
type Stratonovich = steppers.Stratonovich

// Term is an equation for N tokens of dimension d on the sphere, given by its tangent drift b and its
// diffusion g,
//
//	dY_i = b_i(Y) dt + g_i(Y)[dW]                        in the sense of Stratonovich,
//	dY_i = (b_i(Y) - ½ Σ_k |g_i(Y)[e_k]|² Y_i) dt + g_i(Y)[dW]    in the sense of Itô,
//
// where k runs over the entries of the noise. The radial drift keeps a solution in the sense of Itô on the
// sphere. As it follows from g, it is not part of a term; a scheme realises it by retraction or by a step
// along a geodesic.
//
// Its methods are Shape, which returns N and d; NoiseLen, the number of entries of a Brownian increment, 0
// without noise; Increment(dst, x, dt, noise), which writes the tangents b(x)·dt + g(x)[noise] to dst (N×d)
// for unit tokens x (N×d), which dst must not overlap, and the Brownian increment of a step, of variance dt
// in each entry; and Calculus, which returns a value whose type is the calculus, so that a scheme cannot be
// given the drift of the other one.
//
// A term reuses working memory, so that it must not be used concurrently, and does not allocate. It gives
// tokens that coincide bit for bit the same increments if their noise is common.
type Term[C Calculus] = steppers.Term[C]

// Noise says which tokens share their Brownian motion.
type Noise int8

const (
	// CommonNoise drives all tokens by one Brownian motion, as the layers of a
	// Transformer do.
	CommonNoise Noise = iota
	// IndependentNoise drives each token by its own Brownian motion. The equation of each single token is the
	// same (in the sense of Itô); the tokens are correlated only through their attention, and coinciding
	// tokens separate.
	IndependentNoise
)

// NoiseNames are the names of the kinds of noise, in the order of their values.
var NoiseNames = []string{"common", "independent"}

// String returns the kind's name.
func (n Noise) String() string { return enum.Name(NoiseNames, n, "Noise") }

// MarshalText returns the kind's name, or an error if it has none.
func (n Noise) MarshalText() ([]byte, error) { return enum.Marshal(NoiseNames, n, "noise") }

// UnmarshalText takes one of NoiseNames.
func (n *Noise) UnmarshalText(text []byte) error { return enum.Unmarshal(NoiseNames, n, "noise", text) }
