//go:build long

package longtest

// Enabled reports whether the tests are compiled with the tag long.
const Enabled = true
