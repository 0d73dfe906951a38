package clustering

import (
	"math"
	"strings"
	"testing"

	"antipode/experiments/internal/outcomes"
	"antipode/sde"
	"antipode/sphere"
)

// Cells without a theory are not said to agree with it: two of two, and one of two.
func TestTextOfMissingTheory(t *testing.T) {
	nan := math.NaN()
	phase := func(horizon ...float64) string {
		return (&phaseCells{
			dim: []int32{4, 4}, beta: []float64{1, 2}, trajectories: []int64{100, 100}, antipodal: []int64{20, 40},
			limit: []float64{0.2, 0.4}, horizon: horizon,
		}).sentence()
	}
	hybrid := func(single, antipodal []float64) string {
		return (&hybridCells{
			beta: []float64{1, 1}, epsilon: []float64{0.2, 2}, trajectories: []int64{100, 100},
			single: []int64{90, 10}, antipodal: []int64{10, 90}, pSingle: []float64{0.9, 0.1}, pAntipodal: []float64{0.1, 0.9},
			limit: []float64{0, 1}, antipodalHorizon: antipodal, singleHorizon: single,
			singleThreshold: []float64{0.86, 0.86}, antipodalThreshold: []float64{0.86, 0.86},
		}).sentence(NewHybrid())
	}
	for _, c := range []struct{ got, want string }{
		{phase(nan, nan), " There is no theory to compare these cells with."},
		// 20 of 100 for 0.5 are 30/√25 standard errors off.
		{phase(0.5, nan), "is 6.0 standard errors, but for 1 of 2 cells, of which there is no theory."},
		{phase(0.2, 0.4), "is 0.0 standard errors."},
		{hybrid([]float64{nan, nan}, []float64{nan, nan}), " There is no theory to compare these cells with."},
		{hybrid([]float64{nan, nan}, []float64{nan, 0.5}), "is 8.0 standard errors, but for 1 of 2 cells, of which there is no theory."},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%q has not %q", c.got, c.want)
		}
	}
}

// The clock of unnormalised attention overflows at β = 400, and there is no law at a time.
func TestEvolveWithoutTheory(t *testing.T) {
	e := NewEvolve()
	e.Tokens, e.Attention = 2, sde.Unnormalized
	line := func(beta float64) *evolveLine {
		l := &evolveLine{model: "transformer", dim: 4, beta: beta, trajectories: 100, time: []float64{1}, pair: []int64{0}}
		l.outcomes[sphere.Single], l.outcomes[sphere.Antipodal], l.outcomes[sphere.Unclustered] = []int64{0}, []int64{100}, []int64{0}
		return l
	}
	for _, c := range []struct {
		lines []*evolveLine
		want  string
	}{
		{[]*evolveLine{line(400)}, " There is no theory to compare these cells with."},
		{[]*evolveLine{line(0.5), line(400)}, ", but for 1 of 2 cells, of which there is no theory."},
	} {
		_, difference, err := e.atHorizon(c.lines)
		if err != nil {
			t.Fatal(err)
		}
		if got := outcomes.SentenceOn(difference, ""); !strings.HasSuffix(got, c.want) {
			t.Errorf("%q has not %q", got, c.want)
		}
	}
}

// A reference that a value is itself is not that of the Fokker-Planck equation.
func TestWeakReferenceText(t *testing.T) {
	if got := referenceText(weakFit{error: []float64{0.1, math.NaN()}}); got != "the value at the greatest depth" {
		t.Error(got)
	}
	if got := referenceText(weakFit{error: []float64{0.1, 0.05}}); got != "the mean by the Fokker-Planck equation" {
		t.Error(got)
	}
}
