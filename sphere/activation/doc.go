// Package activation has the non-linearities of MLPs, and how a wide MLP changes the overlap of two
// vectors.
//
//	c, err := activation.NewCorrelation(activation.ReLU, 1)
//	right := c.At(0) // 1/π
//
// The hidden layer of an MLP W₂φ(W₁x) with Gaussian W₁, whose rows are N(0, wI), sees two unit vectors of
// overlap z as Gaussian pre-activations of variance w and correlation z. What it makes of them has the
// correlation
//
//	φ̂(z) = E φ(√w g₁)φ(√w g₂) / E φ(√w g)², corr(g₁, g₂) = z,
//
// whatever the number of hidden units (Daniely, Frostig and Singer 2016: the dual activation). Its power
// series in z has no negative coefficient, as they are squares of Hermite coefficients of φ.
package activation
