//go:build !long

package finitedepth

// long says that the tests that take minutes are asked for.
const long = false
