// Package steppers advances the tokens of one trajectory by one layer of a recursion, or by one step of an
// equation in continuous time, given the increment of the noise. Steppers generate no random numbers
// themselves.
package steppers

// Calculus is the definition of the stochastic integral with which an equation is written: Ito or
// Stratonovich.
type Calculus interface{ Ito | Stratonovich }

// Ito is the calculus that evaluates the integrand of a stochastic integral at the beginning of a time step.
type Ito struct{}

// Stratonovich is the calculus in which the ordinary chain rule holds.
type Stratonovich struct{}

// Term is the right-hand side of a stochastic differential equation of tokens on the sphere, written in one
// calculus: see sde.Term.
//
// The calculus is part of the type of a Term, so that no numerical scheme can be given the drift of the other
// calculus: NewHeun of a Term[Ito] does not compile. If the noise is common to all tokens, tokens that
// coincide bit for bit get the same increments bit for bit.
type Term[C Calculus] interface {
	// Shape returns the number N and the dimension d of the tokens.
	Shape() (tokens, dim int)
	// NoiseLen returns the number of entries of a Brownian increment, which is 0 for an equation without
	// noise.
	NoiseLen() int
	// Increment writes the tangents b(x)·dt + g(x)[noise], where b is the drift and g the diffusion, to dst
	// (N×d), for unit tokens x (N×d) and the Brownian increment noise of a step, of variance dt in each
	// entry. The diffusion of an equation is never stored as a matrix. The slices dst and x must not overlap.
	Increment(dst, x []float64, dt float64, noise []float64)
	// Calculus returns a value whose type is the calculus.
	Calculus() C
}

// ofToken returns the part of a Brownian increment that drives token i, given the number of entries that
// drive one token.
func ofToken(increment []float64, independent bool, i, entries int) []float64 {
	if independent {
		return increment[i*entries : (i+1)*entries]
	}
	return increment
}

// noiseLen returns the number of entries of a Brownian increment, given the number of entries that drive one
// token.
func noiseLen(independent bool, tokens, entries int) int {
	if independent {
		return tokens * entries
	}
	return entries
}
