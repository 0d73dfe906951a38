package instructionset

import "golang.org/x/sys/cpu"

// fastest returns the level of the fastest vector instruction set that this machine has: 0 for generic, 1 for
// avx2 and 2 for avx512.
func fastest() int {
	switch x := &cpu.X86; {
	case !x.HasAVX2 || !x.HasFMA:
		return 0
	case !x.HasAVX512F || !x.HasAVX512DQ || !x.HasAVX512VL || !x.HasAVX512BW:
		return 1
	}
	return 2
}
