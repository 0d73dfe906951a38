//go:build long

package overlap

// long says that the tests that take minutes are asked for.
const long = true
