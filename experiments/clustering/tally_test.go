package clustering

import (
	"math"
	"testing"

	"antipode/sphere"
)

// A tally has the numbers of what it was given, alone and joined, and the largest of the bounds.
func TestTallyCounts(t *testing.T) {
	tallies := newTallies(2)
	a, b := &tallies[0], &tallies[1]
	if !math.IsNaN(a.bound) || !math.IsNaN(b.bound) {
		t.Errorf("bounds %v and %v of nothing", a.bound, b.bound)
	}
	for _, s := range []seen{
		{sphere.Single, false}, {sphere.Antipodal, true}, {sphere.Antipodal, true},
		{sphere.Unclustered, true}, {sphere.Unclustered, false},
		{sphere.Unclustered, false},
	} {
		a.add(s)
	}
	b.add(seen{sphere.Single, false})
	for _, chance := range []float64{math.NaN(), 2e-10, 5e-10, math.NaN(), 3e-10} {
		a.raise(chance)
	}
	if want := (tally{[3]int64{1, 2, 3}, 3, 5e-10}); *a != want {
		t.Errorf("%+v, want %+v", *a, want)
	}
	if a.trajectories() != 6 || a.fraction(sphere.Antipodal) != 1./3 ||
		a.fraction(sphere.Unclustered) != 0.5 {
		t.Errorf("%d trajectories, fractions %v and %v", a.trajectories(), a.fraction(sphere.Antipodal),
			a.fraction(sphere.Unclustered))
	}
	if got, want := a.text(), "antipodal 0.333, single 0.167 of 6"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.join(*a)
	if want := (tally{[3]int64{2, 2, 3}, 3, 5e-10}); *b != want {
		t.Errorf("joined %+v, want %+v", *b, want)
	}
	b.join(tally{[3]int64{0, 1, 0}, 2, math.NaN()})
	b.join(tally{[3]int64{0, 0, 1}, 0, 7e-10})
	if want := (tally{[3]int64{2, 3, 4}, 5, 7e-10}); *b != want {
		t.Errorf("joined %+v, want %+v", *b, want)
	}
}

// The distance of a count from a prediction: 12 of 100 at p = 0.2 is 2 standard deviations of 4 off;
// of a rare event with mean ½ a count of 3 is 2.5 off.
func TestDeviationOfACount(t *testing.T) {
	if got := deviation(12, 100, 0.2); math.Abs(got-2) > 1e-12 {
		t.Errorf("12 of 100 at 0.2: %v", got)
	}
	if got := deviation(3, 1000, 0.0005); math.Abs(got-2.5) > 1e-12 {
		t.Errorf("3 of 1000 at 0.0005: %v", got)
	}
}
