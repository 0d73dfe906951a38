package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

// converges reports whether the scale measure of two tokens under softmax and an MLP is finite at an end.
// It examines drift and variance of z at a distance of 1e-6: the scale density s must grow more slowly
// than 1/δ as the distance δ decreases.
func converges(end float64, dim int, beta, sigma, c float64, e expansion) bool {
	const gap = 1e-6
	z := end * (1 - gap)
	r := math.Exp(-beta * (1 - z))
	p, q := 1/(1+r), r/(1+r)
	k11 := sigma*sigma*(p*p+q*q+2*p*q*z) + c
	k12 := sigma*sigma*((p*p+q*q)*z+2*p*q) + c*e.at(z)
	d := float64(dim)
	drift, variance := -(d-1)*k11*z+(d-2+z*z)*k12, 2*(1-z*z)*(k11-z*k12)
	return 2*end*drift*gap/variance > -1
}

// Three hundred random cells: on both sides of each end of the interval of strengths, and inside it, the
// classes agree with drift and variance near ±1, for the MLP's correlation from its definition.
func TestAttractingStrengths(t *testing.T) {
	longtest.Only(t)
	random := rand.New(rand.NewPCG(34, 2))
	kinds := map[[2]bool]int{}
	for range 300 {
		dim, beta, sigma := 2+random.IntN(15), 1.5*random.Float64(), 0.5+random.Float64()
		names := []activation.Activation{
			activation.Linear, activation.Tanh, activation.Erf, activation.Sin, activation.Hermite3,
		}
		a, w := names[random.IntN(len(names))], math.Exp(4*random.Float64()-3)
		e := expand(a, w)
		d := must.Get(New(dim, beta, Softmax, sigma))(t)
		for _, end := range []float64{-1, 1} {
			low, high, err := d.AttractingStrengths(end, MLP{Activation: a, Variance: w})
			if err != nil || low < 0 || low > high {
				t.Fatalf("from %v to %v, %v", low, high, err)
			}
			kinds[[2]bool{low > 0, math.IsInf(high, 1)}]++
			middle := 2*low + 1
			if !math.IsInf(high, 1) {
				middle = (low + high) / 2
			}
			for _, c := range []float64{0.99 * low, 1.01 * low, middle, 0.99 * high, 1.01 * high} {
				if !(c > 1e-4 && c < 1e4) {
					continue
				}
				attracts := c > low && c < high
				if want := converges(end, dim, beta, sigma, c, e); attracts != want {
					t.Errorf("dim %d, β = %g, σ = %g, %v, w = %g, c = %g at %g: %v, want %v (%g to %g)",
						dim, beta, sigma, a, w, c, end, attracts, want, low, high)
				}
			}
		}
	}
	for _, kind := range [][2]bool{{false, true}, {true, true}, {false, false}} {
		if kinds[kind] < 20 {
			t.Errorf("only %d intervals of the kind %v", kinds[kind], kind)
		}
	}
}

// Special cases: a covariance under which +1 repels, with an MLP that repels too; unequal masses; ReLU;
// and the threshold of attention itself, at which any linear MLP suffices.
func TestAttractingStrengthsAtEdges(t *testing.T) {
	critical, _ := CriticalBeta(6)
	covariance := must.Get(NewIsotropic(6, 1, Softmax, 1, Covariance{A: 0.1, C: 1}, 1, 1))(t)
	masses := must.Get(NewMasses(6, 1, Softmax, 1, 1, 2))(t)
	rough := MLP{Activation: activation.Hermite3, Variance: 1}
	relu := MLP{Activation: activation.ReLU, Variance: 1}
	for name, c := range map[string]struct {
		d         *Diffusion
		end       float64
		m         MLP
		low, high float64
	}{
		"both repel":     {covariance, 1, rough, 0, 0},
		"masses":         {masses, -1, rough, 0, 0},
		"masses, +1":     {masses, 1, rough, 0, 5.0 / 4}, // (d-1)σ²/((d-3)r - (d-1)), r = 3
		"relu":           {diffusion(t, 6, 2), -1, relu, 0, 0},
		"relu, +1":       {diffusion(t, 6, 2), 1, relu, 0, math.Inf(1)},
		"at the edge":    {diffusion(t, 6, critical), -1, MLP{Variance: 1}, 0, math.Inf(1)},
		"edge and rough": {diffusion(t, 6, critical), -1, rough, 0, 0},
	} {
		low, high, err := c.d.AttractingStrengths(c.end, c.m)
		if err != nil || !(math.Abs(low-c.low) <= 1e-12) || !(high == c.high ||
			math.Abs(high-c.high) < 1e-12) {
			t.Errorf("%s: from %v to %v, %v", name, low, high, err)
		}
	}
	const refusal = "overlap: end 0.5 is not allowed: it must be -1 or 1"
	if _, _, err := masses.AttractingStrengths(0.5, rough); err == nil || err.Error() != refusal {
		t.Error(err)
	}
}

// Critical variances agree with roots of the slope of h, among others for an activation with two of them:
// r of hermite3 is 1 at w = 0, 3 at w = 1 and 1.8 for large w.
func TestCriticalVariances(t *testing.T) {
	two := 0
	for _, c := range []struct {
		dim      int
		beta     float64
		a        activation.Activation
		strength float64
	}{
		{8, 1.4, activation.Tanh, 0.5}, {8, 0.3, activation.Tanh, 3}, {12, 1.9, activation.Erf, 0.7},
		{16, 1.9, activation.Sin, 1.2}, {7, 1.6, activation.Hermite3, 0.9},
		{7, 2.5, activation.Hermite3, 0.4},
		{5, 1, activation.Hermite3, 1.1}, {3, 1, activation.Tanh, 2}, {2, 1, activation.Sin, 2},
		{6, 1, activation.Linear, 2},
	} {
		base := diffusion(t, c.dim, c.beta)
		for _, end := range []float64{-1, 1} {
			got, err := base.CriticalVariances(end, MLP{Activation: c.a, Strength: c.strength})
			low, high := math.Log(activation.LeastVariance), math.Log(activation.LargestVariance)
			want, failed := Thresholds(end, low, high,
				func(x float64) (*Diffusion, error) {
					w := min(max(math.Exp(x), activation.LeastVariance), activation.LargestVariance)
					return base.WithMLP(MLP{c.a, c.strength, w})
				})
			if err != nil || failed != nil || len(got) != len(want) {
				t.Errorf("%+v at %g: %v, want exp of %v; %v, %v", c, end, got, want, err, failed)
				continue
			}
			if len(got) == 2 {
				two++
			}
			for k := range got {
				near(t, "variance", got[k]/math.Exp(want[k]), 1, 1e-10)
				e := expand(c.a, min(got[k], 3))
				if got[k] > 3 { // too many coefficients to expand
					continue
				}
				// At the threshold of an end, 2·end·drift/variance times the distance is -1.
				d, r, square := float64(c.dim), e.slope(), math.Pow(math.Tanh(c.beta), 2)
				balance := (d-1)*(square+c.strength) - (d-3)*(1+c.strength*r)
				if end > 0 {
					balance = (d-1)*(1+c.strength) - (d-3)*c.strength*r
				}
				near(t, "balance", balance, 0, 1e-8)
			}
		}
	}
	if two == 0 {
		t.Error("no case of two variances")
	}
	d := diffusion(t, 6, 2)
	all, err := d.CriticalVariances(-1, MLP{Activation: activation.GELU, Strength: 1})
	if err != nil || len(all) > 0 {
		t.Errorf("gelu: %v, %v", all, err)
	}
	const refusal = "overlap: strength -1 of the MLP is not allowed: it must be from 0 to 1e+06"
	if _, err := d.CriticalVariances(-1, MLP{Strength: -1}); err == nil || err.Error() != refusal {
		t.Error(err)
	}
}

// An MLP of slope r acts on an end of the overlap of tokens of dimension d like (d-1) - (d-3) r, which is 0
// at r = (d-1)/(d-3), also up to rounding, and not beyond.
func TestPullsThatBalance(t *testing.T) {
	for r, want := range map[float64]float64{2: 0, 2 + 0x1p-51: 0, 2.25: -0.5, 1.5: 1} {
		if got := (pulls{dim: 5}).of(r); got != want {
			t.Errorf("r = %v: %v, want %v", r, got, want)
		}
	}
}

// With r = φ̂'(1) = (d-1)/(d-3), an MLP changes nothing at an end: for every strength the end attracts, or
// for none. The Hermite polynomial of degree 3 has r = 3 at w = 1.
func TestStrengthsAtTheCriticalSlope(t *testing.T) {
	const dim = 4
	critical, _ := CriticalBeta(dim)
	m := MLP{Activation: activation.Hermite3, Variance: 1}
	for _, c := range []struct{ end, beta, high float64 }{
		{1, 1, math.Inf(1)}, {-1, critical + 0.1, math.Inf(1)}, {-1, critical - 0.1, 0},
	} {
		low, high, err := must.Get(New(dim, c.beta, Softmax, 1))(t).AttractingStrengths(c.end, m)
		if low != 0 || high != c.high || err != nil {
			t.Errorf("%+v: %v, %v, %v", c, low, high, err)
		}
	}
}

// A variance of the scan at which γ²h' is exactly 0 is found, and once.
func TestCriticalVarianceOfTheScan(t *testing.T) {
	d := diffusion(t, 9, 1)
	exact := 0
	for k := 200; k < 400; k += 7 {
		p := must.Get(d.pulls(1, MLP{activation.Tanh, 1, math.Exp(logVariance(k))}))(t)
		m := MLP{Activation: activation.Tanh, Strength: -p.base / p.of(p.slope)}
		if !(m.Strength > 0) || p.base+float64(m.Strength*p.of(p.slope)) != 0 {
			continue
		}
		exact++
		found, err := d.CriticalVariances(1, m)
		if err != nil || len(found) != 1 || !(math.Abs(found[0]/math.Exp(logVariance(k))-1) < 1e-12) {
			t.Errorf("step %d: %v, %v, want %v", k, found, err, math.Exp(logVariance(k)))
		}
	}
	if exact < 5 {
		t.Errorf("only %d variances with an exact zero", exact)
	}
}
