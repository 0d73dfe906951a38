//go:build unix

package main

import (
	"os"
	"syscall"
)

// Schedulers send SIGTERM before they kill a job, and SIGUSR1 if they are asked for an
// earlier warning.
var systemSignals = []os.Signal{syscall.SIGTERM, syscall.SIGUSR1}
