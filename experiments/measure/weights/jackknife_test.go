package weights

import (
	"math"
	"testing"
)

// The jackknife of a sum gives the standard error s√n, and an interval with the quantile of Student's
// distribution from a table, from two numbers on; for one number, nothing is known.
func TestJackknife(t *testing.T) {
	numbers := []float64{1, 4, 2, 7, 11}
	var j jackknife
	for k := range numbers {
		rest := 0.0
		for i, x := range numbers {
			if i != k {
				rest += x
			}
		}
		j.add(rest)
	}
	if got, want := j.stderr(), math.Sqrt(16.5*5); !(math.Abs(got-want) <= 1e-13) {
		t.Errorf("standard error %v, want %v", got, want)
	}
	if got := j.quantile(); !(math.Abs(got-2.776445105) <= 1e-8) {
		t.Errorf("quantile %v", got)
	}
	two := jackknife{values: []float64{1, 3}}
	if !(math.Abs(two.stderr()-2) <= 1e-15) || !(math.Abs(two.quantile()-12.706204736) <= 1e-8) {
		t.Errorf("of two numbers %v and %v", two.stderr(), two.quantile())
	}
	if one := (&jackknife{values: []float64{3}}); !math.IsInf(one.stderr(), 1) || one.quantile() != 1 {
		t.Errorf("of one number %v and %v", one.stderr(), one.quantile())
	}
}
