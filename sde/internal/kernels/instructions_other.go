//go:build !amd64

package kernels

// sets are all instruction sets, by their level.
var sets = []instructions{generic}
