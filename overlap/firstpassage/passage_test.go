package firstpassage

import (
	"math"
	"strings"
	"testing"
	"time"

	"antipode/internal/domaintest"
	"antipode/overlap"
	"antipode/sphere/must"
)

func TestKnownLifetimes(t *testing.T) {
	for _, c := range []struct{ beta, life, decay, accuracy float64 }{{1.5, 7.42, 8.306, 0.006},
		{2.5, 74.0, 101.3, 0.06}, {3.5, 615, 922, 0.6}} {
		d := must.Get(overlap.NewMasses(4, c.beta, overlap.Softmax, 1, 1, 2))(t)
		begin := time.Now()
		life := value(t)(Lifetime(d))
		middle := time.Now()
		decay := value(t)(DecayTime(d))
		t.Logf("β = %v: lifetime %.10g in %v, decay time %.10g in %v", c.beta, life, middle.Sub(begin), decay,
			time.Since(middle))
		near(t, "lifetime", life, c.life, c.accuracy)
		near(t, "decay time", decay, c.decay, c.accuracy)
	}
}

// The mean passage time in z from drift and variance alone, by nested trapezoidal sums in x = sqrt(1+z),
// in which the entrance is smooth, with extrapolation.
func TestLifetimeAgainstQuadratureInZ(t *testing.T) {
	for _, c := range []struct {
		dim       int
		beta      float64
		attention overlap.Attention
		m2        float64
	}{{3, 1, overlap.Softmax, 2}, {4, 1.5, overlap.Softmax, 2}, {4, 1.2, overlap.Unnormalized, 3},
		{7, 0.5, overlap.Softmax, 10}} {
		d := must.Get(overlap.NewMasses(c.dim, c.beta, c.attention, 1.5, 1, c.m2))(t)
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
		life := value(t)(Lifetime(d))
		coarse, fine := plain(2000), plain(4000)
		near(t, "lifetime", life, fine+(fine-coarse)/3, 2e-6*life)
	}
}

// A distant wall gives the passage from the end. Times add up along the way. An exit is the earlier of
// two passages. In two dimensions without attention, du = ½ tanh u dt + dB, and everything is elementary:
// with a wall at 0 the slope of the mean time is sech u ∫_0^u 2 cosh = 2 tanh u.
func TestPassageTimes(t *testing.T) {
	flat := diffusion(t, 2, 0)
	near(t, "from a wall", value(t)(reflectedPassage(flat.Line(), 0, 0.1, 0.6)),
		math.Log((1-0.01)/(1-0.36)), 1e-12)
	near(t, "from a wall, down", value(t)(reflectedPassage(flat.Line(), 0, -0.1, -0.6)),
		math.Log((1-0.01)/(1-0.36)), 1e-12)
	// From 0 to ±z the time is that with a wall at 0.
	near(t, "exit", value(t)(Exit(flat, 0, -0.6, 0.6)), -math.Log(1-0.36), 1e-12)
	d := must.Get(overlap.NewMasses(3, 2, overlap.Softmax, 1, 1, 3))(t)
	whole := value(t)(Between(d, -1, 0.5))
	near(t, "passage in two parts", value(t)(Between(d, -1, -0.3))+value(t)(Between(d, -0.3, 0.5)), whole,
		1e-9*whole)
	near(t, "wall near the end", value(t)(reflectedPassage(d.Line(), -1+1e-12, -1+1e-12, 0.5)), whole,
		1e-6*whole)
	cold := diffusion(t, 5, 0.3) // -1 does not attract
	hold := value(t)(Between(cold, -0.5, 0.5))
	near(t, "natural and wall", value(t)(reflectedPassage(cold.Line(), -1+1e-14, -0.5, 0.5)), hold, 1e-8*hold)
	// The strong Markov property at the exit of (-0.5, 0.5).
	toLow, _ := cold.HitFrom(0.1, -0.5, 0.5)
	near(t, "exit and return", value(t)(Exit(cold, 0.1, -0.5, 0.5))+toLow.Value*hold,
		value(t)(Between(cold, 0.1, 0.5)), 1e-9)
	back := must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, 4))(t) // +1 does not attract
	far := value(t)(Between(back, 0.5, -0.5))
	near(t, "from +1 side", value(t)(reflectedPassage(back.Line(), 1-1e-13, 0.5, -0.5)), far, 1e-4*far)
	for _, c := range [][2]float64{{0, 0.5}, {0.5, 0}, {0, 1}, {0, -1}, {-1, 0.5}, {1, 0.5}} {
		if got := value(t)(Between(diffusion(t, 3, 2), c[0], c[1])); !math.IsInf(got, 1) {
			t.Errorf("PassageTime(%v, %v) = %v", c[0], c[1], got)
		}
	}
	if a, b := value(t)(Between(d, 0.3, 0.3)), value(t)(Exit(d, 0.3, 0.3, 0.5)); a != 0 || b != 0 {
		t.Errorf("times to where one is: %v, %v", a, b)
	}
	if got, _ := DecayTime(diffusion(t, 4, 2)); got != infinite {
		t.Errorf("decay time of equal masses %v", got)
	}
}

// Two tokens against twenty without attention in two dimensions: no eigenvalue lies below the edge
// (d-1)²/8 of the continuous spectrum.
func TestDecayTimeAtTheEdge(t *testing.T) {
	unequal := must.Get(overlap.NewMasses(2, 0, overlap.Softmax, 1, 1, 10))(t)
	near(t, "decay time", value(t)(DecayTime(unequal)), 8, 1e-9)
}

// Both times grow without bound, and their logarithms keep growing beyond float64.
func TestTimesBeyondFloat64(t *testing.T) {
	before := 0.0
	for _, beta := range []float64{0, 0.5, 1, 5, 20, 60, 200, 1000} {
		d := must.Get(overlap.NewMasses(4, beta, overlap.Softmax, 1, 1, 2))(t)
		life := must.Get(Lifetime(d))(t)
		begin := time.Now()
		decay, err := DecayTime(d)
		t.Logf("β = %v: %v, %v in %v", beta, life, decay, time.Since(begin))
		if err != nil || !(life.Log > before) && beta > 1 || !(decay.Log > life.Log-1) ||
			math.IsInf(life.Log, 0) || math.IsInf(decay.Log, 0) {
			t.Errorf("β = %v: lifetime %v, decay time %v, %v", beta, life, decay, err)
		}
		before = life.Log
	}
}

func TestPassagesAreRefused(t *testing.T) {
	d := must.Get(overlap.NewMasses(4, 1, overlap.Softmax, 1, 1, 2))(t)
	great := must.Get(overlap.NewMasses(4, 400, overlap.Unnormalized, 1, 1, 2))(t)
	// The slope is e^(150(1-z)): beyond 1e100 at -0.9, but not at 0.5.
	steep := must.Get(overlap.NewHybrid(3, 150, overlap.Unnormalized, 1))(t)
	for _, err := range []error{domaintest.Error(Between(steep, 0.5, -0.9)),
		domaintest.Error(Exit(steep, 0.5, -0.9, 0.9))} {
		const want = "more than 5e+99 times its variance at overlap -0.9"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a slope that is too steep: %v", err)
		}
	}
	for name, err := range map[string]error{
		"overlap 2 ":               domaintest.Error(Between(d, 0, 2)),
		"overlap NaN ":             domaintest.Error(Between(d, math.NaN(), 0)),
		"overlap -2 ":              domaintest.Error(reflectedPassage(d.Line(), 0, -2, 0)),
		"wall 0.5 ":                domaintest.Error(reflectedPassage(d.Line(), 0.5, 0, 0.9)),
		"wall -1 ":                 domaintest.Error(reflectedPassage(d.Line(), -1, 0, 0.9)),
		"z0 = 0 ":                  domaintest.Error(Exit(d, 0, 0.1, 0.2)),
		"times are not available":  domaintest.Error(Lifetime(great)),
		"unnormalized attention: ": domaintest.Error(DecayTime(great)),
		"below 1e290":              domaintest.Error(Exit(great, 0, -0.5, 0.5)),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not say %q", err, name)
		}
	}
}

// A kernel with a smooth slope, h' = z on the circle, and a narrow peak of the variance, compared with
// nested trapezoidal sums in u = atanh z.
func TestPassageThroughANarrowPeakOfTheVariance(t *testing.T) {
	size := func(z float64) float64 { return 1 + 5*math.Exp(-(z-0.1)*(z-0.1)/0.002) }
	d := must.Get(overlap.NewKernel(2, func(z float64) (p, q float64) {
		return size(z), 0.5 * size(z)
	}, 1))(t)
	got := value(t)(reflectedPassage(d.Line(), -0.5, -0.5, 0.5))
	const cells = 400_000
	low := math.Atanh(-0.5)
	width := -2 * low / cells
	inner, before, want := 0.0, 0.0, 0.0
	flux := func(u float64) float64 {
		z := math.Tanh(u)
		return 2 * math.Cosh(u) / (2.5 * size(z) * size(z))
	}
	for k := range cells {
		u := low + float64(k)*width
		inner += 0.5 * width * (flux(u) + flux(u+width))
		now := inner / math.Cosh(u+width)
		want += 0.5 * width * (before + now)
		before = now
	}
	near(t, "passage time", got, want, 1e-9*want)
}

// The overlap drifts away from 0, where h has a minimum so deep that it takes e^327 units of time to pass
// it from the wall. Beyond it the flux falls like exp(-h), although the source is negligible. Compared with
// nested trapezoidal sums over u.
func TestPassageOverASteepBarrier(t *testing.T) {
	const dim, wall, cells = 300, -0.9, 1 << 16
	d := must.Get(overlap.NewKernel(dim, func(z float64) (p, q float64) { return 1, z }, 1))(t)
	slope := func(u float64) float64 {
		z := math.Tanh(u)
		return 2*(dim-2)*z/(1+z*z) + z
	}
	rate := func(u float64) float64 { return 1 / (1 + math.Tanh(u)*math.Tanh(u)) }
	for _, c := range [][2]float64{{wall, 0}, {wall, 0.1}, {wall, 0.9}, {0.1, 0.9}, {0.3, 0.9}} {
		flux, time := 0.0, 0.0 // the flux is exp(-h) ∫ 2 exp(h)/variance du
		edges := [3]float64{math.Atanh(wall), math.Atanh(c[0]), math.Atanh(c[1])}
		for part := range 2 {
			step := (edges[part+1] - edges[part]) / cells
			time = 0
			for k := range cells {
				u := edges[part] + step*float64(k)
				fall := math.Exp(-slope(u+step/2) * step)
				next := flux*fall + step/2*(rate(u)*fall+rate(u+step))
				time += step / 2 * (flux + next)
				flux = next
			}
		}
		got := must.Get(reflectedPassage(d.Line(), wall, c[0], c[1]))(t)
		near(t, "log time", got.Log, math.Log(time), 3e-5)
	}
}
