package finitedepth

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
	"antipode/overlap/internal/interval"
)

// Exponents of signs are proved: nothing violates them, and one that is half a per cent above that of the
// linear recursion is not proved.
func TestProofOfTheHybrid(t *testing.T) {
	random := rand.New(rand.NewPCG(20260301, 43))
	proved := 0
	for range 300 {
		h := Hybrid{Beta: 3 * random.Float64(), Attention: overlap.Attention(random.IntN(2)),
			Epsilon: 2 * random.Float64(), Law: Rademacher, Depth: 20 << random.IntN(8)}
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
		proved++
		weights := func(zeta float64) (short, long float64) {
			if plus {
				sum, difference := sumAndDifference(h.Beta, h.Attention, zeta)
				return difference, sum
			}
			return sumAndDifference(h.Beta, h.Attention, 2-zeta)
		}
		for range 50 {
			zeta := within * random.Float64()
			mean := h.layer(weights(zeta)).moment(kappa)
			if !(mean <= 1) || !h.enclosedMoment(kappa, interval.Of(zeta), plus).Contains(mean) {
				t.Errorf("%+v, +1 %v, ζ = %v: E R^%v = %v", h, plus, zeta, kappa, mean)
			}
		}
		linear, _ := h.layer(weights(0)).lundberg()
		if linear < 0.9*largestExponent && h.proves(1.005*linear, within, plus) {
			t.Errorf("%+v, +1 %v: proved for half a per cent more than %v", h, plus, linear)
		}
	}
	if proved < 100 {
		t.Errorf("only %d proved", proved)
	}
}
