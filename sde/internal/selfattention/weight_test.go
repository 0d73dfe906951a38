package selfattention

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exactPowerOfTwo is 2^f for |f| ≤ ½ in 160 bits, by its series.
func exactPowerOfTwo(f *big.Float) *big.Float {
	const bits = 160
	const digits = "0.6931471805599453094172321214581765680755001343602552" +
		"54120680009493393621969694715605863326996418687"
	ln2, _, _ := big.ParseFloat(digits, 10, bits, big.ToNearestEven)
	x := new(big.Float).SetPrec(bits).Mul(f, ln2)
	sum, term := new(big.Float).SetPrec(bits).SetInt64(1), new(big.Float).SetPrec(bits).SetInt64(1)
	for k := int64(1); k < 30; k++ {
		term.Mul(term, x)
		term.Quo(term, new(big.Float).SetInt64(k))
		sum.Add(sum, term)
	}
	return sum
}

// The weight is within 1 ulp of 2^{cz-⌊c⌉} in all of its range, and its products with a token's
// total and with unweighted are those of e^{βz}.
func TestWeightIsAccurate(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	worst := 0.0
	for k := range 10_000 {
		beta := 350 * r.Float64()
		if k%2 == 0 {
			beta = 8 * r.Float64()
		}
		z := 2*r.Float64() - 1
		if k%100 < 3 {
			z = []float64{1, -1, 0}[k%100]
		}
		scale, shifted := weightParameters(beta)
		law := attentionParameters{{scale}, {shifted}}
		exponent := new(big.Float).SetPrec(160).Mul(big.NewFloat(scale), big.NewFloat(z))
		nearest, _ := exponent.Float64()
		nearest = math.RoundToEven(nearest)
		fraction := new(big.Float).SetPrec(160).Sub(exponent, big.NewFloat(nearest))
		want := exactPowerOfTwo(fraction)
		want.SetMantExp(want, int(nearest-math.RoundToEven(scale)))
		got := weight(&law, z)
		rounded, _ := want.Float64()
		difference, _ := new(big.Float).SetPrec(160).Sub(big.NewFloat(got), want).Float64()
		ulp := math.Nextafter(rounded, math.Inf(1)) - rounded
		worst = max(worst, math.Abs(difference)/ulp)
		if factor := unweighted(beta) * got / math.Exp(beta*z); !(math.Abs(factor-1) <= (2+2*beta)*0x1p-52) {
			t.Fatalf("beta %v, z %v: weight %v is not e^{βz} but %v of it", beta, z, got, factor)
		}
	}
	if worst > 1 {
		t.Errorf("%.3f ulp", worst)
	}
	t.Logf("at most %.3f ulp", worst)
}

// Beyond the range of vector code the weights are still right, and never 0.
func TestWeightOfLargeBeta(t *testing.T) {
	for _, beta := range []float64{351, 700, 1e4, 1e6} {
		scale, shifted := weightParameters(beta)
		law := attentionParameters{{scale}, {shifted}}
		if got := weight(&law, 1); got != 1 {
			t.Errorf("beta %v: weight %v of equal tokens", beta, got)
		}
		if got, want := weight(&law, 1-100/beta), math.Exp(-100); !(math.Abs(got/want-1) <= 1e-9) {
			t.Errorf("beta %v: weight %v, not %v", beta, got, want)
		}
		if got := weight(&law, -1); !(got > 0 && got < 1e-300) {
			t.Errorf("beta %v: weight %v of opposite tokens", beta, got)
		}
	}
}
