package main

import (
	"os/exec"
	"syscall"
)

// inGroup makes a command begin a group of processes. All of them end when the command is cancelled, even a
// test that does not end by itself.
func inGroup(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}
