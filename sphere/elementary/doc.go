// Package elementary contains the elementary functions that simulations and theory use, with the same
// bits on every machine.
//
//	y := elementary.Exp(1) - 1
//
// The functions of package math do not guarantee this: some are written in assembly on some
// architectures, and compilers may fuse a*b+c where the machine has such an instruction. Here every fused
// operation is an explicit math.FMA, no other product is an operand of a sum, and all branches depend
// only on the argument.
//
// The polynomials interpolate the functions at Chebyshev nodes, and were computed with 60 digits. Without
// rounding, the relative error of a polynomial is below 2^-57. The tests recompute every function with
// package math/big and check the bound that its comment states, in units in the last place (ulp) of the
// result.
package elementary
