// Package matrices simulates networks of random attention matrices: the matrices themselves, the signal that
// attention and Gaussian value matrices propagate through the layers, the gradients of the signal, and the
// singular values and eigenvalues of matrices and signals. The networks are those of "Mind the Gap: a
// Spectral Analysis of Rank Collapse and Signal Propagation in Transformers"; proposition, equation and
// figure numbers in comments refer to that paper.
//
//	law := matrices.Network{Attention: matrices.Markov, Tokens: 64, Dim: 64, Layers: 3, Heads: 1}
//	signal := law.Start(1, 0) // seed, sample
//	for range law.Layers {
//		if err := signal.Advance(); err != nil {
//			return err
//		}
//	}
//	values, err := matrices.SingularValues(signal.X())
//
// Many samples of a network are computed faster in a Workspace, which reuses its memory.
//
// A Network specifies the law of a sample. After layer ℓ, the signal of T tokens of dimension D in a Network
// is
//
//	X_ℓ = A_ℓ X_(ℓ-1) W_ℓ,
//
// where W_ℓ has independent standard normal entries and A_ℓ is a random Markov matrix or a function of
// the signal. The input X₀ has orthonormal rows: the first T rows of the identity matrix of dimension
// max(T, D). So the singular values of A_ℓ are of order 1/√T and those of W_ℓ of order √D.
//
// A random entry of a matrix is a pure function of the seed, the network, the sample, the layer, the head,
// the row and the column; the Gap, the skip connections, LayerNorm and the number of layers of the network do
// not change it. The entries, the signal and its gradients have the same bits on every machine. Singular
// values, eigenvalues, orthogonal matrices and results derived from them are computed by gonum. Results of
// gonum do not depend on the number of workers, but differ in rounding between processor architectures.
package matrices
