//go:build !amd64

package kernels

// sets holds the kernels in each instruction set, by its level.
var sets = []instructions{generic}
