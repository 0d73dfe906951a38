// Package instructionset says which vector instructions kernels use. The fastest set of the machine is taken;
// the environment variable ANTIPODE_CPU (generic, avx2 or avx512) asks for another. All give the same bits.
package instructionset

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// names are the instruction sets, from one for every machine to the fastest.
var names = []string{"generic", "avx2", "avx512"}

// level is the place of the instruction set in use among names.
var level = fastest()

// Err says that ANTIPODE_CPU names no instruction set of this machine; the last available one is in use then,
// as where the variable is empty or not set.
var Err error

func init() {
	if name := os.Getenv("ANTIPODE_CPU"); name != "" {
		if Select(name) != nil {
			Err = fmt.Errorf("ANTIPODE_CPU=%s: must on this machine be %s", name, alternatives(Available()))
		}
	}
}

// alternatives is names with commas and an or between them.
func alternatives(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Select takes an instruction set into use, for tests: generic, avx2 or avx512. A name that is not known, or
// not available on this machine, is an error, and changes nothing. It may not be called while kernels run.
func Select(name string) error {
	k := slices.Index(Available(), name)
	if k < 0 {
		return fmt.Errorf("instruction set %q: must on this machine be %s", name, alternatives(Available()))
	}
	level = k
	return nil
}

// Active is the name of the instruction set in use.
func Active() string { return names[Level()] }

// Level is the place of the instruction set in use among generic, avx2 and avx512.
func Level() int { return level }

// Available lists the names of this machine's instruction sets, the fastest last.
func Available() []string { return names[:fastest()+1] }
