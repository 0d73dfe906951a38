//go:build unix

package interruption

import (
	"os"
	"syscall"
)

// systemSignals are signals to stop. Schedulers send SIGTERM before they kill a job, and SIGUSR1 as an
// earlier warning, if they are asked to. A terminal that is closed sends SIGHUP.
var systemSignals = []os.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1}

// writeSignals are signals of a failed write. They are ignored, because they would end the program in the
// middle of its work. The error of the write reports the failure.
var writeSignals = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}
