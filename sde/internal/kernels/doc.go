// Package kernels has the inner loops of the simulations: random numbers that are addressed by trajectory and
// step, their laws, the chains of the overlap of two tokens, and operations on rows of matrices. All
// functions of package kernels give the same bits on every machine.
//
// Random numbers and chains are computed in the lanes of vector (SIMD) instructions. A Vector holds eight
// numbers, one in each lane: one number of each of eight trajectories, one number of each of eight tokens of
// a trajectory, or eight numbers of a row of a matrix. A kernel is a function that applies the same
// operations to all eight lanes. Kernels exist in AVX2 and in AVX-512 instructions: the module in the folder
// generate writes their assembly from one description. For all other machines, kernels exist in Go, as
// functions whose names end in Generic. The Go functions define what a kernel computes: every version of a
// kernel performs the same operations in the same order. An operation is fused where math.FMA is written, and
// nowhere else.
//
// Kernels use the fastest instruction set of the machine. The environment variable ANTIPODE_CPU (generic,
// avx2 or avx512) selects another instruction set.
package kernels
