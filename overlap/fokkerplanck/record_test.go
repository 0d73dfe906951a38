package fokkerplanck_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
	"antipode/overlap/fokkerplanck"
	"antipode/overlap/internal/diffusions"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/elementary"
)

// Laws of all models and their derivatives, over their whole domain, are as recorded.
func TestLawsAreAsRecorded(t *testing.T) {
	random := rand.New(rand.NewPCG(73, 1))
	var records []overlaptest.Record
	for range 13 {
		name, d := diffusions.Draw(random, 3)
		z := overlaptest.Linear(random, -1, 1)
		tolerance := []float64{0.1, 0.01, 1e-3, 1e-4}[random.IntN(4)]
		outcome := []float64{1e-6, 1e-3, 0.1}[random.IntN(3)]
		times := [][]float64{{0.01, 1}, {0.3, 4, 30}, {200}}[random.IntN(3)]
		uniform := random.IntN(2) == 0
		by := overlap.Parameter(random.IntN(3))
		r := overlaptest.Record{Cell: fmt.Sprintf(
			"%s, z=%.3g uniform %t times %v tolerance %g outcome %g by %v", name, z, uniform, times,
			tolerance, outcome, by)}
		var laws []fokkerplanck.Distribution
		var derivatives []fokkerplanck.Derivative
		var ok bool
		var err, derivativeErr error
		if uniform {
			laws, err = fokkerplanck.Uniform(d, times, tolerance)
			derivatives, ok, derivativeErr = fokkerplanck.UniformDerivative(d, by, times, tolerance)
		} else {
			laws, err = fokkerplanck.From(d, z, times, tolerance)
			derivatives, ok, derivativeErr = fokkerplanck.FromDerivative(d, z, by, times, tolerance)
		}
		r.AddBool(err == nil)
		for _, law := range laws {
			r.AddKnown(law.Time, law.Error)
			for _, p := range []overlap.Probability{law.Antipodal(outcome), law.Single(outcome),
				law.Below(0.3), law.Below(-0.999999999)} {
				r.AddKnown(p.Value, p.Error)
			}
			r.Add(law.Expectation(elementary.Exp))
		}
		r.AddBool(derivativeErr == nil)
		r.AddBool(ok)
		for _, law := range derivatives {
			r.AddKnown(law.Time, law.Error)
			for _, p := range []overlap.Derivative{law.Antipodal(outcome), law.Single(outcome)} {
				r.AddKnown(p.Value, p.Error)
			}
			r.Add(law.Expectation(elementary.Exp))
		}
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/laws.txt", records)
}
