//go:build unix

package interruption

import (
	"os"
	"syscall"
)

// systemSignals are the signals that stop a command on Unix systems, besides SIGINT. Schedulers send SIGTERM
// before they kill a job, and on request SIGUSR1 as an earlier warning. A terminal that is closed sends
// SIGHUP.
var systemSignals = []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1}

// writeSignals are the signals that Unix sends after a failed write. The program ignores writeSignals,
// because they would end it in the middle of its work; the error of the write reports the failure.
var writeSignals = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}
