//go:build !long

package fokkerplanck

// long reports whether tests that take minutes are enabled.
const long = false
