package kernels

// Vector is a number in each of eight lanes. Lanes are trajectories: kernels do the
// same to all of them. A token in lanes is a row of Vectors, one a coordinate.
type Vector = [8]float64
