// Package verify is the registry of claims: what the papers and this program say, each
// with a measurement that can refute it. A claim has an id, a source, a statement of one
// line and a measurement, which reports comparisons of a predicted number with a
// measured one. A claim holds if all its comparisons do, and fails if one does.
//
//	e := verify.New()
//	e.Only = []string{"eq5", "lemma5-plus"}
//	err := e.Run(ctx, run.Options{Seed: 1}, table) // rows of type Row
//
// # Verdicts
//
// A claim is looked at up to four times, with an eighth, a half, twice and eight times the
// usual number of samples, until it is decided. At each look a random comparison fails if
// the measured number differs from the predicted one by more than an allowance and what
// chance explains; it holds if the confidence interval excludes that it differs by as much
// as the comparison is to find; else it is undecided. Over all looks a true comparison
// fails with probability 10^-7 at most, and a false one, wrong by what is to be found,
// holds with probability 1 % at most. Means count as normal numbers of unknown variance
// and fractions as binomial ones, whose tails are exact.
//
// A claim that is undecided after its last look is neither right nor wrong: the program exits with 0, and
// says so. Claims on training, which are about larger networks, do not fail but differ at this size where
// every seed has the other sign, and are undecided where seeds disagree; their false alarm is that they hold
// by chance.
//
// # How a claim is added
//
// A group of claims is a file with a list of them, which Claims appends to the others; a
// new paper is a new set. A measurement is a function
//
//	func(f *fixture, r *report)
//
// that draws its random numbers only from the seed of the fixture and uses one
// processor; the number of its samples is f.samples of the usual one. An error ends it:
// see must. It simulates by follow, observe, atLayer, exits or coupledValues and takes the
// theory of two tokens from f.diffusion, so that tests can put defects in their place; other
// models take Gaussian numbers from f.normals. It reports its comparisons, the most telling
// one first: the table shows the first that fails, else the first that is undecided, else
// the first. The kinds are
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
// and r.refute(value) after one of them says that the value, such as one that a paper misprints,
// is one that the comparison finds. Allowance bounds a known difference, such as the effect of
// finite depth, and found is the difference beyond it that is not to be missed. Comparisons of
// samples of their own are a part, r.part, which is not measured again when it is decided.
//
// Tests hold each comparison to what it finds, by the file testdata/bands.txt, and each claim to the
// wrong programs that it is to refute.
package verify
