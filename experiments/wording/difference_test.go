package wording

import (
	"fmt"
	"math"
	"testing"
)

// A number without a theory does not count as 0.0 away from it, and the sentence says how many there are.
func TestDifference(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		differences []float64
		largest     float64
		at          int // index of the largest; -1 if there is none
		want        string
	}{
		{[]float64{0.5, 2, 1}, 2, 1, " The largest is 2.0 apart."},
		{[]float64{0, 0}, 0, 0, " The largest is 0.0 apart."},
		{[]float64{nan, 0.3, nan}, 0.3, 1,
			" The largest is 0.3 apart, but for 2 of 3 cells, of which there is no theory."},
		{[]float64{nan, nan}, nan, -1, " There is no theory to compare these cells with."},
		{nil, nan, -1, " There is no theory to compare these cells with."},
	} {
		var d Difference
		at := -1
		for k, x := range c.differences {
			if d.Add(x) {
				at = k
			}
		}
		got := d.Sentence(fmt.Sprintf("the largest is %.1f apart", d.Largest()), "cells")
		same := d.Largest() == c.largest || math.IsNaN(d.Largest()) && math.IsNaN(c.largest)
		if got != c.want || at != c.at || !same {
			t.Errorf("%v: %q, largest %v at %d", c.differences, got, d.Largest(), at)
		}
	}
}

func TestRelative(t *testing.T) {
	if got := Relative(3, 2); got != 0.5 {
		t.Errorf("3 for 2 is %v off", got)
	}
	if got := Relative(1, -2); got != 1.5 {
		t.Errorf("1 for -2 is %v off", got)
	}
	if got := Relative(0, 0); got != 0 {
		t.Errorf("0 for 0 is %v off", got)
	}
	if got := Relative(-1, 0); !math.IsInf(got, 1) {
		t.Errorf("-1 for 0 is %v off", got)
	}
	for _, got := range []float64{Relative(1, math.NaN()), Relative(math.NaN(), 0)} {
		if !math.IsNaN(got) {
			t.Errorf("a difference from nothing is %v", got)
		}
	}
}
