// Package kernels has the inner loops of the simulations: addressed random numbers and their laws, the
// overlap chains, and operations on rows of matrices. Everything here gives the same bits on every machine.
//
// Random numbers and chains are computed in lanes. A Vector holds eight numbers: one number of each of eight
// trajectories, or of eight tokens of one trajectory, or eight numbers of a row of a matrix. A kernel applies
// the same operations to all eight. Kernels exist in AVX2 and in AVX-512 instructions, as assembly that the
// module in generate writes from one description, and in Go for all other machines. The Go functions, whose
// names end in Generic, define what a kernel computes: the same operations in the same order, fused where
// math.FMA is written and nowhere else.
//
// The fastest instruction set of the machine is used. The environment variable ANTIPODE_CPU (generic, avx2 or
// avx512) selects another one.
package kernels
