// Package verify is the registry of claims. A claim is a statement of a paper or of this program, together
// with a measurement that can refute it. A claim has an id, a source, a statement of one line, and a
// measurement that compares predicted with measured numbers. A claim holds if all its comparisons hold, and
// fails if one of them fails.
//
//	e := verify.New()
//	e.Only = []string{"eq5", "lemma5-plus"}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
//
// # Verdicts
//
// A claim is measured up to four times, with an eighth, a half, twice and eight times the usual number of
// samples, until the claim is decided. Each of these measurements is called a look. At each look a random
// comparison gets one of three verdicts: it fails, holds, or is undecided. A comparison fails if the measured
// number differs from the predicted number by more than an allowance plus what chance explains. A comparison
// holds if the confidence interval excludes a difference as large as the comparison must detect. Any other
// comparison is undecided. Over all looks, a true comparison fails with probability at most 10^-7. A false
// comparison that is wrong by the difference to be detected holds with probability at most 1 %. Means are
// treated as normal variables of unknown variance. Counts are binomial variables, whose tails are exact.
//
// A claim that is undecided after its last look is neither right nor wrong: the program exits with 0, and its
// report says so. Claims on training are statements about larger networks. A claim on training does not fail:
// it differs at this size if every seed has the opposite sign, and it is undecided if seeds disagree. The
// false alarm of a claim on training is that it holds by chance.
//
// # How a claim is added
//
// A group of claims is a file of Go code with a list of claims, which the function Claims appends to the
// other claims; a new paper gets a new set. A measurement is a function
//
//	func(f *fixture, r *report)
//
// that derives all random numbers from the seed of the fixture and uses one processor. A measurement takes
// f.samples(usual) samples, where usual is the usual number of samples of the claim. The function must ends a
// measurement with an error. A measurement simulates by follow, observe, atLayer, exits or coupledValues and
// takes the theory of two tokens from f.diffusion, so that tests can put wrong programs in their place. Other
// models take Gaussian numbers from f.normals. A measurement reports its comparisons, the most informative
// comparison first. The table shows the first comparison that fails, or else the first comparison that is
// undecided, or else the first comparison. The kinds of comparisons are
//
//	r.equal(what, predicted, measured, tolerance)                   nothing random
//	r.most(what, bound, measured)                                   the same, one-sided
//	r.normal(what, predicted, estimate, found, allowance)           a mean with a standard error
//	r.binomial(what, predicted, count, trials, found, allowance)    a fraction
//	r.beyond(what, bound, expected, estimate)                       a mean beyond a bound
//	r.above, r.below                                                a fraction beyond a bound
//	r.never(what, count, trials, found)                             an event of probability 0
//	r.larger(what, first, second)                                   a number larger for every seed
//
// and r.refute(value) after a comparison asserts that the comparison would detect this value, for example a
// misprint in a paper. The argument allowance bounds a known difference, such as the effect of finite depth;
// found is the difference beyond the allowance that must be detected. Comparisons that share no samples with
// other comparisons form a part, r.part. A part is not measured again once all its comparisons are decided.
//
// Tests check which differences each comparison detects, against the file testdata/bands.txt. Tests also
// check that each claim refutes the wrong programs that it must refute.
package verify
