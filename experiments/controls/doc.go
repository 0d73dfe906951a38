// Package controls contains only tests. They compare the simulation (package sde) with simple programs and
// with the theory (package overlap) by statistical tests with a stated false-alarm rate, and show that the
// same tests detect a wrong variant of each part.
package controls
