// Package networks has what experiments on Transformers at initialisation share: their
// parameters, the random networks of finite width that have a block of the theory as their
// layers, means over these, and runs of theory and networks side by side.
package networks
