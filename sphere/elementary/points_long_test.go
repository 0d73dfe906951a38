//go:build long

package elementary

// pointsOfEachTest makes the tests of all functions together 10^6 points.
const pointsOfEachTest = 60_000
