// Package spectrum has the experiments on spectra of random attention matrices and on the
// signal and gradients that they carry, after "Mind the Gap: a Spectral Analysis of Rank
// Collapse and Signal Propagation in Transformers": simulation by package matrices beside
// the theory of package overlap/spectrum.
package spectrum
