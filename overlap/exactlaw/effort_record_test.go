package exactlaw

import (
	"fmt"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/finitedepth"
	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// addLaw adds the probabilities of a law, also those of other edges of an outcome, to a record.
func addLaw(r *overlaptest.Record, l law, err error) {
	if r.AddBool(err == nil); err != nil {
		return
	}
	r.AddKnown(l.antipodal.Value, l.antipodal.Error)
	r.AddKnown(l.single.Value, l.single.Error)
	if r.Add(l.spacing); l.shifted != nil {
		r.Add(l.shifted(false, 0.37), l.shifted(true, -0.21))
	}
}

// Laws at each of the first efforts are as recorded, and derivatives at the least effort: recursion (4) with
// equal and unequal masses, with an MLP and with a drift, and recursion (7) with all laws of the scalar, from
// a uniform start and from an overlap.
func TestEachEffortIsAsRecorded(t *testing.T) {
	longtest.Only(t)
	const softmax, unnormalized = overlap.Softmax, overlap.Unnormalized
	near, far := 0.4, -0.97
	relu := overlap.MLP{Activation: activation.ReLU, Strength: 0.5, Variance: 1}
	tanh := overlap.MLP{Activation: activation.Tanh, Strength: 0.4, Variance: 2}
	four := func(
		dim int, beta float64, attention overlap.Attention, sigma, m1, m2 float64, depth int,
	) *Recursion {
		return recursion(t, dim, beta, attention, sigma, m1, m2, depth)
	}
	seven := func(
		dim int, beta float64, attention overlap.Attention, epsilon float64,
		v finitedepth.ScalarLaw, depth int,
	) *Recursion {
		return hybridOf(t, dim, beta, attention, epsilon, v, depth)
	}
	var records []overlaptest.Record
	for name, c := range []struct {
		r       *Recursion
		p       problem
		efforts int
	}{
		{four(2, 0.9, softmax, 1, 1, 1, 3), problem{nil, 40, 1e-2}, 4},
		{four(2, 0.6, unnormalized, 1, 1, 1, 5), problem{&near, smoothingLayers, 0.1}, 2},
		{four(5, 1.4, softmax, 1.1, 1, 1, 2), problem{&far, 70, 0.05}, 1},
		{withMLP(t, four(3, 0.8, softmax, 1, 1, 1, 3), tanh), problem{nil, 60, 0.1}, 1},
		{four(2, 0.3, softmax, 1, 1, 3, 2), problem{nil, 30, 0.1}, 1},
		{must.Get(four(2, 1, softmax, 1, 1, 1, 3).WithMLPAfter(relu))(t), problem{nil, 7, 0.1}, 1},
		{must.Get(four(2, 1, softmax, 1, 1, 1, 4).WithDrift(0.8))(t), problem{nil, 12, 0.1}, 1},
		{seven(3, 1, softmax, 0.9, finitedepth.Uniform, 10), problem{nil, 30, 0.1}, 4},
		{seven(2, 0.5, unnormalized, 0.6, finitedepth.TruncatedNormal, 12), problem{&near, 20, 0.1}, 4},
		{seven(4, 0.7, unnormalized, 0.3, finitedepth.Gaussian, 30), problem{nil, 25, 0.05}, 4},
		{seven(3, 0.7, softmax, 0.8, finitedepth.Gaussian, 60), problem{&far, 50, 0.05}, 3},
		{seven(2, 0.8, softmax, 1.2, finitedepth.Rademacher, 12), problem{nil, 300, 0.01}, 6},
		{seven(33, 0.5, softmax, 2.18, finitedepth.Rademacher, 40), problem{nil, 70, 1e-3}, 4},
		{seven(2, 3, unnormalized, 1.0983, finitedepth.Rademacher, 1), problem{nil, 2, 0.1}, 6},
		{withMLP(t, seven(2, 1, softmax, 0.7, finitedepth.Uniform, 10), tanh), problem{nil, 20, 0.1}, 1},
	} {
		for effort := range c.efforts {
			r := overlaptest.Record{Cell: fmt.Sprintf("law %d, effort %d", name, effort)}
			l, err := c.r.solver.outcomes(c.p, effort)
			addLaw(&r, l, err)
			for by := range overlap.BySigma + 1 {
				if effort == 0 && c.r.solver.hasDerivative(by) {
					l, err := c.r.solver.outcomeDerivatives(c.p, effort, by)
					addLaw(&r, l, err)
				}
			}
			records = append(records, r)
		}
	}
	overlaptest.CompareRecords(t, "testdata/efforts.txt", records)
}

// The law of a step is as recorded at each effort: with little noise and much, of clusters that turn the same
// way, and in high dimension.
func TestStepsAreAsRecorded(t *testing.T) {
	var records []overlaptest.Record
	for _, c := range []struct {
		dim       int
		beta      float64
		attention overlap.Attention
		m1        float64
		depth     int
		u         float64
	}{
		{2, 1.7, overlap.Unnormalized, 1.2, 6, -4}, {2, 0, overlap.Softmax, 1, 90, 0.3},
		{2, 4.5, overlap.Unnormalized, 3, 120, -3}, {3, 1.2, overlap.Softmax, 1, 30, 1.1},
		{3, 4.5, overlap.Unnormalized, 2, 92, -8}, {6, 1.5, overlap.Softmax, 3, 5, -5},
		{10, 0.7, overlap.Unnormalized, 1, 4, 2.5}, {70, 1.2, overlap.Unnormalized, 1.2, 6, -4},
	} {
		chain := recursion(t, c.dim, c.beta, c.attention, 1, c.m1, 1, c.depth).solver.(*clusters)
		entrance := chain.entrancePoint()
		for _, k := range []int{1, 5} {
			e := efforts[k]
			r := overlaptest.Record{Cell: fmt.Sprintf("%+v, effort %d", c, k)}
			l := chain.layer(c.u, e)
			width := float64(e.resolution * min(greatestDeviation, l.deviation()))
			s := l.stepLaw(width)
			total, mean := 0.0, 0.0
			for i, p := range s.p {
				total += p
				mean += float64(p * float64(s.first+i))
			}
			r.Add(width, float64(s.first), float64(len(s.p)), l.top, total, mean/total)
			flat := chain.asymptote()
			r.Add(chain.excursion(-flat, width, 90, e), chain.excursion(flat, width, 3, e))
			r.Add(entrance, chain.entranceMargin(problem{}, e))
			records = append(records, r)
		}
	}
	overlaptest.CompareRecords(t, "testdata/steps.txt", records)
}
