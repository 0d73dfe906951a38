// Package firstpassage is about the times of an overlap.Diffusion: mean first-passage and
// exit times, how long clusters of unequal mass stay antipodal, and at what rate that ends.
//
//	d, err := overlap.NewMasses(4, 2.5, overlap.Softmax, 1, 1, 2) // two clusters, of one token and of two
//	if err != nil {
//		return err
//	}
//	firstpassage.Lifetime(d)  // 74.04, from overlap -1 to 0
//	firstpassage.DecayTime(d) // 101.33
//
// # Passage times
//
// In the notation of package overlap, the scale measure is exp(-h) du and the speed measure
// 2 exp(h)/γ² du. The mean passage time T from u has T' = -K with K = exp(-h) ∫ 2 exp(h)/γ²
// from the end behind, that is
//
//	K' = 2/γ² - h'K,                                             [6]
//
// solved from the end inwards with the exponent of K kept apart, so that times may leave the
// range of float64. On panels where |h'|·width is small, exp(h) and exp(-h) are known at
// Gauss-Legendre nodes. Where it is large, K is either slaved to its source, and is the
// polynomial that solves [6] at the nodes whatever it was before, or the source is negligible
// and K proportional to exp(-h).
//
// # Decay times
//
// An eigenfunction g of the generator, for the eigenvalue -λ, solves g" + h'g' + 2λg/γ² = 0.
// It is solved as if h' and γ were constant in narrow cells (the method of Pruess), for which
// the steepness of h does not matter, and of which a constant function remains the
// eigenfunction for λ = 0. The smallest λ is where the solution without flux at the left end
// first has a node. The continuous spectrum begins at the edge γ²h'²/8 of the end +1. Where a
// barrier separates the smallest eigenvalue from all others by a factor e^18, 1/λ is the mean
// absorption time, a double integral.
package firstpassage
