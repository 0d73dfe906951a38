package controls

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/sde"
	"antipode/sphere"
	"antipode/sphere/must"
)

// engineOverlaps returns the overlap of the first two tokens after some layers, one for each trajectory, as
// simulated by the engine.
func engineOverlaps(t *testing.T, c sde.Cell, layers, trajectories int64, seed uint64) []float64 {
	t.Helper()
	var overlaps []float64
	ensemble := &sde.Ensemble[float64]{
		Cells: []sde.Cell{c}, Trajectories: trajectories, Layers: layers, Seed: seed,
		Observer: func(int) func(*float64, *sde.View) {
			return func(z *float64, v *sde.View) {
				x := v.Tokens()
				*z = sphere.Dot(x[:c.Dim], x[c.Dim:2*c.Dim])
			}
		},
		Reduce: func(_ int, _ int64, z float64) error {
			overlaps = append(overlaps, z)
			return nil
		},
	}
	must.Do(t, ensemble.Run(t.Context()))
	return overlaps
}

// plainOverlaps returns such overlaps simulated with a stepper of these tests. Its increments have
// independent entries drawn by entry, without the engine's random numbers.
func plainOverlaps(
	t *testing.T, step makeStepper, c sde.Cell, entry func(*rand.Rand) float64, layers, trajectories int64,
	seed uint64,
) []float64 {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	stepper := step(c)
	x, increment := make([]float64, c.Tokens*c.Dim), make([]float64, stepper.IncrementLen())
	overlaps := make([]float64, trajectories)
	for i := range overlaps {
		must.Do(t, c.Start.Fill(x, c.Dim, 0, r.NormFloat64))
		for range layers {
			for k := range increment {
				increment[k] = entry(r)
			}
			must.Do(t, stepper.Step(x, increment))
		}
		overlaps[i] = inner(x[:c.Dim], x[c.Dim:2*c.Dim])
	}
	return overlaps
}

// entries has, for each law, a function that draws an entry with variance 1 by the definition of the law.
var entries = map[sde.Law]func(*rand.Rand) float64{
	sde.Gaussian: (*rand.Rand).NormFloat64,
	sde.Uniform:  func(r *rand.Rand) float64 { return math.Sqrt(3) * (2*r.Float64() - 1) },
	sde.Rademacher: func(r *rand.Rand) float64 {
		return float64(2*r.IntN(2) - 1)
	},
	sde.TruncatedNormal: func(r *rand.Rand) float64 {
		for {
			if v := r.NormFloat64(); math.Abs(v) <= 2 {
				return v / 0.8796256610342398 // √(1 - 4φ(2)/(2Φ(2)-1))
			}
		}
	},
}

const twoSamples = "two samples of Z, engine and plain recursion"

// At a finite depth the law of the overlap depends on the law of the entries beyond their variance: here
// after one layer of depth 1 in dimension 2. The overlaps of the engine with each law are compared with those
// of the plain recursion with each law, by the Kolmogorov-Smirnov distance of two samples of 10^5.
//
// The two laws that are hardest to tell apart, Gaussian and truncated normal, have kurtoses 3 and 2.06 and a
// distance of 0.0225, which is 5.0 in units of √(2/n). An alarm needs 2.69, and the empirical distance has a
// standard deviation of at most ½: power 1-2·10^-6. The other laws are further apart.
func TestWrongFourthMomentAtFiniteDepth(t *testing.T) {
	longtest.Only(t)
	notShort(t)
	c := transformer(2, 2, 1, sde.Softmax, 1)
	c.Start = sde.PairStart{Overlap: 0.5}
	var others [][]float64
	for other := range sde.Law(len(sde.LawNames)) {
		others = append(others, plainOverlaps(t, plain, c, entries[other], 1, 100_000, 36+uint64(other)))
	}
	for law := range sde.Law(len(sde.LawNames)) {
		c.Model = sde.Transformer{Law: law, Sigma: 1}
		engine := engineOverlaps(t, c, 1, 100_000, 35)
		for other := range sde.Law(len(sde.LawNames)) {
			p := kolmogorovSmirnov(engine, others[other])
			if other == law {
				mustPass(t, twoSamples+", "+law.String(), p)
			} else {
				mustDetect(t, "law "+other.String()+" for "+law.String(), twoSamples, p)
			}
		}
	}
}

// At a great depth the law of the overlap depends on the law of the entries only through their variance.
func TestFourthMomentDoesNotMatterAtGreatDepth(t *testing.T) {
	notShort(t)
	c := transformer(2, 2, 1, sde.Softmax, 256)
	c.Start = sde.PairStart{Overlap: 0.5}
	engine := engineOverlaps(t, c, 128, 5000, 40)
	p := kolmogorovSmirnov(engine, plainOverlaps(t, plain, c, entries[sde.Rademacher], 128, 5000, 41))
	mustMiss(t, "law rademacher for gaussian, depth 256", twoSamples, p)
}

// For three tokens over one unit of time, with both attentions, the engine and the plain recursion draw
// overlaps from the same law, and a wrong recursion draws them from another one. The distances to the wrong
// ones are at least 0.1, which is 7 in units of √(2/n); an alarm needs 2.69: power 1-10^-17. A σ off by 5 %
// has a distance of only 0.01, and is left to the comparison of single steps.
func TestLawOfTheOverlapOfThreeTokens(t *testing.T) {
	longtest.Only(t)
	notShort(t)
	for _, attention := range []sde.Attention{sde.Softmax, sde.Unnormalized} {
		c := transformer(3, 3, 1, attention, 10)
		engine := engineOverlaps(t, c, 10, 10_000, 42)
		against := func(step makeStepper) float64 {
			return kolmogorovSmirnov(engine, plainOverlaps(t, step, c, entries[sde.Gaussian], 10, 10_000, 43))
		}
		mustPass(t, twoSamples+", "+attention.String(), against(plain))
		mustDetect(t, "independent noise per token", twoSamples, against(independent))
		mustDetect(t, "V scaled by 1/L", twoSamples, against(slower))
		mustDetect(t, attention.String()+" not divided", twoSamples, against(undivided))
	}
}
