//go:build !long

package elementary

// pointsOfEachTest is how many random arguments of a function are compared with its series.
const pointsOfEachTest = 2_000
