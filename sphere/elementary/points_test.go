//go:build !long

package elementary

// pointsOfEachTest is the number of random arguments at which a function is compared with its series.
const pointsOfEachTest = 2_000
