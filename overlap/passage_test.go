package overlap

import (
	"math"
	"strings"
	"testing"
	"time"
)

func value(t testing.TB) func(Time, error) float64 {
	return func(v Time, err error) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if v.Value > 0 && v.Log < 700 {
			near(t, "logarithm of a time", v.Log, math.Log(v.Value), 1e-12*(1+math.Abs(v.Log)))
		}
		return v.Value
	}
}

func TestKnownLifetimes(t *testing.T) {
	for _, c := range []struct{ beta, life, decay, accuracy float64 }{{1.5, 7.42, 8.306, 0.006}, {2.5, 74.0, 101.3, 0.06}, {3.5, 615, 922, 0.6}} {
		d := must(t)(NewMasses(4, c.beta, Softmax, 1, 1, 2))
		begin := time.Now()
		life := value(t)(d.Lifetime())
		middle := time.Now()
		decay := value(t)(d.DecayTime())
		t.Logf("β = %v: lifetime %.10g in %v, decay time %.10g in %v", c.beta, life, middle.Sub(begin), decay, time.Since(middle))
		near(t, "lifetime", life, c.life, c.accuracy)
		near(t, "decay time", decay, c.decay, c.accuracy)
	}
}

// The mean passage time in z from drift and variance alone, by nested trapezoidal
// sums in x = sqrt(1+z), where the entrance is smooth; extrapolated.
func TestLifetimeAgainstQuadratureInZ(t *testing.T) {
	for _, c := range []struct {
		dim       int
		beta      float64
		attention Attention
		m2        float64
	}{{3, 1, Softmax, 2}, {4, 1.5, Softmax, 2}, {4, 1.2, Unnormalized, 3}, {7, 0.5, Softmax, 10}} {
		d := must(t)(NewMasses(c.dim, c.beta, c.attention, 1.5, 1, c.m2))
		plain := func(n int) float64 {
			// dT/dx = F, F' = -2 drift/variance F dz/dx - 2/variance (dz/dx)² … with z = x²-1.
			// In x: variance v/(4x²), drift (drift - v/(4x²))/(2x).
			f, sum, h := 0.0, 0.0, 1/float64(n)
			slope := func(x, f float64) float64 {
				z := x*x - 1
				v := d.Variance(z) / (4 * x * x)
				b := (d.Drift(z) - v) / (2 * x)
				return 2/v - 2*b/v*f
			}
			// F ~ 2x/(v dim') near 0: b ~ (dim-2)/2 v/x there, a Bessel process.
			x := h
			v := d.Variance(x*x-1) / (4 * x * x)
			f = 2 * x / (v * float64(c.dim-1))
			sum = f * h / 2
			for i := 1; i < n; i++ { // Runge-Kutta of order 4
				k1 := slope(x, f)
				k2 := slope(x+h/2, f+h/2*k1)
				k3 := slope(x+h/2, f+h/2*k2)
				next := f + h/6*(k1+2*k2+2*k3+slope(x+h, f+h*k3))
				sum += h / 6 * (f + next + 4*(f+h/2*k2+(next-f-h*k2)/4))
				f, x = next, x+h
			}
			return sum
		}
		life := value(t)(d.Lifetime())
		coarse, fine := plain(2000), plain(4000)
		near(t, "lifetime", life, fine+(fine-coarse)/3, 2e-6*life)
	}
}

// Passage with a wall far off is passage from the end; times add up along the way; an
// exit is the sooner of two passages; and in two dimensions without attention, where
// du = ½ tanh u dt + dB, all is elementary: with a wall at 0 the slope of the mean time
// is sech u ∫_0^u 2 cosh = 2 tanh u.
func TestPassageTimes(t *testing.T) {
	flat := diffusion(t, 2, 0)
	near(t, "from a wall", value(t)(flat.ReflectedPassageTime(0, 0.1, 0.6)), math.Log((1-0.01)/(1-0.36)), 1e-12)
	near(t, "from a wall, down", value(t)(flat.ReflectedPassageTime(0, -0.1, -0.6)), math.Log((1-0.01)/(1-0.36)), 1e-12)
	// From 0 to ±z the time is that with a wall at 0.
	near(t, "exit", value(t)(flat.ExitTime(0, -0.6, 0.6)), -math.Log(1-0.36), 1e-12)
	d := must(t)(NewMasses(3, 2, Softmax, 1, 1, 3))
	whole := value(t)(d.PassageTime(-1, 0.5))
	near(t, "passage in two parts", value(t)(d.PassageTime(-1, -0.3))+value(t)(d.PassageTime(-0.3, 0.5)), whole, 1e-9*whole)
	near(t, "wall near the end", value(t)(d.ReflectedPassageTime(-1+1e-12, -1+1e-12, 0.5)), whole, 1e-6*whole)
	cold := diffusion(t, 5, 0.3) // -1 does not attract
	hold := value(t)(cold.PassageTime(-0.5, 0.5))
	near(t, "natural and wall", value(t)(cold.ReflectedPassageTime(-1+1e-14, -0.5, 0.5)), hold, 1e-8*hold)
	// The strong Markov property at the exit of (-0.5, 0.5).
	toLow, _ := cold.HitFrom(0.1, -0.5, 0.5)
	near(t, "exit and return", value(t)(cold.ExitTime(0.1, -0.5, 0.5))+toLow.Value*hold, value(t)(cold.PassageTime(0.1, 0.5)), 1e-9)
	back := must(t)(NewHybrid(3, 1, Softmax, 4)) // +1 does not attract
	far := value(t)(back.PassageTime(0.5, -0.5))
	near(t, "from +1 side", value(t)(back.ReflectedPassageTime(1-1e-13, 0.5, -0.5)), far, 1e-4*far)
	for _, c := range [][2]float64{{0, 0.5}, {0.5, 0}, {0, 1}, {0, -1}, {-1, 0.5}, {1, 0.5}} {
		if got := value(t)(diffusion(t, 3, 2).PassageTime(c[0], c[1])); !math.IsInf(got, 1) {
			t.Errorf("PassageTime(%v, %v) = %v", c[0], c[1], got)
		}
	}
	if a, b := value(t)(d.PassageTime(0.3, 0.3)), value(t)(d.ExitTime(0.3, 0.3, 0.5)); a != 0 || b != 0 {
		t.Errorf("times to where one is: %v, %v", a, b)
	}
	if got, _ := diffusion(t, 4, 2).DecayTime(); got != endless {
		t.Errorf("decay time of equal masses %v", got)
	}
}

// Two tokens against twenty without attention in two dimensions: no eigenvalue lies
// below the edge (d-1)²/8 of the continuous spectrum.
func TestDecayTimeAtTheEdge(t *testing.T) {
	near(t, "decay time", value(t)(must(t)(NewMasses(2, 0, Softmax, 1, 1, 10)).DecayTime()), 8, 1e-9)
}

// Both times grow without bound, and their logarithms beyond float64.
func TestTimesBeyondFloat64(t *testing.T) {
	before := 0.0
	for _, beta := range []float64{0, 0.5, 1, 5, 20, 60, 200, 1000} {
		d := must(t)(NewMasses(4, beta, Softmax, 1, 1, 2))
		life, err := d.Lifetime()
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		decay, err := d.DecayTime()
		t.Logf("β = %v: %v, %v in %v", beta, life, decay, time.Since(begin))
		if err != nil || !(life.Log > before) && beta > 1 || !(decay.Log > life.Log-1) || math.IsInf(life.Log, 0) || math.IsInf(decay.Log, 0) {
			t.Errorf("β = %v: lifetime %v, decay time %v, %v", beta, life, decay, err)
		}
		before = life.Log
	}
}

func TestPassagesAreRefused(t *testing.T) {
	d := must(t)(NewMasses(4, 1, Softmax, 1, 1, 2))
	great := must(t)(NewMasses(4, 400, Unnormalized, 1, 1, 2))
	for name, err := range map[string]error{
		"overlap 2 ":               refused(d.PassageTime(0, 2)),
		"overlap NaN ":             refused(d.PassageTime(math.NaN(), 0)),
		"overlap -2 ":              refused(d.ReflectedPassageTime(0, -2, 0)),
		"wall 0.5 ":                refused(d.ReflectedPassageTime(0.5, 0, 0.9)),
		"wall -1 ":                 refused(d.ReflectedPassageTime(-1, 0, 0.9)),
		"z0 = 0 ":                  refused(d.ExitTime(0, 0.1, 0.2)),
		"times are not available":  refused(great.Lifetime()),
		"unnormalized attention: ": refused(great.DecayTime()),
		"0 or beyond":              refused(great.ExitTime(0, -0.5, 0.5)),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not say %q", err, name)
		}
	}
}

func refused(_ Time, err error) error { return err }
