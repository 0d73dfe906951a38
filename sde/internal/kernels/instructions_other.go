//go:build !amd64

package kernels

// available lists the instruction sets of this machine, the fastest last.
func available() []instructions { return []instructions{generic} }
