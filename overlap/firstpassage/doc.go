// Package firstpassage computes times of an overlap.Diffusion: mean first-passage and exit times, the time
// for which clusters of unequal mass stay antipodal, and the rate at which antipodal clusters decay. The
// overlap z is that of two clusters of tokens.
//
//	d, err := overlap.NewMasses(4, 2.5, overlap.Softmax, 1, 1, 2) // clusters of one and of two tokens
//	if err != nil {
//		return err
//	}
//	firstpassage.Lifetime(d)  // 74.04, from overlap -1 to 0
//	firstpassage.DecayTime(d) // 101.33
//
// # Passage times
//
// In the notation of package overlap, the scale measure of u = atanh z is exp(-h) du and the speed measure is
// 2 exp(h)/γ² du. The mean passage time T from u to a target has the derivative T' = -K with K = exp(-h) ∫ 2
// exp(h)/γ². If the target lies above u, the integral in K runs from the end -1 to u; otherwise this integral
// runs from the end +1 to u. So
//
//	K' = 2/γ² - h'K,                                             [6]
//
// Equation [6] is solved from the end at which the integral in K begins. An integrator stores the exponent of
// K separately, so that passage times may leave the range of float64. On panels where |h'|·width is small,
// exp(h) and exp(-h) are evaluated at Gauss-Legendre nodes. Where |h'|·width is large, one of two
// approximations applies. If the source 2/γ² determines K, whatever the value of K at the start of the panel,
// then K is the polynomial that solves [6] at the Gauss-Legendre nodes. If the source 2/γ² is negligible, K
// is proportional to exp(-h).
//
// # Decay times
//
// An eigenfunction g of the generator with eigenvalue -λ solves g" + h'g' + 2λg/γ² = 0. The eigenvalue
// equation is solved as if h' and γ were constant in narrow cells (the method of Pruess). The method of
// Pruess is accurate even where h is steep, and constants remain eigenfunctions with λ = 0. The smallest
// eigenvalue is the least λ for which the solution g without flux at the left end has a zero. The continuous
// spectrum begins at the edge γ²h'²/8 of the end +1. If a barrier of h separates the smallest eigenvalue λ
// from all others by a factor e^18, 1/λ is computed as the mean absorption time, a double integral.
package firstpassage
