//go:build linux || darwin

package durable

import "golang.org/x/sys/unix"

// FreeBytes returns the free space in bytes that an ordinary user may fill on the disk of a folder, and
// whether the free space is known.
func FreeBytes(folder string) (float64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return 0, false
	}
	return float64(s.Bavail) * float64(s.Bsize), true
}
