// Package networks holds what experiments on Transformers at initialisation share: their parameters, random
// networks of finite width whose layers are a block of the theory, means over these, and runs of theory
// together with networks.
package networks
