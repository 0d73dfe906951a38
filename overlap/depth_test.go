package overlap

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func antipodalDepth(t testing.TB, dim int, beta float64, attention Attention, depth int) Depth {
	t.Helper()
	l, err := AntipodalDepth(dim, beta, attention, 1, depth)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestKnownFiniteDepth(t *testing.T) {
	for _, c := range []struct {
		dim       int
		attention Attention
		depth     int
		want      float64
	}{{4, Softmax, 10, 0.71078}, {4, Softmax, 100, 0.66241}, {10, Softmax, 100, 1.40216}, {10, Unnormalized, 100, 1.46927}} {
		begin := time.Now()
		got, ok, err := CriticalBetaDepth(c.dim, c.attention, 1, c.depth)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		t.Logf("dim %d, %v, depth %d: %.10f in %v", c.dim, c.attention, c.depth, got, time.Since(begin))
		near(t, "critical beta", got, c.want, 0.6e-5)
	}
	near(t, "lyapunov", antipodalDepth(t, 4, 1.5, Softmax, 100).Lyapunov(), -0.00721, 0.6e-5)
}

// drawn estimates E log(|P_U^⊥ V|/|U|) and E(…)^(2κ) from draws of whole vectors.
func drawn(l Depth, kappa float64, draws int, seed uint64) (mean, deviation, power float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	b, c := 1/math.Sqrt(l.short), 1/math.Sqrt(l.long)
	sum, square := 0.0, 0.0
	for range draws {
		var uu, vv, uv float64
		for i := range l.dim {
			u, v := c*r.NormFloat64(), b*r.NormFloat64()
			if i == 0 {
				u++
			}
			if i == 1 {
				v++
			}
			uu, vv, uv = uu+u*u, vv+v*v, uv+u*v
		}
		x := (vv - uv*uv/uu) / uu
		sum, square, power = sum+math.Log(x)/2, square+math.Log(x)*math.Log(x)/4, power+math.Pow(x, kappa)
	}
	n := float64(draws)
	mean = sum / n
	return mean, math.Sqrt((square/n - mean*mean) / n), power / n
}

// Against draws of the vectors themselves, five standard errors: for these fixed seeds a
// right formula fails once in 10^5 choices of them.
func TestFiniteDepthAgainstDraws(t *testing.T) {
	draws := 100_000
	if long {
		draws = 10_000_000
	}
	for _, c := range []struct {
		dim       int
		beta      float64
		attention Attention
		depth     int
	}{{2, 1, Softmax, 3}, {3, 1, Softmax, 1}, {4, 0.7, Softmax, 10}, {4, 1.5, Softmax, 100}, {10, 2, Unnormalized, 20}, {5, 0, Softmax, 2}, {30, 3, Softmax, 5}} {
		l := antipodalDepth(t, c.dim, c.beta, c.attention, c.depth)
		kappa, attracts := l.Return()
		mean, deviation, power := drawn(l, kappa, draws, 7)
		t.Logf("%+v: λ = %.9f, %.9f ± %.1g; κ = %v: %.5f", c, l.Lyapunov(), mean, deviation, kappa, power)
		near(t, "lyapunov", l.Lyapunov(), mean, 5*deviation)
		if attracts && kappa < 0.25*float64(c.dim) {
			near(t, "E(…)^(2κ)", power, 1, 5*math.Sqrt(float64(c.dim))/math.Sqrt(float64(draws)))
		}
	}
}

// The critical β approaches its limit along the slope, and λ that of the diffusion.
func TestFiniteDepthInTheLimit(t *testing.T) {
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, dim := range []int{4, 5, 10, 40} {
			limit, _ := CriticalBeta(dim)
			c := CriticalBetaSlope(dim, attention, 1)
			slope := func(depth int) float64 {
				beta, _, err := CriticalBetaDepth(dim, attention, 1, depth)
				if err != nil {
					t.Fatal(err)
				}
				return (beta - limit) * float64(depth)
			}
			a, b := slope(20_000), slope(40_000)
			near(t, "slope", 2*b-a, c, 1e-4*c*float64(dim))
		}
	}
	for _, dim := range []int{2, 3, 4, 20} {
		const depth = 1_000_000
		l := antipodalDepth(t, dim, 1.5, Softmax, depth)
		square := math.Pow(math.Tanh(1.5), 2)
		near(t, "2λL", 2*depth*l.Lyapunov(), float64(dim-3)-float64(dim-1)*square, 1e-5*float64(dim*dim))
		single, _ := SingleDepth(dim, 1.5, Softmax, 1, depth)
		near(t, "2λL at +1", 2*depth*single.Lyapunov(), -float64(dim-1), 1e-5*float64(dim*dim))
		if a := 1 - float64(dim-2)/math.Cosh(3); a > 0 {
			kappa, _ := l.Return()
			near(t, "2κ", 2*kappa, a, 1e-4)
		}
		kappa, _ := single.Return()
		near(t, "2κ at +1", 2*kappa, float64(dim-1), 1e-3*float64(dim))
	}
}

// Finite at every corner.
func TestFiniteDepthAtTheExtremes(t *testing.T) {
	for _, dim := range []int{2, 3, 4, 100, 10000} {
		for _, attention := range []Attention{Softmax, Unnormalized} {
			for _, depth := range []int{1, 10, 1000, 1_000_000} {
				for _, beta := range []float64{0, 1e-9, 0.5, 2, 5, 10, 300} {
					l := antipodalDepth(t, dim, beta, attention, depth)
					if lambda := l.Lyapunov(); lambda != lambda || math.IsInf(lambda, 0) {
						t.Errorf("dim %d, beta %v, %v, depth %d: %v", dim, beta, attention, depth, lambda)
					}
					s, err := SingleDepth(dim, beta, attention, 1, depth)
					if err != nil || !(s.Lyapunov() < 0) {
						t.Errorf("dim %d, beta %v, %v, depth %d: %v at +1", dim, beta, attention, depth, s.Lyapunov())
					}
				}
				beta, ok, err := CriticalBetaDepth(dim, attention, 1, depth)
				if ok != (dim > 2) || err != nil || beta != beta {
					t.Errorf("dim %d, %v, depth %d: %v, %v, %v", dim, attention, depth, beta, ok, err)
				}
			}
		}
	}
}

func TestDepthIsRefused(t *testing.T) {
	for name, f := range map[string]func() error{
		"dimension 1 ":         func() error { _, err := AntipodalDepth(1, 1, Softmax, 1, 10); return err },
		"beta -1 ":             func() error { _, err := SingleDepth(3, -1, Softmax, 1, 10); return err },
		"sigma 0 ":             func() error { _, err := AntipodalDepth(3, 1, Softmax, 0, 10); return err },
		"depth 0 ":             func() error { _, err := AntipodalDepth(3, 1, Softmax, 1, 0); return err },
		"beta 900: e^(2β)":     func() error { _, err := AntipodalDepth(3, 900, Unnormalized, 1, 10); return err },
		"of unnormalized":      func() error { _, _, err := CriticalBetaDepth(300, Unnormalized, 9e149, 1); return err },
		"depth -1 ":            func() error { _, _, err := CriticalBetaDepth(3, Softmax, 1, -1); return err },
		"Attention(7) is not ": func() error { _, _, err := CriticalBetaDepth(3, Attention(7), 1, 1); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not say %q", err, name)
		}
	}
	if c := CriticalBetaSlope(3, Softmax, 1); c != 0 {
		t.Errorf("slope for dim 3 is %v", c)
	}
}

// In two dimensions without attention D keeps its length to first order, and S = 2 cos:
// λ < 0, and the return exponent exists.
func TestReturnWithoutAttention(t *testing.T) {
	l := antipodalDepth(t, 2, 0, Softmax, 10)
	kappa, ok := l.Return()
	if !ok || !(kappa > 0 && kappa < 1) {
		t.Errorf("return exponent %v, %v", kappa, ok)
	}
	near(t, "E(…)^(2κ)", chiPower(1, 10, kappa), 1, 1e-12)
}
