package matrices

// Memory estimates the memory, in bytes, that a signal needs if the matrices of the given number of layers
// are stored: 1 layer for Signal, and all layers for Gradients. Memory includes the working memory for the
// computation of singular values and eigenvalues.
func (n Network) Memory(layers int) float64 {
	t, d, heads := float64(n.Tokens), float64(n.Dim), float64(n.Heads)
	layer := float64(2*heads*t*t) + float64(2*t*d)
	projections := 1.0 // number of projections: values, and with scores queries and keys
	if n.Attention.HasScores() {
		projections = 3
	}
	layer += float64(projections * (float64(d*max(t, d)) + float64(t*d)))
	return 8 * (float64(float64(layers)*layer) + float64(3*t*t) + float64(3*t*d))
}

// Operations estimates the cost of computing one layer of the network, in units of the elementary operations
// of gonum's linear algebra.
func (n Network) Operations() float64 {
	const (
		perEntry          = 30     // operations to sample an entry
		perMultiplication = 1 / 8. // operations of a multiplication in a matrix product, which is vectorised
	)
	t, d := float64(n.Tokens), float64(n.Dim)
	multiplications := float64(t*d*d) + float64(t*t*d)
	drawn := float64(d*d) + float64(t*t*float64(n.Heads))
	if n.Attention.HasScores() {
		multiplications += float64(2*t*d*d) + float64(t*t*d)
		drawn += float64(2 * d * d)
	}
	operations := float64(perMultiplication*multiplications) + float64(perEntry*drawn)
	const decomposition, perColumn = 20, 4 // cost for a square matrix, and for a matrix with d columns
	if n.Gap == RemoveOutliers {
		operations += float64(decomposition * t * t * t * float64(n.Heads))
	}
	if n.Values == OrthogonalValues {
		operations += float64(perColumn * d * d * d)
	}
	return operations
}
