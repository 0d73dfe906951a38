// Package fokkerplanck computes the law of the overlap of two clusters of tokens at finite times. It
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
// the scale measure dS = exp(-h) du and the speed measure 2 exp(h)/γ² du. If the coefficients are treated as
// constant between neighbouring nodes, the equation becomes a birth-and-death process. Its hitting
// probabilities and ratios of stationary masses are exact (Scharfetter and Gummel, 1969; known in plasma
// physics as the scheme of Chang and Cooper, 1970). Where the drift is strong, this scheme becomes
// inaccurate, as it adds the numerical diffusion of upwind differences. Central differences have no numerical
// diffusion. They replace the scheme if cells are wider than 1/|h'| and the law is smooth.
//
// Beyond |u| = 19 the coefficients are constant. If the end attracts, only a fraction exp(-|h'|r) of the mass
// returns from a distance r further out. So a wall there absorbs the mass that arrives, and neither the
// domain nor the number of cells grows with time. Cells have about equal width up to |u| = 8 and grow in
// proportion to u beyond.
//
// # Steps in time
//
// A step applies a rational function of the generator: the Padé approximation of the exponential with
// denominator of degree 6 and numerator of degree 5 (Ehle, 1969). The approximation is A-stable and vanishes
// at infinity, so that a step of any length damps the modes that it does not resolve. A mode that decays by
// e^-2 in a step is accurate to 8 digits. The length of a step is proportional to the time elapsed before,
// after which faster modes have died out. Steps preserve hitting probabilities exactly. So long times, which
// may grow like e^(2β), cost no accuracy.
//
// For each pole θ of the approximation, with rates up and down and a step t, the masses
// solve
//
//	(θ + t(up_i + down_i)) new_i - t up_(i-1) new_(i-1) - t down_(i+1) new_(i+1) = mass_i.
//
// The elimination has no subtraction. Let rest_i = θ + t down_i rest_(i-1)/pivot_(i-1), which is pivot_i
// without the term t up_i. All rests lie in the sector between θ and the real axis. So there is no
// cancellation, however large the rates are, and the sum of the masses keeps its relative accuracy.
//
// # Errors
//
// The distribution function is extrapolated to vanishing cell width. Its error is estimated at every u from
// three changes: those due to cells of a third of the width, to steps twice as long, and to a wider domain.
// The effect of longer steps hardly depends on the cells, and is measured on the first two grids. A violation
// of the martingale constraint also enters: since S is a martingale, the probability of becoming antipodal
// from the present overlap has the same mean at every time. The estimate is not a bound.
//
// Without noise (the hybrid model with ε = 0) the law is transported by the flow du/dt = 2q.
package fokkerplanck
