// Package propagation has the experiments on the propagation of norms and overlaps through
// Transformer blocks, one a file, from the theory of package antipode/overlap/propagation.
package propagation
