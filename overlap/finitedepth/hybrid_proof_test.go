package finitedepth

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/overlap/internal/interval"
)

// Proved exponents are not violated, and an exponent that exceeds that of the linear recursion by half a per
// cent is not proved. Most are within a hundredth of it. The float64 quadrature lies in the enclosures up to
// its rounding error.
func TestProofOfTheHybrid(t *testing.T) {
	longtest.Only(t)
	random := rand.New(rand.NewPCG(20260301, 43))
	proved := map[ScalarLaw]int{}
	all, sharp := 0, 0
	for n := range 100 {
		h := Hybrid{Beta: 3 * random.Float64(), Attention: overlap.Attention(random.IntN(2)),
			Epsilon: 2 * random.Float64(), Law: ScalarLaw(n % 4), Depth: 20 << random.IntN(8)}
		checks, rounding := 50, 0.0
		if h.Law != Rademacher {
			checks, rounding = 5, 1e-12
		}
		within := math.Pow(10, -2-3*random.Float64())
		plus := random.IntN(2) == 0
		end := h.AntipodalReturn
		if plus {
			end = h.SingleReturn
		}
		kappa, ok, err := end(within)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		proved[h.Law]++
		weights := func(zeta float64) (short, long float64) {
			if plus {
				sum, difference := sumAndDifference(h.Beta, h.Attention, zeta)
				return difference, sum
			}
			return sumAndDifference(h.Beta, h.Attention, 2-zeta)
		}
		for range checks {
			zeta := within * random.Float64()
			mean := h.layer(weights(zeta)).moment(kappa)
			e := h.enclosedMoment(kappa, interval.Of(zeta), plus)
			if !(mean <= 1 && e.Low-rounding <= mean && mean <= e.High+rounding) {
				t.Errorf("%+v, +1 %v, ζ = %v: E R^%v = %v, enclosed in %v", h, plus, zeta, kappa, mean, e)
			}
		}
		linear, _ := h.layer(weights(0)).lundberg()
		all++
		if kappa > 0.99*linear {
			sharp++
		}
		if linear < 0.9*largestExponent && h.proves(1.005*linear, within, plus) {
			t.Errorf("%+v, +1 %v: proved for half a per cent more than %v", h, plus, linear)
		}
	}
	if sharp < all*3/4 {
		t.Errorf("only %d of %d proved exponents are within a hundredth of that at the end", sharp, all)
	}
	for law := Gaussian; law <= Rademacher; law++ {
		if proved[law] < 5 {
			t.Errorf("law %v: only %d proved", law, proved[law])
		}
	}
}

// If a layer may take the long vector to 0, no moment is bounded: for some value of a scalar with a density,
// or at some distance for a scalar of two values. No exponent is proved, whatever the moments at the three
// distances of float64: here 1 + (1-ε)(p+q) changes its sign between 0 and half of within.
func TestHybridLayerThatMayVanish(t *testing.T) {
	near := interval.Interval{Low: 0, High: 0.01}
	for _, law := range []ScalarLaw{Gaussian, Uniform, TruncatedNormal} {
		h := Hybrid{Beta: 1, Attention: overlap.Softmax, Epsilon: 3, Law: law, Depth: 1}
		for _, plus := range []bool{false, true} {
			if e := h.enclosedMoment(0.4, near, plus); e.Low != 0 || !math.IsInf(e.High, 1) {
				t.Errorf("law %v, +1 %v: %v", law, plus, e)
			}
		}
	}
	h := Hybrid{Beta: 12, Attention: overlap.Unnormalized, Epsilon: 1 + 1.005/162754.79141900392,
		Law: Rademacher, Depth: 1}
	if e := h.enclosedMoment(0.01, near, true); !math.IsInf(e.High, 1) {
		t.Errorf("two values: %v", e)
	}
	if kappa, ok, err := h.SingleReturn(0.01); kappa != 0 || ok || err != nil {
		t.Errorf("%v, %v, %v", kappa, ok, err)
	}
}

// The Lundberg exponent of two values of log R, -1-δ and 1 with equal weights, is 2δ/2 to first order in δ.
// An exponent below 1e-6 is not found.
func TestLeastLundbergExponent(t *testing.T) {
	for _, c := range []struct {
		delta float64
		want  float64
	}{{1e-5, 1e-5}, {1e-9, 0}} {
		l := hybridLayer{[]float64{-1 - c.delta, 1}, []float64{0.5, 0.5}, scalarSigns{1, 1}}
		kappa, ok := l.lundberg()
		if !(math.Abs(kappa-c.want) <= 1e-4*c.delta) || ok != (c.want > 0) {
			t.Errorf("δ = %v: %v, %v", c.delta, kappa, ok)
		}
	}
}
