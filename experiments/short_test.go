//go:build !long

package experiments

// long reports that tests also compute what takes seconds, although other tests notice most of its defects.
const long = false
