//go:build !amd64

package products

// sets are the kernels of matrix products in all instruction sets, indexed by the level of the instruction
// set.
var sets = []instructions{generic}
