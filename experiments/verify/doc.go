// Package verify is the registry of claims: what the papers and this program say, each
// with a measurement that can refute it. A claim has an id, a source, a statement of one
// line and a measurement, which reports comparisons of a predicted number with a
// measured one. A claim holds if all its comparisons do.
//
//	e := verify.New()
//	e.Only = []string{"eq5", "lemma5-plus"}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
//
// # How a claim is added
//
// A group of claims is a file with a list of them, which Claims appends to the others; a
// new paper is a new set. A measurement is a function
//
//	func(f *fixture, r *report) error
//
// that draws its random numbers only from the seed of the fixture and uses one
// processor. It simulates by follow, observe, atLayer, exits or coupledValues and takes the
// theory of two tokens from f.diffusion, so that tests can put defects in their place; other
// models take Gaussian numbers from f.normals. It reports its comparisons, the most telling
// one first: the table shows that one, or the first that fails. The kinds are
//
//	r.equal(what, predicted, measured, tolerance)                nothing random
//	r.normal(what, predicted, estimate, largest, allowance)      a mean with a standard error
//	r.binomial(what, predicted, count, trials, allowance)        a fraction
//	r.differs(what, value, expected, estimate)                   a mean that is not a value
//	r.above, r.below                                             a fraction beyond a bound
//	r.never(what, count, trials)                                 an event of probability 0
//	r.paired(what, differences)                                  above 0 for every seed
//
// and r.refute(value) after one of them says that the value, such as one that a paper misprints,
// is not what was measured. Largest is the largest standard error with which a comparison is
// meaningful: with a larger one it fails, for lack of power. Allowance bounds a known
// difference, such as the effect of finite depth.
//
// Claims on training, which are about larger networks, do not fail but differ at this size; their false alarm
// is that they hold by chance.
//
// Most random comparisons fail by chance with probability level; for the others the probability
// is computed from the expected value. The sum over the comparisons of a set of claims should
// stay far below 10^-4.
package verify
