//go:build !unix

package main

import "os"

var systemSignals, writeSignals []os.Signal
