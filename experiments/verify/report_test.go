package verify

import (
	"math"
	"testing"
)

// reported is the comparison that a report makes.
func reported(make func(r *report)) comparison {
	var r report
	make(&r)
	return r.comparisons[0]
}

// The largest z-score that is allowed is the quantile, and a comparison without power fails.
func TestNormalComparison(t *testing.T) {
	if tail := math.Erfc(quantile / math.Sqrt2); math.Abs(tail/level-1) > 1e-6 {
		t.Errorf("the quantile %v has the tails %v", quantile, tail)
	}
	for _, c := range []struct {
		value, stderr, largest, allowance float64
		holds                             bool
	}{
		{1 + 5.3*0.1, 0.1, 0.1, 0, true},
		{1 + 5.4*0.1, 0.1, 0.1, 0, false},
		{1 - 5.4*0.1, 0.1, 0.1, 0.02, true},
		{1, 0.1, 0.09, 0, false},
		{math.NaN(), 0.1, 1, 0, false},
		{1, math.NaN(), 1, 0, false},
	} {
		got := reported(func(r *report) {
			r.normal("", 1, estimate{c.value, c.stderr}, c.largest, c.allowance)
		})
		if got.holds != c.holds || got.falseAlarm != level {
			t.Errorf("%+v: %v", c, got.holds)
		}
	}
}

// A value is refuted if the measurement excludes it. Only a value that no measurement explained by the
// prediction agrees with is refuted without false alarms.
func TestRefute(t *testing.T) {
	for _, c := range []struct {
		measured, value float64
		holds, possible bool
	}{{1, 3, true, true}, {1, 1.9, true, false}, {1, 1.4, false, false}, {1.5, 2.2, true, true}} {
		got := reported(func(r *report) {
			r.normal("", 1, estimate{c.measured, 0.1}, 0.1, 0)
			r.refute(c.value)
		})
		if got.holds != c.holds || (got.falseAlarm < 1e-3) != c.possible {
			t.Errorf("%+v: holds %v, false alarm %v", c, got.holds, got.falseAlarm)
		}
	}
	exact := reported(func(r *report) { r.equal("", 1, 1, 0.1); r.refute(1.05) })
	if exact.holds {
		t.Error("1.05 is refuted by 1 ± 0.1")
	}
}

// False alarms of counts, summed over all counts that fail.
func TestFalseAlarmsOfCounts(t *testing.T) {
	const n = 400
	probability := func(k int, p float64) float64 { return atMost(k, n, p) - atMost(k-1, n, p) }
	failing := func(p float64, of func(r *report, k int)) (sum, claimed float64) {
		for k := range n + 1 {
			c := reported(func(r *report) { of(r, k) })
			if claimed = c.falseAlarm; !c.holds {
				sum += probability(k, p)
			}
		}
		return sum, claimed
	}
	for name, of := range map[string]func(r *report, k int){
		"binomial":         func(r *report, k int) { r.binomial("", 0.3, k, n, 0) },
		"binomial refutes": func(r *report, k int) { r.binomial("", 0.3, k, n, 0); r.refute(0.1) },
		"above":            func(r *report, k int) { r.above("", 0.1, 0.3, k, n) },
		"below":            func(r *report, k int) { r.below("", 0.6, 0.3, k, n) },
	} {
		sum, claimed := failing(0.3, of)
		if !(sum <= claimed*(1+1e-6)) || claimed > 0 && sum < claimed/20 {
			t.Errorf("%s: fails with probability %v, claimed %v", name, sum, claimed)
		}
	}
	for _, p := range []float64{0, 1} {
		if c := reported(func(r *report) { r.binomial("", p, int(p*n), n, 0) }); !c.holds {
			t.Errorf("probability %v is not itself", p)
		}
		if c := reported(func(r *report) { r.binomial("", p, n/2, n, 0) }); c.holds {
			t.Errorf("half is taken for %v", p)
		}
	}
}

// The first comparison that fails is shown, and without any there is no verdict.
func TestResultShowsWhatFails(t *testing.T) {
	var r report
	if r.result(Claim{}).Holds {
		t.Error("no comparison holds")
	}
	r.equal("first", 1, 1, 0)
	if got := r.result(Claim{}); !got.Holds || got.What != "first" {
		t.Errorf("%+v", got)
	}
	r.equal("second", 1, 2, 0)
	r.equal("third", 1, 3, 0)
	got := r.result(Claim{})
	if got.Holds || got.What != "second" || got.Measured != 2 || got.Comparisons != 3 {
		t.Errorf("%+v", got)
	}
}

// NaN is no evidence, neither for a claim nor against what it refutes, and nor is a count without trials.
func TestNothingMeasuredHolds(t *testing.T) {
	nan := math.NaN()
	for name, of := range map[string]func(r *report){
		"equal to NaN":     func(r *report) { r.equal("", nan, 1, 1) },
		"NaN":              func(r *report) { r.equal("", 1, nan, 1) },
		"NaN refuted":      func(r *report) { r.equal("", 1, 1, 0.1); r.refute(nan) },
		"probability NaN":  func(r *report) { r.binomial("", nan, 3, 10, 0) },
		"no trials":        func(r *report) { r.binomial("", 0.5, 0, 0, 0) },
		"never in none":    func(r *report) { r.never("", 0, 0) },
		"bound NaN above":  func(r *report) { r.above("", nan, 0.5, 10, 10) },
		"bound NaN below":  func(r *report) { r.below("", nan, 0.5, 0, 10) },
		"differs from NaN": func(r *report) { r.differs("", nan, 1, estimate{1, 0.01}) },
	} {
		if c := reported(of); c.holds {
			t.Errorf("%s holds", name)
		}
	}
}
