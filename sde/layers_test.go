//go:build !long

package sde

// manyLayers is the number of layers over which norms are watched.
const manyLayers = 1000
