package instructionset

import "golang.org/x/sys/cpu"

// fastest returns the level of the fastest instruction set of this machine.
func fastest() int {
	switch x := &cpu.X86; {
	case !x.HasAVX2 || !x.HasFMA:
		return 0
	case !x.HasAVX512F || !x.HasAVX512DQ || !x.HasAVX512VL || !x.HasAVX512BW:
		return 1
	}
	return 2
}
