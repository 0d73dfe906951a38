// Package activation contains the non-linearities of MLPs, and computes how a wide MLP changes the
// overlap of two vectors.
//
//	c, err := activation.NewCorrelation(activation.ReLU, 1)
//	right := c.At(0) // 1/π
//
// The hidden layer of an MLP W₂φ(W₁x) with Gaussian W₁, whose rows are N(0, wI), maps two unit vectors of
// overlap z to Gaussian pre-activations of variance w and correlation z. The outputs for the two vectors
// have correlation
//
//	φ̂(z) = E φ(√w g₁)φ(√w g₂) / E φ(√w g)², corr(g₁, g₂) = z,
//
// for any number of hidden units; φ̂ is the dual activation of Daniely, Frostig and Singer (2016). The
// coefficients of the power series of φ̂ in z are non-negative, as they are squares of the Hermite
// coefficients of φ.
package activation
