package increments

import (
	"math"
	"slices"
	"testing"

	"antipode/sde/internal/kernels"
)

// F(quantile(g)) is Φ(g), with the distribution functions of package math.
func TestQuantileInvertsTheDistribution(t *testing.T) {
	erf := func(g float64) float64 { return math.Erf(g / math.Sqrt2) }
	for k := -8600; k <= 8600; k++ {
		g := float64(k) / 1000
		if x := Uniform.quantile(g); !(math.Abs(x/math.Sqrt(3)-erf(g)) <= 4e-16) {
			t.Errorf("uniform: F(%v) = %v, want %v", x, x/math.Sqrt(3), erf(g))
		}
		x := TruncatedNormal.quantile(g) * TruncatedDeviation
		if got, want := erf(x)/math.Erf(math.Sqrt2), erf(g); math.Abs(x) > 2 ||
			math.Abs(got-want) > 8e-16*math.Abs(want) {
			t.Errorf("truncated normal: F(%v) = %v, want %v", x, got, want)
		}
		if x := Rademacher.quantile(g); math.Abs(x) != 1 || x*g < 0 {
			t.Errorf("rademacher: %v at %v", x, g)
		}
		if x := Gaussian.quantile(g); x != g {
			t.Errorf("gaussian: %v at %v", x, g)
		}
	}
}

// Values of the quantile, as computed with 30 digits, and the ends of its range.
func TestQuantileValues(t *testing.T) {
	for _, c := range []struct {
		law     Law
		g, want float64
	}{
		{Uniform, 1, 1.182452886174826333}, {Uniform, -0.01, -0.013819535652875338933}, {Uniform, 9,
			math.Sqrt(3)},
		{TruncatedNormal, 1, 1.066078144463574105}, {TruncatedNormal, -3, -2.247189165397663338},
		{TruncatedNormal, 9, 2 / TruncatedDeviation}, {TruncatedNormal, -40, -2 / TruncatedDeviation},
	} {
		if got := c.law.quantile(c.g); !(math.Abs(got-c.want) <= 8*0x1p-53*math.Abs(c.want)) {
			t.Errorf("law %v at %v: %v, want %v", c.law, c.g, got, c.want)
		}
	}
}

// Quantiles of normal numbers have the law that is drawn directly: the Kolmogorov distance of two samples of
// 10^5 numbers, which is above 2.6/√(n/2) with probability 3·10^-6.
func TestQuantilesHaveTheLaws(t *testing.T) {
	const n = 100_000
	stream := kernels.NewStream(3, 5)
	for law := range Rademacher + 1 {
		direct, coupled := make([]float64, n), make([]float64, n)
		law.Draw(direct, 1, stream, 0, 0)
		Gaussian.Draw(coupled, 1, stream, 1, 0)
		for k, g := range coupled {
			coupled[k] = law.quantile(g)
		}
		slices.Sort(direct)
		slices.Sort(coupled)
		worst := 0.0
		for i, j := 0, 0; i < n && j < n; {
			x := min(direct[i], coupled[j])
			for i < n && direct[i] <= x {
				i++
			}
			for j < n && coupled[j] <= x {
				j++
			}
			worst = max(worst, math.Abs(float64(i-j))/n)
		}
		if worst > 2.6/math.Sqrt(n/2) {
			t.Errorf("law %v: distance %v", law, worst)
		}
	}
}

// The error function and its inverse have the same bits on every machine.
func TestQuantilesHaveTheSameBitsOnEveryMachine(t *testing.T) {
	h := uint64(0)
	for k := range 20000 {
		g := float64(k-10000) / 1024
		for law := range Rademacher + 1 {
			h = (h ^ math.Float64bits(law.quantile(g))) * 0x100000001b3
		}
	}
	if h != 0x15804d2c474511a4 {
		t.Errorf("digest %#x", h)
	}
}
