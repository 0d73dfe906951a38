//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package durable

import "os"

const renamesOpen = false

// lock does nothing on this system, on which two processes that write one file are not noticed.
func lock(*os.File) error { return nil }
