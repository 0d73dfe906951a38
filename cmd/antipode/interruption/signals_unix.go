//go:build unix

package interruption

import (
	"os"
	"syscall"
)

// Schedulers send SIGTERM before they kill a job, and SIGUSR1 if they are asked for an
// earlier warning; a terminal that is closed sends SIGHUP.
var systemSignals = []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1}

// Signals of a write that fails, which would end the program in the midst of its work: the
// write's error reports it.
var writeSignals = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}
