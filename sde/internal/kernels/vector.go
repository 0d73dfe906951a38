package kernels

// Vector is a number in each of eight lanes. Kernels do the same to all of them. Lanes are
// trajectories unless something else is said; a token in lanes is a row of Vectors, one a coordinate.
type Vector = [8]float64
