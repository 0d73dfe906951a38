// Package elementary has the elementary functions of a trajectory and of the
// theory beside it, with the same bits on every machine.
//
//	y := elementary.Exp(1) - 1
//
// The functions of package math do not promise that: some have assembly on some
// architectures, and compilers may fuse a*b+c where the machine can. Here every
// fused operation is an explicit math.FMA, no other product feeds a sum, and all
// branches depend only on the argument.
//
// The polynomials interpolate at Chebyshev nodes, computed with 60 digits; their
// own error is below 2^-57 relative. The tests recompute every function with
// package math/big and hold it to the bound its comment states, in units in the
// last place (ulp) of the result.
package elementary
