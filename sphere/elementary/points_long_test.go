//go:build long

package elementary

// pointsOfEachTest makes 10^6 points for the tests of all functions together.
const pointsOfEachTest = 60_000
