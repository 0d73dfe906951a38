//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package durable

import "os"

const renamesOpen = false

// lock does nothing: two processes that write one file are not noticed on this system.
func lock(*os.File) error { return nil }
