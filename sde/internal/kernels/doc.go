// Package kernels has the inner loops of the simulations: addressed random numbers and
// their laws, and the recursions of the overlap chain and of tokens. Everything here gives
// the same bits on every machine.
//
// The recursions, and the numbers they take, also come in lanes: a Vector is one number of
// eight trajectories, or of eight tokens of one (see Groups), or eight of a row of a matrix,
// and kernels do the same to all eight. There are kernels in AVX2 and
// in AVX-512 instructions, assembly that the module in generate writes from one description,
// and twins in Go for every other machine. The twins say what a kernel computes: the same
// operations in the same order, fused where math.FMA is written and nowhere else.
//
// The fastest instruction set of the machine is taken; the environment variable ANTIPODE_CPU
// (generic, avx2 or avx512) asks for another.
package kernels
