// Package networks holds what experiments on Transformers at initialisation share: their parameters, random
// networks of finite width whose layers are a block of the theory of signal propagation, means over these
// networks, and runs that combine this theory with simulated networks.
package networks
