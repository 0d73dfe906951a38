//go:build long

package fokkerplanck

// long says that the tests that take minutes are asked for.
const long = true
