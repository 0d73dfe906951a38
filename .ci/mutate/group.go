package main

import (
	"os/exec"
	"syscall"
)

// inGroup has a command begin a group of processes, all of which end when it is cancelled: also a test that
// does not end.
func inGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}
