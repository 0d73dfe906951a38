package lanes

import (
	"fmt"
	"math"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// The chain in vectors has the law of the plane chain, from a given overlap: Kolmogorov-Smirnov of two
// samples of 20,000 after six layers. Below 2.6 it fails by chance in one seed of 20,000 over these cases;
// with a strength that is a third greater each of them fails.
func TestMLPChainHasTheLawOfThePlaneChain(t *testing.T) {
	const samples, layers, deviation = 20_000, 6, 0.25
	for k, c := range []struct {
		activation activation.Activation
		sequence   bool
		softmax    bool
		overlap    float64
		dim        int
	}{
		{activation.Tanh, false, true, 0.3, 4}, {activation.ReLU, false, true, -1, 3},
		{activation.GELU, true, true, -0.4, 5}, {activation.Sin, true, false, 0.6, 2},
		{activation.ReLU, true, true, -1, 12},
	} {
		sample := func(seed uint64, strength float64, chain func(Clusters, *DriftMLP) Lanes) []float64 {
			correlation := must.Get(activation.NewCorrelation(c.activation, 4))(t)
			process := Process{Count: 2, Dim: c.dim, Beta: 0.8, Softmax: c.softmax,
				Stream: kernels.NewStream(35, seed)}
			l := chain(Clusters{process, [2]float64{1, 1}, &c.overlap}, &DriftMLP{Drift: 0.05 * float64(k%2),
				Strength: strength, Correlation: correlation, InSequence: c.sequence})
			all := make([]Lane, 64)
			var overlaps []float64
			for first := int64(0); first < samples; first += int64(len(all)) {
				for k := range all {
					all[k] = Lane{Trajectory: first + int64(k)}
					must.Do(t, l.Start(k, all[k].Trajectory))
				}
				l.Advance(all, layers)
				for k := range all {
					if all[k].Err != nil || all[k].Layer != layers {
						t.Fatalf("%+v", all[k])
					}
					p, _ := l.Pair(k)
					overlaps = append(overlaps, math.Exp(p.Above)-1)
				}
			}
			return overlaps
		}
		vectors := func(of Clusters, b *DriftMLP) Lanes { return NewMLPChain(of, deviation, b, 64) }
		plane := func(of Clusters, b *DriftMLP) Lanes {
			return NewPlaneChain(of, Plane{A: 1, Deviation: deviation, DriftMLP: b}, 64)
		}
		want := sample(1, 0.06, plane)
		scale := math.Sqrt(float64(len(want)) / 2)
		t.Run(fmt.Sprintf("%v/%v", c.activation, c.sequence), func(t *testing.T) {
			if k := scale * greatestDistance(sample(2, 0.06, vectors), want); k > 2.6 {
				t.Errorf("distance %.2f", k)
			}
			if k := scale * greatestDistance(sample(2, 0.08, vectors), want); k < 2.6 {
				t.Errorf("distance %.2f of a stronger MLP goes unnoticed", k)
			}
		})
	}
}
