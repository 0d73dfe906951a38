package verify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sphere"

	"gonum.org/v1/gonum/stat/distuv"
)

// reported returns the first comparison of the report that make fills.
func reported(make func(r *report)) comparison {
	var r report
	make(&r)
	return r.comparisons[0]
}

// The probability that a variable with Student's distribution exceeds q is known in closed form: for ν = 2
// degrees of freedom it is ½(1 - q/√(2+q²)), for ν = 1 an arctangent, and for ν = ∞ it is the one of a normal
// variable.
func TestStudentQuantile(t *testing.T) {
	for _, tail := range []float64{levelOfLook / 2, missOfLook, 0.3} {
		for _, c := range []struct{ degrees, back float64 }{
			{1, math.Atan(1/studentQuantile(tail, 1)) / math.Pi},
			{2, 1 / (2 + math.Pow(studentQuantile(tail, 2), 2) +
				math.Sqrt(2+math.Pow(studentQuantile(tail, 2), 2))*
					studentQuantile(tail, 2))},
			{math.Inf(1), 0.5 * math.Erfc(studentQuantile(tail, math.Inf(1))/math.Sqrt2)},
		} {
			if !(math.Abs(c.back/tail-1) <= 1e-6) {
				t.Errorf("ν = %v: %v is exceeded with probability %v, not %v", c.degrees,
					studentQuantile(tail, c.degrees), c.back, tail)
			}
		}
	}
}

// A mean fails if its deviation exceeds the allowance by a quantile of Student's distribution, and holds if
// it falls short of what must be detected by another quantile: with 100 degrees of freedom these are 6.053
// and 2.871 standard errors.
func TestNormalComparison(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		value, stderr, degrees, found, allowance float64
		want                                     verdict
	}{
		{1 + 0.605, 0.1, 100, 0.7, 0, undecided},
		{1 + 0.606, 0.1, 100, 0.7, 0, fails},
		{1 - 0.606, 0.1, 100, 0.7, 0, fails},
		{1 - 0.606, 0.1, 100, 0.7, 0.02, undecided},
		{1 - 0.626, 0.1, 100, 0.7, 0.02, fails},
		{1 + 0.412, 0.1, 100, 0.7, 0, holds},
		{1 + 0.414, 0.1, 100, 0.7, 0, undecided},
		{1 - 0.414, 0.1, 100, 0.7, 0, undecided},
		{1 - 0.414, 0.1, 100, 0.7, 0.02, holds},
		{1, 0.1, 1, 0.7, 0, undecided},
		{9, inf, 0, 0.7, 0, undecided},
		{nan, 0.1, 100, 0.7, 0, fails},
		{1, nan, 100, 0.7, 0, fails},
	} {
		got := reported(func(r *report) {
			r.normal("", 1, estimate{c.value, c.stderr, c.degrees}, c.found, c.allowance)
		})
		if got.verdict != c.want || got.falseAlarm != level {
			t.Errorf("%+v: %v", c, got.verdict)
		}
		reach := c.found + c.allowance
		if got.low != 1-reach || got.high != 1+reach {
			t.Errorf("%+v finds %v and %v", c, got.low, got.high)
		}
	}
}

// A mean that must be beyond a bound fails if it is significantly short of the middle between the bound and
// the expected value, and holds if it is significantly beyond the bound, on either side.
func TestBeyond(t *testing.T) {
	for _, side := range []float64{1, -1} {
		for _, c := range []struct {
			value, stderr float64
			want          verdict
		}{{3, 0.1, holds}, {1.396, 0.1, holds}, {1.394, 0.1, fails}, {1.575, 0.2, holds},
			{1.573, 0.2, undecided}, {1, 0.2, undecided}, {1, 0.16, fails}, {-5, 0.1, fails}, {3, math.NaN(),
				fails}} {
			got := reported(func(r *report) {
				r.beyond("", side, 3*side, estimate{side * c.value, c.stderr, 100})
			})
			if got.verdict != c.want || got.falseAlarm != level {
				t.Errorf("side %v, %+v: %v", side, c, got.verdict)
			}
		}
	}
}

// refute holds for a value that the comparison would detect. If the number is not random, it holds for a
// value with which the measurement does not agree.
func TestRefute(t *testing.T) {
	for _, c := range []struct {
		value float64
		want  verdict
	}{{2.1, holds}, {-0.1, holds}, {1.9, fails}, {0.1, fails}, {math.NaN(), fails}} {
		got := reported(func(r *report) {
			r.normal("", 1, estimate{1, 0.01, 100}, 0.8, 0.2)
			r.refute(c.value)
		})
		if got.verdict != c.want {
			t.Errorf("%+v: %v", c, got.verdict)
		}
	}
	exact := reported(func(r *report) { r.equal("", 1, 1.05, 0.1); r.refute(1.12) })
	if exact.verdict != fails {
		t.Error("1.12 is refuted by 1.05 ± 0.1")
	}
}

// These are the probabilities, summed over all counts, that a comparison of counts fails although the
// prediction is true, and that it holds although the prediction is wrong by as much as it detects: neither
// exceeds its share in one look.
func TestErrorsOfCounts(t *testing.T) {
	const n = 400
	probability := func(k int, p float64) float64 { return atMost(k, n, p) - atMost(k-1, n, p) }
	of := func(p float64, want verdict, compare func(r *report, k int)) (sum float64) {
		for k := range n + 1 {
			if c := reported(func(r *report) { compare(r, k) }); c.verdict == want {
				sum += probability(k, p)
			}
		}
		return sum
	}
	for name, x := range map[string]struct {
		right, wrong float64
		compare      func(r *report, k int)
	}{
		"binomial, low":  {0.28, 0.13, func(r *report, k int) { r.binomial("", 0.3, k, n, 0.15, 0.02) }},
		"binomial, high": {0.32, 0.47, func(r *report, k int) { r.binomial("", 0.3, k, n, 0.15, 0.02) }},
		"above":          {0.2, 0.1, func(r *report, k int) { r.above("", 0.1, 0.3, k, n) }},
		"below":          {0.45, 0.6, func(r *report, k int) { r.below("", 0.6, 0.3, k, n) }},
	} {
		if p := of(x.right, fails, x.compare); !(p <= levelOfLook) || p < levelOfLook/50 {
			t.Errorf("%s: fails with probability %v, at most %v", name, p, levelOfLook)
		}
		if p := of(x.wrong, holds, x.compare); !(p <= missOfLook) || p < missOfLook/20 {
			t.Errorf("%s: holds wrongly with probability %v, at most %v", name, p, missOfLook)
		}
	}
	for _, p := range []float64{0, 1} {
		if c := reported(func(r *report) { r.binomial("", p, int(p*n), n, 0.05, 0) }); c.verdict != holds {
			t.Errorf("probability %v is not itself", p)
		}
		if c := reported(func(r *report) { r.binomial("", p, n/2, n, 0.05, 0) }); c.verdict != fails {
			t.Errorf("half is taken for %v", p)
		}
	}
}

// Claims look at a mean of normal numbers, each time with four times as many as before. If the prediction is
// true, none of 2,000 runs fails. If it is wrong by what must be detected, at most 20 runs are expected to
// hold; more than 40 do with probability below 10⁻⁴. Seed 1.
func TestLooksHaveTheStatedErrors(t *testing.T) {
	const runs, found = 2000, 0.5
	rng := rand.New(rand.NewPCG(1, 1))
	verdicts := func(mean float64) (counts [len(verdictNames)]int, drawn int) {
		for range runs {
			c := Claim{measure: func(f *fixture, r *report) {
				samples := make([]float64, f.samples(400))
				for k := range samples {
					samples[k] = mean + rng.NormFloat64()
				}
				drawn += len(samples)
				r.normal("", 0, meanOf(samples, identity), found, 0.05)
			}}
			result, err := c.check(&fixture{})
			if err != nil {
				t.Fatal(err)
			}
			counts[result.Verdict]++
		}
		return counts, drawn / runs
	}
	if right, drawn := verdicts(0.05); right[holds] != runs || drawn > 400 {
		t.Errorf("right: %v, of %d samples in the mean", right, drawn)
	}
	if wrong, drawn := verdicts(-0.05 - found); wrong[holds] > 40 || wrong[undecided] > 0 || drawn > 800 {
		t.Errorf("wrong: %v, of %d samples in the mean", wrong, drawn)
	}
}

// Parts that are decided are not measured again, but count in the result.
func TestPartsAreMeasuredUntilTheyAreDecided(t *testing.T) {
	var measured [2]int
	c := Claim{measure: func(f *fixture, r *report) {
		for k := range measured {
			r.part(func() {
				measured[k]++
				// In the first part the number of trials is too small until the last look.
				usual := []float64{100, 1000}[k]
				r.never(fmt.Sprint(k), 0, int(f.share*usual), 0.01)
			})
		}
	}}
	result, err := c.check(&fixture{})
	if err != nil || result.Verdict != holds || result.Comparisons != 2 || measured != [2]int{4, 3} {
		t.Errorf("%+v, %v; parts measured %v times", result, err, measured)
	}
}

// The result shows the first comparison that fails, or else the first that is undecided. A claim without
// comparisons fails.
func TestResultShowsWhatDecidesIt(t *testing.T) {
	var r report
	if r.result(Claim{}).Verdict != fails {
		t.Error("no comparison holds")
	}
	r.equal("first", 1, 1, 0)
	if got := r.result(Claim{}); got.Verdict != holds || got.What != "first" {
		t.Errorf("%+v", got)
	}
	r.never("second", 0, 1, 0.1)
	if got := r.result(Claim{}); got.Verdict != undecided || got.What != "second" {
		t.Errorf("%+v", got)
	}
	r.equal("third", 1, 2, 0)
	r.equal("fourth", 1, 3, 0)
	r.never("fifth", 0, 1, 0.1)
	got := r.result(Claim{})
	if got.Verdict != fails || got.What != "third" || got.Measured != 2 || got.Comparisons != 5 {
		t.Errorf("%+v", got)
	}
}

// NaN is no evidence, and neither is a count without trials.
func TestNothingMeasuredDoesNotHold(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		of   func(r *report)
		want verdict
	}{
		"equal to NaN":    {func(r *report) { r.equal("", nan, 1, 1) }, fails},
		"NaN":             {func(r *report) { r.equal("", 1, nan, 1) }, fails},
		"NaN refuted":     {func(r *report) { r.equal("", 1, 1, 0.1); r.refute(nan) }, fails},
		"probability NaN": {func(r *report) { r.binomial("", nan, 3, 10, 0.1, 0) }, fails},
		"no trials":       {func(r *report) { r.binomial("", 0.5, 0, 0, 0.1, 0) }, undecided},
		"never in none":   {func(r *report) { r.never("", 0, 0, 0.1) }, undecided},
		"once in many":    {func(r *report) { r.never("", 1, 10_000, 0.1) }, fails},
		"bound NaN above": {func(r *report) { r.above("", nan, 0.5, 10, 10) }, fails},
		"bound NaN below": {func(r *report) { r.below("", nan, 0.5, 0, 10) }, fails},
		"beyond NaN":      {func(r *report) { r.beyond("", nan, 1, estimate{1, 0.01, 9}) }, fails},
		"at most NaN":     {func(r *report) { r.most("", 1, nan) }, fails},
	} {
		if got := reported(c.of).verdict; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// One sample has no standard error, and neither has the logarithm of a mean that is not positive, or a ratio
// to a mean of 0.
func TestEstimatesWithoutAnError(t *testing.T) {
	positive := func(x float64) float64 { return x }
	for name, e := range map[string]estimate{
		"no sample": meanOf(nil, positive), "one": meanOf([]float64{3}, positive),
		"logarithm": logarithmOf(estimate{-1, 0.1, 9}),
		"ratio":     ratioOf([]float64{1, -1}, positive, positive),
	} {
		if !math.IsInf(e.stderr, 1) || math.IsNaN(e.value) {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// The standard error of a ratio of means, of samples that depend on each other, agrees with the spread of
// many such ratios to 10 %; it does not with probability 10⁻⁶. Seed 2.
func TestRatioOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	first := func(x [2]float64) float64 { return 3 + x[0] }
	second := func(x [2]float64) float64 { return 2 + 0.5*x[0] + 0.1*x[1] }
	var ratios []float64
	stated := 0.0
	const runs = 1500
	for range runs {
		samples := make([][2]float64, 200)
		for k := range samples {
			samples[k] = [2]float64{rng.NormFloat64(), rng.NormFloat64()}
		}
		e := ratioOf(samples, first, second)
		ratios, stated = append(ratios, e.value), stated+e.stderr/runs
	}
	spread := meanOf(ratios, identity).stderr * math.Sqrt(runs)
	if !(math.Abs(stated/spread-1) <= 0.1) || !(math.Abs(meanOf(ratios, identity).value-1.5) <= 0.001) {
		t.Errorf("standard error %v, spread %v", stated, spread)
	}
}

// The tail probabilities are those of the binomial distribution, also where it is degenerate. Probabilities
// beyond [0, 1], as rounding errors give them, count as 0 and 1.
func TestTailsOfCounts(t *testing.T) {
	law := distuv.Binomial{N: 20, P: 0.3}
	sum := 0.0
	for k := range 21 {
		if got := atLeast(k, 20, 0.3); !(math.Abs(got-(1-sum)) <= 1e-12) {
			t.Errorf("at least %d: %v, not %v", k, got, 1-sum)
		}
		sum += law.Prob(float64(k))
	}
	differs := func(got, want float64) bool {
		return got != want && (want == 0 || want == 1 || !(math.Abs(got-want) <= 1e-12))
	}
	for _, c := range []struct {
		count       int
		p           float64
		most, least float64
	}{
		{3, 0.25, 1008. / 1024, 106. / 1024}, {3, 0, 1, 0}, {3, -1e-9, 1, 0}, {3, 1, 0, 1},
		{3, 1 + 1e-9, 0, 1}, {-1, 0.5, 0, 1}, {5, 0.5, 1, 1. / 32},
		{0, 0.5, 1. / 32, 1}, {5, 1, 1, 1}, {0, 0, 1, 1}, {4, 1, 0, 1},
		{0, -1, 1, 1},
	} {
		most, least := atMost(c.count, 5, c.p), atLeast(c.count, 5, c.p)
		if differs(most, c.most) || differs(least, c.least) {
			t.Errorf("%d of 5 at %v: at most %v, at least %v, want %v, %v", c.count, c.p, most, least,
				c.most, c.least)
		}
	}
}

// A look takes its share of the usual number of samples, but at least 16, or all if there are fewer usually.
// A share of 0 stands for two.
func TestSamplesOfALook(t *testing.T) {
	for _, c := range []struct {
		share       float64
		usual, want int64
	}{
		{0.125, 1000, 125}, {0.125, 1007, 125}, {8, 1000, 8000}, {0.125, 128, 16}, {0.125, 127, 16},
		{0.125, 17, 16}, {0.125, 16, 16}, {0.125, 15, 15}, {0.5, 15, 15}, {2, 15, 30}, {0.125, 1, 1},
		{0, 1000, 2}, {0, 2, 2}, {0, 1, 1},
	} {
		if got := (&fixture{share: c.share}).samples(c.usual); got != c.want {
			t.Errorf("%v of %d samples are %d, want %d", c.share, c.usual, got, c.want)
		}
	}
	if shares != [looks]float64{0.125, 0.5, 2, 8} {
		t.Errorf("shares %v", shares)
	}
}

// Both outcomes of pairs are compared, each with its own count.
func TestBothOutcomes(t *testing.T) {
	var r report
	seen := counts{}
	seen[sphere.Antipodal], seen[sphere.Single], seen[sphere.Unclustered] = 300, 600, 100
	r.bothOutcomes(" here", seen, 0.3, 0.6, 0.1, 0.02)
	r.bothOutcomes(" there", seen, 0.6, 0.3, 0.1, 0.02)
	for k, want := range []comparison{
		{what: "antipodal here", predicted: 0.3, measured: 0.3, verdict: holds},
		{what: "single here", predicted: 0.6, measured: 0.6, verdict: holds},
		{what: "antipodal there", predicted: 0.6, measured: 0.3, verdict: fails},
		{what: "single there", predicted: 0.3, measured: 0.6, verdict: fails},
	} {
		got := r.comparisons[k]
		if got.what != want.what || got.predicted != want.predicted || got.measured != want.measured ||
			got.verdict != want.verdict {
			t.Errorf("%+v, want %+v", got, want)
		}
		stderr := math.Sqrt(got.predicted * (1 - got.predicted) / 1000)
		if !(math.Abs(got.stderr-stderr) <= 1e-15) {
			t.Errorf("%s: standard error %v, want %v", got.what, got.stderr, stderr)
		}
	}
}

// Numbers that are not random may differ by the tolerance itself, and the measured number may be the bound
// itself. A refuted value may be the end of the band, and one with which the measurement agrees is not
// refuted.
func TestComparisonsAtTheirLimits(t *testing.T) {
	mean := func(value, stderr, degrees, found, allowance float64) func(r *report) {
		return func(r *report) { r.normal("", 1, estimate{value, stderr, degrees}, found, allowance) }
	}
	for name, c := range map[string]struct {
		of   func(r *report)
		want verdict
	}{
		"within":            {func(r *report) { r.equal("", 1, 1.25, 0.25) }, holds},
		"beyond":            {func(r *report) { r.equal("", 1, 1.2500001, 0.25) }, fails},
		"below":             {func(r *report) { r.equal("", 1, 0.7499999, 0.25) }, fails},
		"at most":           {func(r *report) { r.most("", 1.25, 1.25) }, holds},
		"more":              {func(r *report) { r.most("", 1.25, 1.2500001) }, fails},
		"refuted above":     {func(r *report) { r.most("", 1.25, 1); r.refute(1.25) }, holds},
		"not refuted":       {func(r *report) { r.most("", 1.25, 1); r.refute(1.24) }, fails},
		"refuted by both":   {func(r *report) { r.equal("", 1, 1, 0.25); r.refute(1.26) }, holds},
		"refuted low":       {func(r *report) { mean(1, 0.01, 99, 1, 0)(r); r.refute(0) }, holds},
		"refuted high":      {func(r *report) { mean(1, 0.01, 99, 1, 0)(r); r.refute(2) }, holds},
		"agrees":            {func(r *report) { r.equal("", 1, 0.9, 0.25); r.refute(0.7) }, fails},
		"one degree":        {mean(1, 1e-9, 1, 1, 0), holds},
		"below one degree":  {mean(1, 1e-9, 0.5, 1, 0), undecided},
		"no error":          {mean(1.5, 0, 99, 1, 0.5), holds},
		"no error, beyond":  {mean(1.6, 0, 99, 1, 0.5), fails},
		"found itself":      {mean(1.5, 0, 99, 0, 0.5), holds},
		"never, ten trials": {func(r *report) { r.never("", 0, 10, 0.4) }, undecided},
		"never, few trials": {func(r *report) { r.never("", 0, 11, 0.5) }, holds},
	} {
		if got := reported(c.of).verdict; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
