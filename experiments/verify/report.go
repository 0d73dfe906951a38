package verify

import (
	"math"

	"antipode/experiments/internal/statistics"
	"antipode/sphere/elementary"

	"gonum.org/v1/gonum/stat/distuv"
)

// level is the probability with which a random comparison fails by chance, and quantile
// the z-score that a normal number exceeds with that probability, on either side.
const level = 1e-7

var quantile = -distuv.UnitNormal.Quantile(level / 2)

// comparison is a number that a claim predicts beside the one that was measured.
type comparison struct {
	what                        string
	predicted, measured, stderr float64
	holds                       bool
	falseAlarm                  float64

	// agrees reports whether the measurement agrees with a predicted value, and agreesWrongly
	// bounds the probability that it does although the prediction holds.
	agrees        func(value float64) bool
	agreesWrongly func(value float64) float64
}

// report collects the comparisons of a claim.
type report struct{ comparisons []comparison }

func (r *report) add(c comparison) { r.comparisons = append(r.comparisons, c) }

// equal compares numbers that are not random.
func (r *report) equal(what string, predicted, measured, tolerance float64) {
	agrees := func(value float64) bool { return math.Abs(measured-value) <= tolerance }
	r.add(comparison{
		what: what, predicted: predicted, measured: measured, holds: agrees(predicted),
		agrees: agrees, agreesWrongly: func(float64) float64 { return 0 },
	})
}

// normal compares a mean, whose standard error may be at most largest, with a prediction
// that is right up to an allowance.
func (r *report) normal(what string, predicted float64, measured estimate, largest, allowance float64) {
	reach := func(stderr float64) float64 { return float64(quantile*stderr) + allowance }
	agrees := func(value float64) bool { return math.Abs(measured.value-value) <= reach(measured.stderr) }
	r.add(comparison{
		what: what, predicted: predicted, measured: measured.value, stderr: measured.stderr,
		holds: measured.stderr <= largest && agrees(predicted), falseAlarm: level,
		agrees: agrees,
		// Beyond twice the reach a measurement agrees with one value at the most.
		agreesWrongly: func(value float64) float64 {
			if math.Abs(value-predicted) > 2*reach(largest) {
				return 0
			}
			return 1
		},
	})
}

// binomial compares a number of events in independent trials with a probability that is
// right up to an allowance: the tails are exact.
func (r *report) binomial(what string, predicted float64, count, trials int, allowance float64) {
	agrees := func(p float64) bool {
		return atMost(count, trials, p-allowance) > level/2 && atLeast(count, trials, p+allowance) > level/2
	}
	r.add(comparison{
		what: what, predicted: predicted, measured: float64(count) / float64(trials),
		stderr: math.Sqrt(predicted * (1 - predicted) / float64(trials)),
		holds:  trials > 0 && agrees(predicted), falseAlarm: level, agrees: agrees,
		agreesWrongly: func(p float64) float64 {
			if p < predicted {
				return atMost(explained(trials, p+allowance, level/2), trials, predicted-allowance)
			}
			return atLeast(trials-explained(trials, 1-p+allowance, level/2), trials, predicted+allowance)
		},
	})
}

// differs says that a mean is not a value: the difference is at least the expected one.
func (r *report) differs(what string, value, expected float64, measured estimate) {
	r.add(comparison{
		what: what, predicted: value + expected, measured: measured.value, stderr: measured.stderr,
		holds:      math.Abs(measured.value-value) > quantile*measured.stderr,
		falseAlarm: distuv.UnitNormal.CDF(quantile - math.Abs(expected)/measured.stderr),
	})
}

// above says that a probability exceeds a bound, by the number of events in independent
// trials: under a probability up to the bound so many events have at most the probability level. The
// false alarm is that under the expected probability.
func (r *report) above(what string, bound, expected float64, count, trials int) {
	r.add(comparison{
		what: what, predicted: bound, measured: float64(count) / float64(trials),
		stderr:     math.Sqrt(expected * (1 - expected) / float64(trials)),
		holds:      atLeast(count, trials, bound) <= level,
		falseAlarm: atMost(explained(trials, bound, level), trials, expected),
	})
}

// below says that a probability is below a bound.
func (r *report) below(what string, bound, expected float64, count, trials int) {
	r.add(comparison{
		what: what, predicted: bound, measured: float64(count) / float64(trials),
		stderr:     math.Sqrt(expected * (1 - expected) / float64(trials)),
		holds:      atMost(count, trials, bound) <= level,
		falseAlarm: atMost(explained(trials, 1-bound, level), trials, 1-expected),
	})
}

// never says that an event of probability 0 was not seen in some trials.
func (r *report) never(what string, count, trials int) {
	r.add(comparison{what: what, measured: float64(count) / float64(trials), holds: count == 0 && trials > 0})
}

// most says that a number that is not random is at most a bound.
func (r *report) most(what string, bound, measured float64) {
	r.add(comparison{
		what: what + ", at most", predicted: bound, measured: measured, holds: measured <= bound,
	})
}

// refute says that the measurement of the last comparison does not agree with a value, which
// must be a number.
func (r *report) refute(value float64) {
	c := &r.comparisons[len(r.comparisons)-1]
	c.holds = c.holds && !math.IsNaN(value) && !c.agrees(value)
	c.falseAlarm += c.agreesWrongly(value)
}

// result is the verdict by all comparisons. A claim without any does not hold.
func (r *report) result(c Claim) Result {
	result := Result{Claim: c, Comparisons: len(r.comparisons), Holds: len(r.comparisons) > 0}
	for k, x := range r.comparisons {
		result.FalseAlarm += x.falseAlarm
		if k == 0 || result.Holds && !x.holds {
			result.What, result.Predicted = x.what, x.predicted
			result.Measured, result.StandardError = x.measured, x.stderr
		}
		result.Holds = result.Holds && x.holds
	}
	return result
}

// atMost returns the probability of at most count events in trials of probability p, which is
// clamped to [0, 1].
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

// atLeast returns the probability of at least count events.
func atLeast(count, trials int, p float64) float64 { return atMost(trials-count, trials, 1-p) }

// explained is the largest number of events that trials of probability p explain: at
// least so many have a probability above the one given.
func explained(trials int, p, probability float64) int {
	low, high := 0, trials+1 // low are explained, high are not
	for high-low > 1 {
		middle := (low + high) / 2
		if atLeast(middle, trials, p) > probability {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// estimate is a mean with its standard error.
type estimate struct{ value, stderr float64 }

// meanOf estimates the mean of a function of independent samples, of which there must be
// two or more.
func meanOf[T any](samples []T, function func(T) float64) estimate {
	mean, stderr := statistics.Mean(samples, function)
	return estimate{mean, stderr}
}

// scaled is the estimate of a multiple.
func (e estimate) scaled(factor float64) estimate {
	return estimate{float64(factor * e.value), float64(math.Abs(factor) * e.stderr)}
}

// minus is the estimate of a difference of independent estimates.
func (e estimate) minus(other estimate) estimate {
	return estimate{e.value - other.value,
		math.Sqrt(float64(e.stderr*e.stderr) + float64(other.stderr*other.stderr))}
}

// logarithmOf is the estimate of the logarithm, to first order in the error.
func logarithmOf(e estimate) estimate {
	return estimate{elementary.Log(e.value), e.stderr / math.Abs(e.value)}
}
