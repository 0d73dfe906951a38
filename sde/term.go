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
// Its methods are:
//
//   - Shape returns N and d.
//   - NoiseLen returns the number of entries of a Brownian increment, which is 0 without noise.
//   - Increment(dst, x, dt, noise) writes the tangents b(x)·dt + g(x)[noise] to dst (N×d). The tokens x
//     (N×d) are unit vectors. The Brownian increment noise has variance dt in each entry. dst must not
//     overlap x.
//   - Calculus returns a value whose type is the calculus. So a scheme cannot be given the drift of the
//     other calculus.
//
// A term reuses working memory: it does not allocate, and must not be used concurrently. If the noise is
// common, tokens that coincide bit for bit get the same increments.
type Term[C Calculus] = steppers.Term[C]

// Noise says which tokens share their Brownian motion.
type Noise int8

const (
	// CommonNoise drives all tokens by one Brownian motion, as the layers of a
	// Transformer do.
	CommonNoise Noise = iota
	// IndependentNoise drives each token by its own Brownian motion. In the sense of Itô, the equation of
	// each single token is the same as for common noise. The tokens are correlated only through their
	// attention, and coinciding tokens separate.
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
