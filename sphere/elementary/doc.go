// Package elementary contains the elementary functions that simulations and theory use, with the same
// bits on every machine.
//
//	y := elementary.Exp(1) - 1
//
// The functions of package math do not guarantee equal bits: some are written in assembly on some
// architectures, and compilers may fuse a*b+c where the machine has such an instruction. In package
// elementary every fused operation is an explicit math.FMA, no other product is an operand of a sum, and all
// branches depend only on the argument.
//
// The polynomials in package elementary interpolate the elementary functions at Chebyshev nodes, and their
// coefficients were computed with 60 digits. Without rounding, the relative error of a polynomial is below
// 2^-57. The comment of a function states a bound of its error, in units in the last place (ulp) of the
// result; the tests check this bound with package math/big.
package elementary
