//go:build !long

package finitedepth

// long reports whether tests that take minutes are enabled.
const long = false
