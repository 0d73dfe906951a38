// Package controls has only tests. They compare the engine (package sde) with plain
// programs and with the theory (package overlap) by statistical tests of stated false-alarm
// rate, and show that the same tests notice a wrong variant of each part.
package controls
