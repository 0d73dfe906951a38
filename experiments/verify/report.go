package verify

import (
	"iter"
	"math"
	"slices"
	"sync"

	"antipode/experiments/internal/statistics"
	"antipode/sphere"
	"antipode/sphere/elementary"

	"gonum.org/v1/gonum/stat/distuv"
)

// level bounds the probability that a random comparison fails although its prediction is true. Likewise, miss
// bounds the probability that a comparison holds although its prediction is wrong by as much as the
// comparison must detect. A claim looks at its comparisons several times, with more samples each time, until
// they are decided. Each look at the comparisons uses a share of both probabilities. By the union bound the
// probabilities over all looks are at most level and miss, however the looks depend on each other
// (Bonferroni's alpha spending; Jennison and Turnbull, Group Sequential Methods, 2000, chapter 7).
const (
	level = 1e-7
	miss  = 0.01

	levelOfLook = level / looks
	missOfLook  = miss / looks
)

// comparison holds a number that a claim predicts, the measured number and the verdict on the two.
type comparison struct {
	what                        string
	predicted, measured, stderr float64
	verdict                     verdict
	// falseAlarm bounds the probability of the verdict fails if the prediction is true.
	falseAlarm float64

	// A comparison detects a true value that is at most low or at least high. With enough samples, the
	// comparison holds for a true value of low or high only with probability miss, and fails for a true value
	// beyond low or high.
	low, high float64
	// agrees reports, for a measurement without randomness, whether the measured number agrees with a value.
	agrees func(value float64) bool

	refuted []float64 // wrong values that the comparison must detect
}

// report collects the comparisons of a claim.
type report struct {
	comparisons []comparison
	parts       int            // number of parts of the present look, so far
	decided     [][]comparison // comparisons by part; nil for an undecided part
}

// again begins another look at the comparisons of a claim.
func (r *report) again() { r.comparisons, r.parts = nil, 0 }

// part runs compare, which makes the comparisons of a part of a claim. If an earlier look has decided all
// comparisons of the part, compare is not run again.
func (r *report) part(compare func()) {
	k := r.parts
	if r.parts++; k == len(r.decided) {
		r.decided = append(r.decided, nil)
	}
	if r.decided[k] != nil {
		r.comparisons = append(r.comparisons, r.decided[k]...)
		return
	}
	before := len(r.comparisons)
	compare()
	open := func(c comparison) bool { return c.verdict == undecided }
	if made := r.comparisons[before:]; !slices.ContainsFunc(made, open) {
		r.decided[k] = slices.Clone(made)
	}
}

// parts iterates over the subjects of a claim, such as cells. The comparisons of each subject form a part of
// the claim.
func parts[T any](r *report, subjects []T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, subject := range subjects {
			more := true
			if r.part(func() { more = yield(subject) }); !more {
				return
			}
		}
	}
}

func (r *report) add(c comparison) { r.comparisons = append(r.comparisons, c) }

// either returns the verdict holds if holding is true, and otherwise fails.
func either(holding bool) verdict {
	if holding {
		return holds
	}
	return fails
}

// decide returns the verdict from evidence against a prediction (failing) and evidence for it (holding). If
// there is evidence for both, the verdict is fails.
func decide(failing, holding bool) verdict {
	switch {
	case failing:
		return fails
	case holding:
		return holds
	}
	return undecided
}

// equal compares two numbers that are not random.
func (r *report) equal(what string, predicted, measured, tolerance float64) {
	agrees := func(value float64) bool { return math.Abs(measured-value) <= tolerance }
	r.add(comparison{
		what: what, predicted: predicted, measured: measured, verdict: either(agrees(predicted)),
		low: predicted - tolerance, high: predicted + tolerance, agrees: agrees,
	})
}

// normal compares the mean of random samples with a prediction that is correct up to an allowance. The
// comparison detects an error of the prediction that is at least the sum of allowance and found.
func (r *report) normal(what string, predicted float64, measured estimate, found, allowance float64) {
	deviation := math.Abs(measured.value - predicted)
	r.add(comparison{
		what: what, predicted: predicted, measured: measured.value, stderr: measured.stderr,
		verdict: measured.judge(deviation-allowance, allowance+found-deviation), falseAlarm: level,
		low: predicted - allowance - found, high: predicted + allowance + found,
	})
}

// judge returns the verdict on a comparison of an estimated mean. The argument beyond is the excess of the
// estimate over what the claim allows. The argument within is the distance by which the estimate falls short
// of what must be detected. Either argument is negative if there is no excess or no distance. The mean of the
// samples is treated as normal, with unknown variance. With fewer than two samples the verdict is undecided;
// if a number is NaN, the verdict is fails.
func (e estimate) judge(beyond, within float64) verdict {
	if math.IsNaN(beyond) || math.IsNaN(within) || math.IsNaN(e.stderr) {
		return fails
	}
	if math.IsInf(e.stderr, 1) || e.degrees < 1 {
		return undecided
	}
	return decide(beyond > studentQuantile(levelOfLook/2, e.degrees)*e.stderr,
		within >= studentQuantile(missOfLook, e.degrees)*e.stderr)
}

// binomial compares the number of events in independent trials with a probability that is correct up to an
// allowance. The comparison detects an error of the probability that is at least the sum of allowance and
// found. The tails of the binomial distribution are exact.
func (r *report) binomial(what string, predicted float64, count, trials int, found, allowance float64) {
	low, high := predicted-allowance-found, predicted+allowance+found
	failing := atMost(count, trials, predicted-allowance) <= levelOfLook/2 ||
		atLeast(count, trials, predicted+allowance) <= levelOfLook/2
	holding := (low < 0 || atLeast(count, trials, low) <= missOfLook) &&
		(high > 1 || atMost(count, trials, high) <= missOfLook)
	r.add(comparison{
		what: what, predicted: predicted, measured: share(count, trials),
		stderr:  math.Sqrt(predicted * (1 - predicted) / float64(trials)),
		verdict: decide(math.IsNaN(predicted) || trials > 0 && failing, trials > 0 && holding),
		low:     low, high: high, falseAlarm: level,
	})
}

// bothOutcomes compares the fractions of pairs of tokens with the antipodal outcome, and with a single
// cluster, with their probabilities.
func (r *report) bothOutcomes(where string, seen counts, antipodal, single, found, allowance float64) {
	r.binomial("antipodal"+where, antipodal, seen[sphere.Antipodal], seen.all(), found, allowance)
	r.binomial("single"+where, single, seen[sphere.Single], seen.all(), found, allowance)
}

// share returns the fraction of the trials in which an event occurred.
func share(count, trials int) float64 { return float64(count) / float64(trials) }

// beyond tests that a mean lies on the same side of a bound as the expected value, and at least half as far
// from the bound. The test detects a mean that is at the bound or on the other side.
func (r *report) beyond(what string, bound, expected float64, measured estimate) {
	side, middle := math.Copysign(1, expected-bound), 0.5*(bound+expected)
	c := comparison{
		what: what, predicted: expected, measured: measured.value, stderr: measured.stderr,
		verdict:    measured.judge(side*(middle-measured.value), side*(measured.value-bound)),
		falseAlarm: level, low: math.Inf(-1), high: math.Inf(1),
	}
	if side > 0 {
		c.low = bound
	} else {
		c.high = bound
	}
	r.add(c)
}

// above tests that the probability of an event lies above a bound, and at least half as far from the bound as
// the expected probability. The evidence is the number of events in independent trials. The test detects a
// probability that is at the bound or below.
func (r *report) above(what string, bound, expected float64, count, trials int) {
	failing := atMost(count, trials, 0.5*(bound+expected)) <= levelOfLook
	r.add(comparison{
		what: what, predicted: bound, measured: share(count, trials),
		stderr:  math.Sqrt(expected * (1 - expected) / float64(trials)),
		verdict: decide(math.IsNaN(bound) || failing, atLeast(count, trials, bound) <= missOfLook),
		low:     bound, high: math.Inf(1), falseAlarm: level,
	})
}

// below tests that the probability of an event lies below a bound, and at least half as far from the bound as
// the expected probability.
func (r *report) below(what string, bound, expected float64, count, trials int) {
	r.above(what, 1-bound, 1-expected, trials-count, trials)
	c := &r.comparisons[len(r.comparisons)-1]
	c.predicted, c.measured, c.low, c.high = bound, share(count, trials), math.Inf(-1), bound
}

// never tests that an event of probability 0 did not occur in any of the trials. The test detects an event
// whose probability is at least found.
func (r *report) never(what string, count, trials int, found float64) {
	r.add(comparison{
		what: what, measured: share(count, trials), low: math.Inf(-1), high: found,
		verdict: decide(count > 0, atMost(0, trials, found) <= missOfLook),
	})
}

// most tests that a number without randomness is at most a bound.
func (r *report) most(what string, bound, measured float64) {
	r.add(comparison{
		what: what + ", at most", predicted: bound, measured: measured, verdict: either(measured <= bound),
		low: math.Inf(-1), high: bound,
	})
}

// refute asserts that the last comparison detects the given wrong value or, for a measurement without
// randomness, disagrees with it. The value must not be NaN.
func (r *report) refute(value float64) {
	c := &r.comparisons[len(r.comparisons)-1]
	c.refuted = append(c.refuted, value)
	if told := value <= c.low || value >= c.high; !told || c.agrees != nil && c.agrees(value) {
		c.verdict = fails
	}
}

// result returns the verdict over all comparisons of a claim. The claim fails if a comparison fails or if
// there are no comparisons. Otherwise the claim is undecided if a comparison is undecided.
func (r *report) result(c Claim) Result {
	result := Result{Claim: c, Comparisons: len(r.comparisons), Verdict: either(len(r.comparisons) > 0)}
	for k, x := range r.comparisons {
		result.FalseAlarm += x.falseAlarm
		worse := x.verdict == fails && result.Verdict != fails ||
			x.verdict == undecided && result.Verdict == holds
		if k == 0 || worse {
			result.What, result.Predicted = x.what, x.predicted
			result.Measured, result.StandardError = x.measured, x.stderr
		}
		if worse {
			result.Verdict = x.verdict
		}
	}
	if result.Verdict == fails && c.Set == Training {
		result.Verdict = differs
	}
	return result
}

// atMost returns the probability of at most count events in independent trials, each with probability p. The
// probability p is clamped to [0, 1].
func atMost(count, trials int, p float64) float64 {
	switch {
	case count < 0:
		return 0
	case count >= trials || p <= 0:
		return 1
	case p >= 1:
		return 0
	}
	return distuv.Binomial{N: float64(trials), P: p}.CDF(float64(count))
}

// atLeast returns the probability of at least count events in independent trials, each with probability p.
func atLeast(count, trials int, p float64) float64 { return atMost(trials-count, trials, 1-p) }

// quantiles caches the quantiles of Student's t distribution that have been computed.
var quantiles sync.Map

// studentQuantile returns the value that a variable with Student's t distribution exceeds with probability
// tail, which is below ½.
func studentQuantile(tail, degrees float64) float64 {
	key := [2]float64{tail, degrees}
	if q, known := quantiles.Load(key); known {
		return q.(float64)
	}
	q := -distuv.UnitNormal.Quantile(tail)
	if law := (distuv.StudentsT{Sigma: 1, Nu: degrees}); !math.IsInf(degrees, 1) {
		low, high := 0., q
		for law.CDF(-high) > tail {
			low, high = high, 2*high
		}
		for high-low > 1e-12*high {
			if middle := 0.5 * (low + high); law.CDF(-middle) > tail {
				low = middle
			} else {
				high = middle
			}
		}
		q = high
	}
	quantiles.Store(key, q)
	return q
}

// estimate is the mean of random samples with its standard error, and the degrees of freedom of the standard
// error.
type estimate struct{ value, stderr, degrees float64 }

// meanOf estimates the mean of a function of independent samples. With fewer than two samples the standard
// error is infinite.
func meanOf[T any](samples []T, function func(T) float64) estimate {
	if len(samples) < 2 {
		return estimate{stderr: math.Inf(1)}
	}
	e := statistics.EstimateOf(samples, function)
	return estimate{e.Value, e.Stderr, float64(len(samples) - 1)}
}

// scaled returns the estimate multiplied by a factor.
func (e estimate) scaled(factor float64) estimate {
	return estimate{float64(factor * e.value), float64(math.Abs(factor) * e.stderr), e.degrees}
}

// shifted returns the estimate plus a constant.
func (e estimate) shifted(by float64) estimate { return estimate{e.value + by, e.stderr, e.degrees} }

// minus returns the estimate of the difference of two independent estimates. The degrees of freedom are the
// smaller of the two numbers, which is at most the number of Welch's approximation.
func (e estimate) minus(other estimate) estimate {
	return estimate{e.value - other.value,
		math.Sqrt(float64(e.stderr*e.stderr) + float64(other.stderr*other.stderr)),
		min(e.degrees, other.degrees)}
}

// logarithmOf returns the logarithm of an estimate, with a standard error to first order. If the estimate is
// not positive, the standard error is infinite.
func logarithmOf(e estimate) estimate {
	if e.value <= 0 {
		return estimate{stderr: math.Inf(1)}
	}
	return estimate{elementary.Log(e.value), e.stderr / e.value, e.degrees}
}

// ratioOf estimates the ratio of the means of two functions of the same samples, with a standard error to
// first order. If a mean is 0, the standard error is infinite.
func ratioOf[T any](samples []T, first, second func(T) float64) estimate {
	above, below := meanOf(samples, first), meanOf(samples, second)
	if above.value == 0 || below.value == 0 {
		return estimate{stderr: math.Inf(1)}
	}
	relative := meanOf(samples, func(x T) float64 { return first(x)/above.value - second(x)/below.value })
	ratio := above.value / below.value
	return estimate{ratio, math.Abs(ratio) * relative.stderr, relative.degrees}
}
