// Package controls contains only tests. The tests compare the simulation (package sde) with simple programs
// and with the theory (package overlap) by statistical tests with a stated false-alarm rate. The tests also
// show that the same statistical tests detect a wrong variant of each part of the simulation.
package controls
