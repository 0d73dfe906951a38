// Package fokkerplanck is the law of the overlap of two clusters of tokens at finite times:
// the Fokker-Planck equation of an overlap.Diffusion, by the scheme of Scharfetter and
// Gummel.
//
//	laws, err := fokkerplanck.Uniform(d, []float64{10, 50}, 1e-5) // times, tolerance
//	if err != nil {
//		return err
//	}
//	laws[1].Antipodal(1e-3) // P(Z ≤ -1+0.001) at time 50, and an estimate of its error
//
// # The scheme
//
// In the notation of package overlap, the flux of probability along u = atanh z is
// -d(density/speed)/dS, with the scale measure dS = exp(-h) du and the speed measure
// 2 exp(h)/γ² du. Taken between neighbouring nodes as if the coefficients were constant
// there, it makes the equation a birth-and-death process with the exact hitting
// probabilities and stationary ratios (Scharfetter and Gummel, 1969; of Chang and Cooper,
// 1970, in plasma physics). The scheme remains a process where drift is strong, and becomes
// inaccurate there, as it adds the noise of upwind differences. Where cells are wider than
// 1/|h'| and the law is smooth, central differences, which add none, replace it.
//
// Beyond |u| = 19 the coefficients are constant, so that from a distance r further out only
// exp(-|h'|r) returns from an end that attracts: a wall there absorbs what arrives, and
// neither the domain nor the number of cells grows with time. Cells are of about equal width
// up to |u| = 8 and grow like u beyond.
//
// # Steps in time
//
// A step is a rational function of the generator, the Padé approximation of the exponential
// with denominator of degree 6 and numerator of degree 5 (Ehle, 1969). It is A-stable and
// vanishes at infinity, so that a step of any length damps what it does not resolve; of a
// mode that has decayed by e^-2 it keeps 8 digits. Steps grow in proportion to the time that
// has passed, as faster modes have died out by then. They keep hitting probabilities exactly,
// so that a clock that runs like e^(2β) costs nothing.
//
// For each pole θ of the approximation, with rates up and down and a step t, the masses
// solve
//
//	(θ + t(up_i + down_i)) new_i - t up_(i-1) new_(i-1) - t down_(i+1) new_(i+1) = mass_i.
//
// The elimination has no subtraction: rest is what a pivot would be without the rate upwards,
// θ + t down_i rest_(i-1)/pivot_(i-1). All rests are in the sector between θ and the real
// axis, so nothing cancels however great the rates are, and the sum of the masses keeps its
// relative accuracy.
//
// # Errors
//
// The distribution function is extrapolated to vanishing cells. Its error is estimated, at
// every u, by what changes with cells of a third of the width, with steps twice as long (on the
// first grids, as that hardly depends on the cells) and with a wider domain, and by what
// contradicts the limit of long times, of which S is a martingale: the probability of becoming
// antipodal from the present overlap has the same mean at every time. It is an estimate and no
// bound.
//
// Without noise (the hybrid model with ε = 0) the law is transported by the flow du/dt = 2q.
package fokkerplanck
