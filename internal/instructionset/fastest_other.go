//go:build !amd64

package instructionset

// fastest returns the level of the fastest instruction set of this machine.
func fastest() int { return 0 }
