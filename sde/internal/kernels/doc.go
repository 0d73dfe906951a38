// Package kernels has the inner loops of the simulations: addressed random
// numbers and their laws. Everything here gives the same bits on every machine.
package kernels
