package sde

import "antipode/sde/internal/kernels"

// GaussianInteraction returns a d×d matrix (row-major) of independent normal entries of
// standard deviation scale. With β = 1 and B = QᵀK the score of any two unit tokens has
// the same standard deviation over such matrices. For each d it is the same matrix in
// every run: it does not belong to the random numbers of trajectories.
func GaussianInteraction(d int, scale float64) []float64 {
	const seed, cell = 0, 0x696e746572616374 // "interact"; a cell's ID is a hash
	matrix := make([]float64, d*d)
	kernels.NewStream(seed, cell).Normals(matrix, scale, kernels.Starts, 0, 0)
	return matrix
}
