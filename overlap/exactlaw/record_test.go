package exactlaw_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/exactlaw"
	"antipode/overlap/finitedepth"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/activation"
)

// drawRecursion draws recursion (4) or (7), with an MLP or a drift or without.
func drawRecursion(random *rand.Rand) (name string, r *exactlaw.Recursion, err error) {
	rounded := func(low, high float64) float64 { return overlaptest.Linear(random, low, high) }
	dim := []int{2, 3, 4, 6, 30, 400}[random.IntN(6)]
	beta, attention := rounded(0.1, 2.5), overlap.Attention(random.IntN(2))
	if attention == overlap.Unnormalized {
		beta *= 0.4
	}
	if random.IntN(6) == 0 {
		beta = 0
	}
	depth := []int{1, 3, 10, 40, 200}[random.IntN(5)]
	name = fmt.Sprintf("d=%d β=%.4g %v L=%d", dim, beta, attention, depth)
	if random.IntN(2) == 0 {
		epsilon, law := rounded(0.3, 1.4), finitedepth.ScalarLaw(random.IntN(4))
		depth = max(depth, 10)
		name += fmt.Sprintf(" ε=%.4g law %d", epsilon, law)
		r, err = exactlaw.Hybrid(dim, beta, attention, epsilon, law, depth)
	} else {
		sigma, masses := rounded(0.3, 1.5), [][2]float64{{1, 1}, {1, 1}, {1, 2}, {7, 1}}[random.IntN(4)]
		name += fmt.Sprintf(" σ=%.4g masses %v", sigma, masses)
		r, err = exactlaw.Clusters(dim, beta, attention, sigma, masses[0], masses[1], depth)
	}
	if err == nil && random.IntN(3) == 0 {
		m := overlap.MLP{Activation: activation.Activation(random.IntN(len(activation.Names))),
			Strength: rounded(0.05, 0.6), Variance: rounded(0.5, 4)}
		after := random.IntN(2) == 0
		name += fmt.Sprintf(" MLP %v:%.4g:%.4g after %t", m.Activation, m.Strength, m.Variance, after)
		if after {
			r, err = r.WithMLPAfter(m)
		} else {
			r, err = r.WithMLP(m)
		}
	}
	if err == nil && random.IntN(5) == 0 {
		name += " μ=0.7"
		r, err = r.WithDrift(0.7)
	}
	return name, r, err
}

// recordOutcomes records the law of a random recursion and its derivative; not ok where there is no such
// recursion.
func recordOutcomes(seed uint64) (r overlaptest.Record, ok bool) {
	random := rand.New(rand.NewPCG(75, seed))
	name, recursion, err := drawRecursion(random)
	if err != nil {
		return r, false
	}
	layers := []int{0, 1, 5, 60, 700, 20_000}[random.IntN(6)]
	tolerance := []float64{1e-3, 1e-3, 0.2, 1e-6}[random.IntN(4)]
	accuracy := []float64{1e-2, 1e-3, 1e-4}[random.IntN(3)]
	z := overlaptest.Linear(random, -1, 1)
	by := overlap.Parameter(random.IntN(3))
	uniform := random.IntN(2) == 0
	r.Cell = fmt.Sprintf("%s, %d layers, tolerance %g, accuracy %g, z=%g uniform %t by %v", name, layers,
		tolerance, accuracy, z, uniform, by)
	var o exactlaw.Outcomes
	var d exactlaw.Derivatives
	var known bool
	var derivativeErr error
	if uniform {
		o, err = recursion.Uniform(layers, tolerance, accuracy)
		d, known, derivativeErr = recursion.UniformDerivative(by, layers, tolerance, accuracy)
	} else {
		o, err = recursion.From(z, layers, tolerance, accuracy)
		d, known, derivativeErr = recursion.FromDerivative(z, by, layers, tolerance, accuracy)
	}
	if r.AddBool(err == nil); err == nil {
		r.AddKnown(o.Antipodal.Value, o.Antipodal.Error)
		r.AddKnown(o.Single.Value, o.Single.Error)
	}
	r.AddBool(derivativeErr == nil)
	if r.AddBool(known); known {
		r.AddKnown(d.Antipodal.Value, d.Antipodal.Error)
		r.AddKnown(d.Single.Value, d.Single.Error)
	}
	return r, true
}

// Laws of random recursions and their derivatives are as recorded: those of the first five dozen draws that
// take little time.
func TestOutcomesAreAsRecorded(t *testing.T) {
	longtest.Only(t)
	var records []overlaptest.Record
	for _, seed := range []uint64{9, 10, 15, 20, 21, 23, 25, 27, 28, 32, 35, 38, 43, 44} {
		r, ok := recordOutcomes(seed)
		if !ok {
			t.Fatalf("draw %d has no recursion", seed)
		}
		records = append(records, r)
	}
	overlaptest.CompareRecords(t, "testdata/outcomes.txt", records)
}
