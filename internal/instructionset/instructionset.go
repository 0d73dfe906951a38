// Package instructionset says which vector instructions the kernels use. The fastest instruction set of the
// machine is used, unless the environment variable ANTIPODE_CPU (generic, avx2 or avx512) names another one.
// All instruction sets give the same bits.
package instructionset

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// names are the instruction sets, from generic, which every machine has, to the fastest.
var names = []string{"generic", "avx2", "avx512"}

// level is the index in names of the instruction set in use.
var level = fastest()

// Err is not nil if ANTIPODE_CPU does not name an instruction set of this machine. Then the fastest one of
// the machine is in use, as if the variable were empty or not set.
var Err error

func init() {
	if name := os.Getenv("ANTIPODE_CPU"); name != "" {
		if Select(name) != nil {
			Err = fmt.Errorf("ANTIPODE_CPU=%s: must on this machine be %s", name, alternatives(Available()))
		}
	}
}

// alternatives returns the names, separated by commas and a final "or".
func alternatives(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Select sets the instruction set in use: generic, avx2 or avx512. It returns an error, and changes nothing,
// if the name is unknown or the machine does not have the instruction set. It is for tests, and must not be
// called while kernels run.
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

// Level returns the index of the instruction set in use: 0 for generic, 1 for avx2 and 2 for avx512.
func Level() int { return level }

// Available returns the names of the instruction sets of this machine, the fastest last.
func Available() []string { return names[:fastest()+1] }
