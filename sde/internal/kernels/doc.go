// Package kernels has the inner loops of the simulations: addressed random numbers and their laws, the
// overlap chains, and operations on rows of matrices. Everything here gives the same bits on every machine.
//
// Random numbers and chains are computed in lanes. A Vector holds eight numbers. These are one number of each
// of eight trajectories, one number of each of eight tokens of a trajectory, or eight numbers of a row of a
// matrix. A kernel applies the same operations to all eight. Kernels exist in AVX2 and in AVX-512
// instructions: the module in the folder generate writes their assembly from one description. For all other
// machines they exist in Go; the names of these functions end in Generic. The Go functions define what a
// kernel computes: every version performs the same operations in the same order. An operation is fused where
// math.FMA is written, and nowhere else.
//
// The fastest instruction set of the machine is used. The environment variable ANTIPODE_CPU (generic, avx2 or
// avx512) selects another one.
package kernels
