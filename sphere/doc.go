// Package sphere is the geometry of token configurations on the unit sphere
// S^{d-1} of R^d: tangent projection, retraction, exponential map, Gram matrix,
// uniform points, and who has clustered with whom.
//
//	x := []float64{1, 0, 1, 0, -1, 0} // three tokens of dimension 2
//	outcome, pair := sphere.NewClassifier(3, 1e-3).Classify(x, 2) // tolerance; antipodal, and some pair is
//
// A configuration of N tokens is one flat []float64 of length N·d, row-major:
// token i is x[i*d : (i+1)*d]. Functions write to their first argument, which may
// be one of the others unless a comment says otherwise, and do not allocate.
// Slices of the wrong length are a programmer's mistake and panic.
//
// The results have the same bits on every machine; see package
// antipode/sphere/elementary.
package sphere
