// Package instructionset chooses the vector instructions that the numerical kernels use: the fastest
// instruction set of the machine, unless the environment variable ANTIPODE_CPU (generic, avx2 or avx512)
// names another instruction set. Kernels give the same bits in all instruction sets.
package instructionset

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// names are the names of the instruction sets, from generic, which every machine has, to the fastest.
var names = []string{"generic", "avx2", "avx512"}

// level is the index in names of the instruction set in use.
var level = fastest()

// Err is not nil if the environment variable ANTIPODE_CPU has a value other than the names of the instruction
// sets that this machine has. In this case the fastest instruction set of the machine is in use, as without
// the variable. An empty variable is no error.
var Err error

func init() {
	if name := os.Getenv("ANTIPODE_CPU"); name != "" {
		if Select(name) != nil {
			Err = fmt.Errorf("ANTIPODE_CPU=%s: must on this machine be %s", name, alternatives(Available()))
		}
	}
}

// alternatives returns the names of instruction sets as a text, separated by commas and a final "or".
func alternatives(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Select sets the instruction set in use: generic, avx2 or avx512. Select returns an error, and changes
// nothing, if the name is unknown or the machine does not have the instruction set. Select is for tests, and
// must not be called while kernels run.
func Select(name string) error {
	k := slices.Index(Available(), name)
	if k < 0 {
		return fmt.Errorf("instruction set %q: must on this machine be %s", name, alternatives(Available()))
	}
	level = k
	return nil
}

// Active returns the name of the instruction set in use.
func Active() string { return names[Level()] }

// Level returns the level of the instruction set in use: 0 for generic, 1 for avx2 and 2 for avx512.
func Level() int { return level }

// Available returns the names of the instruction sets that this machine has, the fastest instruction set
// last.
func Available() []string { return names[:fastest()+1] }
