package sde

import (
	"antipode/internal/enum"
	"antipode/sde/internal/steppers"
)

// Calculus is the interpretation of a stochastic integral: Ito or Stratonovich.
type Calculus = steppers.Calculus

// Ito is the calculus in which equations (6) and (8) are written: the integrand of a stochastic integral is
// evaluated at the beginning of a time step.
type Ito = steppers.Ito

// Stratonovich is the calculus of the ordinary chain rule: the integrand of a stochastic integral is
// evaluated in the middle of a time step. Equations without noise also count as Stratonovich equations.
type Stratonovich = steppers.Stratonovich

// Term is a stochastic differential equation for N tokens of dimension d on the sphere, given by its tangent
// drift b and its diffusion g,
//
//	dY_i = b_i(Y) dt + g_i(Y)[dW]                        in the sense of Stratonovich,
//	dY_i = (b_i(Y) - ½ Σ_k |g_i(Y)[e_k]|² Y_i) dt + g_i(Y)[dW]    in the sense of Itô,
//
// where k runs over the entries of the Brownian motion W. The term -½ Σ_k |g_i(Y)[e_k]|² Y_i is the radial
// drift, which keeps a solution in the sense of Itô on the sphere. As the radial drift follows from g, it is
// not part of a Term; a numerical scheme realises the radial drift by retraction or by a step along a
// geodesic.
//
// The methods of a Term are:
//
//   - Shape returns the number N and the dimension d of the tokens.
//   - NoiseLen returns the number of entries of a Brownian increment, which is 0 for an equation without
//     noise.
//   - Increment(dst, x, dt, noise) writes the tangents b(x)·dt + g(x)[noise] to dst (N×d). The tokens x (N×d)
//     are unit vectors. The Brownian increment noise has variance dt in each entry. The slices dst and x must
//     not overlap.
//   - Calculus returns a value whose type is the calculus. So a scheme for one calculus cannot be given the
//     drift of the other calculus.
//
// A term reuses working memory: a term does not allocate, and must not be used concurrently. With
// CommonNoise, tokens that coincide bit for bit get the same increments.
type Term[C Calculus] = steppers.Term[C]

// Noise says which tokens of an equation share their Brownian motion.
type Noise int8

const (
	// CommonNoise drives all tokens by one Brownian motion, as the layers of a Transformer do.
	CommonNoise Noise = iota
	// IndependentNoise drives each token by its own Brownian motion. In the sense of Itô, the equation of
	// each single token is the same with independent noise as with common noise. With independent noise the
	// tokens are correlated only through their attention, and coinciding tokens separate.
	IndependentNoise
)

// NoiseNames are the names of the kinds of noise, in the order of the constants.
var NoiseNames = []string{"common", "independent"}

// String returns the name of the kind of noise.
func (n Noise) String() string { return enum.Name(NoiseNames, n, "Noise") }

// MarshalText returns the name of the kind of noise, or an error for a value that has no name.
func (n Noise) MarshalText() ([]byte, error) { return enum.Marshal(NoiseNames, n, "noise") }

// UnmarshalText sets the kind of noise to that with the given name, one of NoiseNames.
func (n *Noise) UnmarshalText(text []byte) error { return enum.Unmarshal(NoiseNames, n, "noise", text) }
