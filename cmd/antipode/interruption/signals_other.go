//go:build !unix

package interruption

import "os"

var systemSignals, writeSignals []os.Signal
