//go:build !unix

package main

import "os"

var systemSignals []os.Signal
