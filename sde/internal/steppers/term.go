// Package steppers advances the tokens of one trajectory by one layer of a recursion, or by one step of an
// equation in continuous time, given the layer's increment. Steppers do not draw.
package steppers

// Calculus is the sense of a stochastic integral.
type Calculus interface{ Ito | Stratonovich }

// Ito is the calculus in which the integrand is taken at the beginning of a step.
type Ito struct{}

// Stratonovich is the calculus of the ordinary chain rule.
type Stratonovich struct{}

// Term is an equation of tokens on the sphere, in one calculus: see sde.Term.
//
// The calculus is part of the type, so that a scheme cannot be given the drift of the other one: NewHeun of a
// Term[Ito] does not compile. A term gives tokens that coincide bit for bit the same increments if their
// noise is common.
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

// noiseLen is the number of entries of an increment for a number of tokens.
func noiseLen(independent bool, tokens, entries int) int {
	if independent {
		return tokens * entries
	}
	return entries
}
