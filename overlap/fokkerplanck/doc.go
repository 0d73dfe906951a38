// Package fokkerplanck computes the law of the overlap of two clusters of tokens at finite times. The package
// solves the Fokker-Planck equation of an overlap.Diffusion by the scheme of Scharfetter and Gummel.
//
//	laws, err := fokkerplanck.Uniform(d, []float64{10, 50}, 1e-5) // times, tolerance
//	if err != nil {
//		return err
//	}
//	laws[1].Antipodal(1e-3) // P(Z ≤ -1+0.001) at time 50, and an estimate of its error
//
// # The scheme
//
// In the notation of package overlap, the flux of probability along u = atanh z is -d(density/speed)/dS, with
// the scale measure dS = exp(-h) du and the speed measure 2 exp(h)/γ² du. With slope h' and variance γ²
// treated as constant between neighbouring nodes of a grid, the Fokker-Planck equation becomes that of a
// birth-and-death process. Hitting probabilities and ratios of stationary masses of the birth-and-death
// process are exact (Scharfetter and Gummel, 1969; known in plasma physics as the scheme of Chang and Cooper,
// 1970). Where the drift is strong, the scheme of Scharfetter and Gummel becomes inaccurate, as it adds the
// numerical diffusion of upwind differences. Central differences have no numerical diffusion. Central
// differences replace the scheme of Scharfetter and Gummel if they are estimated to be more accurate, as for
// cells wider than 1/|h'| and smooth laws.
//
// Beyond |u| = 19 slope h' and variance γ² are constant. Near an end that attracts, only a fraction
// exp(-|h'|r) of the probability mass returns from a distance r beyond |u| = 19. So the domain ends at a wall
// that absorbs the mass that arrives, and neither the domain nor the number of cells grows with time. Cells
// have about equal width in u up to |u| = 8; beyond, the width of cells grows in proportion to u.
//
// # Steps in time
//
// A step in time multiplies the masses by a rational function of the generator: the Padé approximation of the
// exponential with denominator of degree 6 and numerator of degree 5 (Ehle, 1969). The Padé approximation is
// A-stable and vanishes at infinity, so that a step of any length damps the eigenmodes that decay too fast
// for the step. An eigenmode that decays by e^-2 in a step is accurate to 8 digits. The length of a step is
// proportional to the time elapsed before the step, during which faster eigenmodes have died out. Steps
// preserve hitting probabilities exactly. So long times, which may grow like e^(2β), cost no accuracy.
//
// For each pole θ of the Padé approximation, rates up and down of the birth-and-death process and a step of
// length t, the masses after the step (new) and before the step (mass) satisfy
//
//	(θ + t(up_i + down_i)) new_i - t up_(i-1) new_(i-1) - t down_(i+1) new_(i+1) = mass_i.
//
// The Gaussian elimination of these equations has no subtraction. Let rest_i = θ + t down_i
// rest_(i-1)/pivot_(i-1), which is pivot_i without the term t up_i. All rest_i lie in the sector between θ
// and the real axis. So the elimination has no cancellation, however large the rates are, and the sum of the
// masses is accurate to rounding errors.
//
// # Errors
//
// The distribution function of the overlap is extrapolated to vanishing cell width. The error of the
// distribution function is estimated at every u from three changes: those due to cells of a third of the
// width, to steps twice as long, and to a wider domain. The effect of longer steps hardly depends on the
// cells, and is measured on the first two grids. The estimated error also includes any violation of the
// martingale constraint: since S(Z) is a martingale for the scale function S, the probability of becoming
// antipodal from the present overlap has the same mean at every time. The estimated error is not a bound.
//
// Without noise the law of the overlap is transported by a deterministic flow, in the hybrid model with ε = 0
// by du/dt = 2q.
package fokkerplanck
