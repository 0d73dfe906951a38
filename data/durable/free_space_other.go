//go:build !(linux || darwin)

package durable

// FreeBytes returns the free space in bytes on the disk of a folder, and whether it is known; it is not known
// on this system.
func FreeBytes(string) (float64, bool) { return 0, false }
