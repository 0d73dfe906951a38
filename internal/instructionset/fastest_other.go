//go:build !amd64

package instructionset

// fastest returns level 0: on this architecture, only the generic instruction set is available.
func fastest() int { return 0 }
