package sphere

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// normError returns |x|-1 in units of 2^-53, computed with 300 bits.
func normError(x []float64) float64 {
	sum := new(big.Float).SetPrec(300)
	for _, v := range x {
		b := new(big.Float).SetPrec(300).SetFloat64(v)
		sum.Add(sum, b.Mul(b, b))
	}
	sum.Sqrt(sum)
	e, _ := sum.Sub(sum, big.NewFloat(1)).Float64()
	return e * 0x1p53
}

func gaussians(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = r.NormFloat64()
	}
	return x
}

func TestNormalizeNormBound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, d := range []int{1, 2, 3, 4, 10, 64, 1000, 100_000} {
		worst := 0.0
		for range max(1, 20_000/d) {
			x := gaussians(r, d)
			Normalize(x, x)
			worst = max(worst, math.Abs(normError(x)))
		}
		if bound := 4 + math.Sqrt(float64(d)); worst > bound {
			t.Errorf("d=%d: norm off by %.2f·2^-53, more than %.2f", d, worst, bound)
		}
	}
}

func TestNormalizeDegenerate(t *testing.T) {
	dst := []float64{9, 9}
	if norm := Normalize(dst, []float64{0, 0}); norm != 0 || dst[0] != 0 || dst[1] != 0 {
		t.Errorf("zero vector: norm %v, dst %v", norm, dst)
	}
	for _, x := range [][]float64{{math.NaN(), 1}, {1, math.NaN()}, {math.Inf(1), 1}, {1, math.Inf(-1)},
		{math.Inf(1), math.NaN()}} {
		norm := Normalize(dst, x)
		if norm >= 0 && !math.IsInf(norm, 1) || dst[0] == dst[0] || dst[1] == dst[1] {
			t.Errorf("%v: norm %v, dst %v; want a non-finite norm and NaN", x, norm, dst)
		}
	}
	if norm := Normalize(nil, nil); norm != 0 {
		t.Errorf("empty vector: norm %v", norm)
	}
}

func TestNormalizeExtremeScales(t *testing.T) {
	for _, s := range []float64{5e-324, 1e-310, 1e-200, 1e-140, 1e140, 1e200, 4e307} {
		x := []float64{3 * s, 4 * s}
		want := 5 * s
		if s == 5e-324 {
			x, want = []float64{s, 0}, s
		}
		dst := make([]float64, 2)
		norm := Normalize(dst, x)
		if norm != want && !(math.Abs(norm-want) <= 1e-14*want) || !(math.Abs(normError(dst)) <= 5.5) {
			t.Errorf("scale %g: norm %g, want %g; unit vector off by %.2f·2^-53", s, norm, want,
				normError(dst))
		}
	}
}

func TestRetract(t *testing.T) {
	x, v, dst := []float64{1, 0}, []float64{0, 1}, make([]float64, 2)
	if norm := Retract(dst, x, v); math.Abs(norm-math.Sqrt2) > 1e-15 ||
		math.Abs(dst[0]-math.Sqrt2/2) > 1e-15 ||
		dst[0] != dst[1] {
		t.Errorf("Retract = %v with norm %v", dst, norm)
	}
	if norm := Retract(dst, x, []float64{-1, 0}); norm != 0 || dst[0] != 0 {
		t.Errorf("x+v = 0: %v with norm %v", dst, norm)
	}
}

func TestNoAllocation(t *testing.T) {
	x, v, g := make([]float64, 40), make([]float64, 40), make([]float64, 100)
	c := NewClassifier(10, 1e-3)
	normal := func() float64 { return 0.5 }
	if n := testing.AllocsPerRun(10, func() {
		Uniform(x, 4, normal)
		Gram(g, x, 4)
		Project(v[:4], x[:4], x[4:8])
		Exponential(v[:4], x[:4], v[:4])
		Retract(v[:4], x[:4], v[:4])
		c.Classify(x, 4)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
