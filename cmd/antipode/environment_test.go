//go:build unix

package main

import (
	"bytes"
	"os"
	"testing"
)

func TestUnknownInstructionSet(t *testing.T) {
	simulate := []string{"simulate", "--trajectories", "3", "--depth", "10", "--horizon", "1", "--quiet"}
	for name, want := range map[string]int{
		"sse9": exitUsage, "AVX2": exitUsage, "generic\n": exitUsage, "generic": exitDone, "": exitDone,
	} {
		command, stderr := process(t.Context(), t.TempDir(), simulate...)
		command.Env = append(os.Environ(), "ANTIPODE_CPU="+name)
		_ = command.Run()
		got, lines := command.ProcessState.ExitCode(), bytes.Count(stderr.Bytes(), []byte("\n"))
		if got != want || (want == exitUsage) != (lines == 1) {
			t.Errorf("%q: exit code %d, want %d: %q", name, got, want, stderr)
		}
	}
}
