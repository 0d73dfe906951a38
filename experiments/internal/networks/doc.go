// Package networks holds what experiments on Transformers at initialisation share. It has their parameters,
// random networks of finite width whose layers are a block of the theory, means over these networks, and runs
// of theory together with networks.
package networks
