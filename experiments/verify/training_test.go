package verify

import (
	"strings"
	"testing"
)

// A comparison of pairs holds if every difference is above 0, and so does a claim if all do; else a claim on
// training differs at this size, and any other fails.
func TestVerdictsOnPairs(t *testing.T) {
	for _, c := range []struct {
		set         string
		differences [][]float64
		want        verdict
		alarm       float64
	}{
		{Training, [][]float64{{0.1, 2, 1e-9}}, holds, 0.125},
		{Training, [][]float64{{0.1, 2, 0}}, differs, 0.125},
		{Training, [][]float64{{0.1, 2}, {3, -1}}, differs, 0.5},
		{Training, [][]float64{{}}, differs, 1},
		{Spectra, [][]float64{{0.1, -2}}, fails, 0.25},
	} {
		var r report
		for _, d := range c.differences {
			r.paired("x", d)
		}
		result := r.result(Claim{Set: c.set})
		if got := result.verdict(); got != c.want || result.FalseAlarm != c.alarm {
			t.Errorf("%+v: %v, %v", c, got, result.FalseAlarm)
		}
	}
	var r report
	r.paired("x", []float64{1, 2, 6})
	if x := r.comparisons[0]; x.measured != 3 || !(x.stderr > 1.527 && x.stderr < 1.528) {
		t.Errorf("%+v", x)
	}
}

// What is said of training is not among the claims that are measured by default, and counts by itself.
func TestTrainingIsASetOfItsOwn(t *testing.T) {
	e := New()
	for _, c := range e.Claims() {
		if c.Set == Training {
			t.Errorf("%s is measured by default", c.ID)
		}
	}
	e.Sets = []string{Training}
	if n := len(e.Claims()); n != len(trainingClaims) {
		t.Errorf("%d claims on training", n)
	}
	e.Only = []string{"train-gap", "thm2-below"}
	if n := len(e.Claims()); n != 2 {
		t.Errorf("%d of 2 claims", n)
	}
	var text strings.Builder
	rows := []Row{
		{Source: "training, x", Verdict: holds, FalseAlarm: 0.25}, {Source: "training, y", Verdict: differs},
		{Source: "spectra, z", Verdict: holds, FalseAlarm: 1e-7},
	}
	if err := Summarize(&text, rows); err != nil {
		t.Fatal(err)
	}
	want := "2 of 3 claims hold, 1 differs at this size. If all are true, one fails by chance with " +
		"probability at most 1e-07. Of networks that do not differ, a comparison on training holds by " +
		"chance with probability 0.0039.\n"
	if text.String() != want {
		t.Errorf("%s", text.String())
	}
}
