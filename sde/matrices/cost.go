package matrices

// Memory is roughly what a signal needs with that many layers kept, in bytes: 1 for Signal,
// all for Gradients. The values of its matrices need no more than it counts.
func (n Network) Memory(layers int) float64 {
	t, d, heads := float64(n.Tokens), float64(n.Dim), float64(n.Heads)
	layer := float64(2*heads*t*t) + float64(2*t*d)
	projections := 1.0 // of the values, and of queries and keys
	if n.Attention.HasScores() {
		projections = 3
	}
	layer += float64(projections * (float64(d*max(t, d)) + float64(t*d)))
	return 8 * (float64(float64(layers)*layer) + float64(3*t*t) + float64(3*t*d))
}

// Operations is roughly what it costs to take a signal through a layer, in operations of the linear algebra
// that gonum does to single columns.
func (n Network) Operations() float64 {
	const (
		perEntry          = 30     // to draw it
		perMultiplication = 1 / 8. // of a product, which is vectorised
	)
	t, d := float64(n.Tokens), float64(n.Dim)
	multiplications := float64(t*d*d) + float64(t*t*d)
	if n.Attention.HasScores() {
		multiplications += float64(2*t*d*d) + float64(t*t*d)
	}
	drawn := float64(d*d) + float64(t*t*float64(n.Heads))
	operations := float64(perMultiplication*multiplications) + float64(perEntry*drawn)
	const decomposition, perColumn = 20, 4 // of a square matrix, and of one with d columns
	if n.Gap == RemoveOutliers {
		operations += float64(decomposition * t * t * t * float64(n.Heads))
	}
	if n.Values == OrthogonalValues {
		operations += float64(perColumn * d * d * d)
	}
	return operations
}
