// Package steppers advances the tokens of one trajectory by one layer of a recursion, or by one step of an
// equation in continuous time, given the increment of the noise. Steppers draw no random numbers.
package steppers

// Calculus is the definition of the stochastic integral that an equation is written in.
type Calculus interface{ Ito | Stratonovich }

// Ito is the calculus that evaluates the integrand at the beginning of a step.
type Ito struct{}

// Stratonovich is the calculus in which the ordinary chain rule holds.
type Stratonovich struct{}

// Term is the right-hand side of a stochastic differential equation of tokens on the sphere, written in one
// calculus: see sde.Term.
//
// The calculus is part of the type, so that no scheme can be given the drift of the other calculus: NewHeun
// of a Term[Ito] does not compile. If the noise is common to all tokens, tokens that coincide bit for bit get
// the same increments bit for bit.
type Term[C Calculus] interface {
	// Shape returns N and d.
	Shape() (tokens, dim int)
	// NoiseLen is the number of entries of a Brownian increment, 0 without noise.
	NoiseLen() int
	// Increment writes the tangents b(x)·dt + g(x)[noise] to dst (N×d) for unit tokens x
	// (N×d) and the Brownian increment of a step, of variance dt in each entry. The
	// diffusion acts on the increment; it is never a matrix. dst may not overlap x.
	Increment(dst, x []float64, dt float64, noise []float64)
	// Calculus returns a value whose type is the calculus.
	Calculus() C
}

// ofToken returns the part of a Brownian increment that drives token i, given the number of entries for each
// token with noise of its own.
func ofToken(increment []float64, independent bool, i, entries int) []float64 {
	if independent {
		return increment[i*entries : (i+1)*entries]
	}
	return increment
}

// noiseLen returns the number of entries of an increment, given the number of entries that drive one token.
func noiseLen(independent bool, tokens, entries int) int {
	if independent {
		return tokens * entries
	}
	return entries
}
