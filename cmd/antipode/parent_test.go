//go:build unix

package main

import (
	"antipode/cmd/antipode/interruption"
	"antipode/sphere/must"
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// look is the interval at which the program checks whether its parent still exists.
const look = 200 * time.Millisecond

// A command ends when the process that started it has ended, also if that was killed and its pipes stay open.
func TestEndsWithParent(t *testing.T) {
	for _, command := range []string{"serve --stdio", "phase --trajectories 1e7 --quiet"} {
		// A shell starts the program, prints its process number, and waits.
		script := fmt.Sprintf(`ANTIPODE_PARENT=$$ exec -a antipode "$0" %s <&3 & echo $!; wait`, command)
		shell := exec.Command("bash", "-c", script, os.Args[0])
		shell.Dir = t.TempDir()
		in, open, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer open.Close()
		shell.ExtraFiles = []*os.File{in}
		out := must.Get(shell.StdoutPipe())(t)
		must.Do(t, shell.Start())
		line := must.Get(bufio.NewReader(out).ReadString('\n'))(t)
		number := must.Get(strconv.Atoi(strings.TrimSpace(line)))(t)
		time.Sleep(2 * look)
		if err := syscall.Kill(number, 0); err != nil {
			t.Fatalf("%s: ended before its parent", command)
		}
		must.Do(t, shell.Process.Kill())
		for deadline := time.Now().Add(soon); running(number); time.Sleep(look) {
			if time.Now().After(deadline) {
				syscall.Kill(number, syscall.SIGKILL)
				t.Fatalf("%s: goes on without its parent", command)
			}
		}
		_ = shell.Wait()
	}
}

// running reports whether a process exists and is not a zombie (this process could not wait for it).
func running(number int) bool {
	if syscall.Kill(number, 0) != nil {
		return false
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", number))
	return err != nil || !bytes.Contains(status, []byte(") Z "))
}

func TestParentVariable(t *testing.T) {
	for text, want := range map[string]int{
		"": exitDone, strconv.Itoa(os.Getpid()): exitDone, "1x": exitUsage, "0": exitUsage, "-3": exitUsage,
		strconv.Itoa(os.Getpid() + 1): interruption.Terminated, // not its parent
	} {
		command, stderr := process(t.Context(), t.TempDir(), "verify", "--only", "eq5", "--quiet")
		command.Env = append(os.Environ(), interruption.ParentVariable+"="+text)
		_ = command.Run()
		got, lines := command.ProcessState.ExitCode(), bytes.Count(stderr.Bytes(), []byte("\n"))
		if got != want || (want == exitDone) != (lines == 0) {
			t.Errorf("%q: exit code %d, want %d: %q", text, got, want, stderr)
		}
	}
}
