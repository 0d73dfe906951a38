// Package sphere contains the geometry of token configurations on the unit sphere S^{d-1} of R^d: tangent
// projection, retraction, exponential map, Gram matrix, uniform points, and the classification of
// clusters.
//
//	x := []float64{1, 0, 1, 0, -1, 0} // three tokens of dimension 2
//	outcome, pair := sphere.NewClassifier(3, 1e-3).Classify(x, 2) // tolerance 1e-3; Antipodal, true
//
// A configuration of N tokens is one flat []float64 of length N·d, row-major: token i is x[i*d : (i+1)*d].
// Functions of package sphere that write a vector write to their first argument, which may be one of the
// other arguments unless a comment says otherwise, and do not allocate memory. Slices of the wrong length are
// a programming error and panic.
//
// The results of package sphere have the same bits on every machine; package antipode/sphere/elementary
// explains how.
package sphere
