package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap/internal/line"
	"antipode/sphere/activation"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/integrate/quad"
)

// withMLP returns the diffusion of two tokens with softmax, σ = 1 and an MLP.
func withMLP(t testing.TB, dim int, beta float64, a activation.Activation, c, w float64) *Diffusion {
	t.Helper()
	return must.Get(diffusion(t, dim, beta).WithMLP(MLP{a, c, w}))(t)
}

// Two limiting probabilities to ten digits, computed by another program.
func TestMLPOfReference(t *testing.T) {
	for _, c := range []struct {
		a            activation.Activation
		w, antipodal float64
	}{{activation.Tanh, 4, 0.2834918675}, {activation.Linear, 1, 0.3019472621}} {
		p := withMLP(t, 4, 1.5, c.a, 0.5, c.w).AntipodalUniform()
		near(t, c.a.String(), p.Value, c.antipodal, 6e-11)
	}
}

// A layerNoise provides κ₁₁, κ₁₂ and the drift of a layer for the second solver.
type layerNoise struct {
	dim         int
	beta, sigma float64
	softmax     bool
	c, drift    float64
	correlation expansion
}

// slope returns twice the drift of u divided by its variance. It starts from the drift and the variance
// of z, written as sums over sources.
func (l *layerNoise) slope(u float64) float64 {
	z := math.Tanh(u)
	t := math.Exp(-2 * math.Abs(u))
	tangent := 4 * t / ((1 + t) * (1 + t))
	below := 2 / (1 + math.Exp(2*u)) // 1-z
	p, q := 0.5*math.Exp(l.beta), 0.5*math.Exp(l.beta*z)
	if l.softmax {
		p, q = 1/(1+math.Exp(-l.beta*below)), 1/(1+math.Exp(l.beta*below))
	}
	own, shared := l.correlation.shares(u)
	first := l.sigma*l.sigma*(p*p+q*q) + l.c*own // (κ₁₁-zκ₁₂)/(1-z²)
	other := 2*l.sigma*l.sigma*p*q + l.c*shared  // (κ₁₂-zκ₁₁)/(1-z²)
	k11, k12 := first+z*other, other+z*first
	drift := float64(l.dim-2)*other - z*first // divided by 1-z²
	if math.Abs(u) < 1 {                      // compute the same from the covariances themselves
		drift = (-float64(l.dim-1)*k11*z + (float64(l.dim-2)+z*z)*k12) / tangent
	}
	return 2*(drift+2*l.drift*q)/(2*first) + 2*z
}

// probability returns the probability to become antipodal from a uniform start, ∫ P(start < u) dS(u) / ∫
// dS. It uses Gauss-Legendre rules on equal panels, and exponential tails beyond them.
func (l *layerNoise) probability() float64 {
	const end, width, order, inner = 36.0, 0.25, 10, 6
	integral := func(f func(u float64) float64, from, to float64) float64 {
		return quad.Fixed(f, from, to, inner, quad.Legendre{}, 0)
	}
	start := func(u float64) float64 { return math.Pow(math.Cosh(u), 1-float64(l.dim)) }
	x, weight := make([]float64, order), make([]float64, order)
	quad.Legendre{}.FixedLocations(x, weight, 0, 1)
	left, right := l.slope(-end), l.slope(end)
	if left >= 0 {
		return 0
	}
	if right <= 0 {
		return 1
	}
	h, below, antipodal, scale := 0.0, 0.0, 0.0, -1/left
	for k := range int(2 * end / width) {
		u := -end + width*float64(k)
		for j := range order {
			at := u + width*x[j]
			density := width * weight[j] * math.Exp(-h-integral(l.slope, u, at))
			scale += density
			antipodal += density * (below + integral(start, u, at))
		}
		h += integral(l.slope, u, u+width)
		below += integral(start, u, u+width)
	}
	tail := math.Exp(-h) / right
	return (antipodal/below + tail) / (scale + tail)
}

// Sixty random cells of both attentions, with an MLP and a drift, agree with the second solver, and
// the classes of both ends agree with their conditions.
func TestMLPAgainstSecondSolver(t *testing.T) {
	longtest.Only(t)
	random := rand.New(rand.NewPCG(34, 1))
	names := []activation.Activation{
		activation.Linear, activation.Tanh, activation.Erf, activation.Sin, activation.Hermite3,
	}
	both, largest := 0, 0.0
	for range 60 {
		dim, beta, sigma := 2+random.IntN(11), 3*random.Float64(), 0.5+random.Float64()
		attention := Attention(random.IntN(2))
		c, w := 2*random.Float64(), math.Exp(4*random.Float64()-3)
		m := MLP{names[random.IntN(len(names))], c, w}
		drift := 0.3 * float64(random.IntN(2)) * random.Float64()
		beside := must.Get(must.Get(New(dim, beta, attention, sigma))(t).WithMLP(m))(t)
		d := must.Get(beside.WithDrift(drift))(t)
		correlation := expand(m.Activation, w)
		l := &layerNoise{dim, beta, sigma, attention == Softmax, c, drift, correlation}
		got, want := d.AntipodalUniform(), l.probability()
		if d.PlusOne() == Attracting && d.MinusOne() == Attracting {
			both++
		} else if d.PlusOne() != Attracting {
			want = float64(1 - min(1, max(0, float64(d.MinusOne()))))
		}
		if got.Error > 0 {
			largest = max(largest, math.Abs(got.Value-want)/got.Error)
		}
		if !(math.Abs(got.Value-want) <= got.Error) || !(got.Error < 1e-7) {
			t.Errorf("dim %d, β = %g, %v, σ = %g, %+v, μ = %g: %v ± %.1e, want %v", dim, beta, attention,
				sigma, m, drift, got.Value, got.Error, want)
		}
		if attention != Softmax || drift > 0 {
			continue
		}
		r, n, square := correlation.slope(), float64(dim), math.Tanh(beta)*math.Tanh(beta)
		if attracts := (n-3)*c*r < (n-1)*(sigma*sigma+c); attracts != (d.PlusOne() == Attracting) {
			t.Errorf("dim %d, β = %g, σ = %g, %+v: +1 is %v", dim, beta, sigma, m, d.PlusOne())
		}
		attracts := (n-3)*(sigma*sigma+c*r) < (n-1)*(sigma*sigma*square+c)
		if attracts != (d.MinusOne() == Attracting) {
			t.Errorf("dim %d, β = %g, σ = %g, %+v: -1 is %v", dim, beta, sigma, m, d.MinusOne())
		}
	}
	t.Logf("the largest ratio of true to printed error is %.2g", largest)
	if both < 18 {
		t.Errorf("only %d cells had two outcomes", both)
	}
}

// For an activation that is not odd, -1 is not a possible outcome for any β. The drift there is
// (d-1)c(1+φ̂(-1)). In two dimensions the end has another class.
func TestMLPThatIsNotOdd(t *testing.T) {
	for _, beta := range []float64{0, 2, 10} {
		d := withMLP(t, 5, beta, activation.ReLU, 0.3, 1)
		if d.MinusOne() != Entrance || d.PlusOne() != Attracting || d.SingleUniform().Value != 1 {
			t.Errorf("β = %g: %v, %v, single %v", beta, d.MinusOne(), d.PlusOne(), d.SingleUniform())
		}
		near(t, "drift at -1", d.Drift(-1), 4*0.3, 1e-15)
		near(t, "drift beside -1", d.Drift(-1+1e-9), 4*0.3, 1e-4)
		if _, ok := d.Lyapunov(); ok {
			t.Error("an exponent of a pair that does not stay antipodal")
		}
		if _, ok := d.Within(); ok {
			t.Error("an exponent within clusters that do not stay opposite")
		}
	}
	if d := withMLP(t, 2, 1, activation.GELU, 0.3, 1); d.MinusOne() != Reflecting {
		t.Errorf("GELU in two dimensions: -1 is %v", d.MinusOne())
	}
}

// The coefficients agree with the formula in κ₁₁ and κ₁₂ inside (-1, 1). At -1 the contributions of an
// MLP and of unequal masses add.
func TestMLPCoefficients(t *testing.T) {
	const dim, beta, c, w = 6, 0.8, 0.7, 3.0
	correlation, _ := activation.NewCorrelation(activation.GELU, w)
	d := withMLP(t, dim, beta, activation.GELU, c, w)
	for _, z := range []float64{-0.9, -0.3, 0, 0.5, 0.95} {
		r := math.Exp(-beta * (1 - z))
		p, q := 1/(1+r), r/(1+r)
		k11, k12 := p*p+q*q+2*p*q*z+c, (p*p+q*q)*z+2*p*q+c*correlation.At(z)
		near(t, "drift", d.Drift(z), -(dim-1)*k11*z+(dim-2+z*z)*k12, 1e-13)
		near(t, "variance", d.Variance(z), 2*(1-z*z)*(k11-z*k12), 1e-13)
	}
	masses := must.Get(NewMasses(dim, beta, Softmax, 1, 1, 3))(t)
	sum := must.Get(masses.WithMLP(MLP{activation.GELU, c, w}))(t)
	near(t, "drift at -1", sum.Drift(-1), masses.Drift(-1)+d.Drift(-1), 1e-13)
	odd := must.Get(masses.WithMLP(MLP{activation.Tanh, c, w}))(t)
	if odd.MinusOne() != Entrance || odd.Drift(-1) != masses.Drift(-1) {
		t.Errorf("unequal masses with an odd MLP: %v, drift %v", odd.MinusOne(), odd.Drift(-1))
	}
}

// A linear MLP of strength c acts like values of which each token receives only its own: the kernel
// p = 1, q = 0 with variance c.
func TestLinearMLPIsAKernel(t *testing.T) {
	kernel := must.Get(NewKernel(5, func(z float64) (p, q float64) {
		r := math.Exp(-1.3 * (1 - z))
		p, q = 1/(1+r), r/(1+r)
		// Only p²+q² and pq matter, so any weights with these sums may be used.
		sum, product := p*p+q*q+0.4, p*q
		s, a := math.Sqrt(sum+2*product), math.Sqrt(sum-2*product)
		return (s + a) / 2, (s - a) / 2
	}, 1))(t)
	d := withMLP(t, 5, 1.3, activation.Linear, 0.4, 9)
	near(t, "antipodal", d.AntipodalUniform().Value, kernel.AntipodalUniform().Value, 1e-12)
}

// A drift in addition to scalar noise gives the hybrid model, with its outcomes and exponents.
func TestDriftBesideScalarNoiseIsTheHybridModel(t *testing.T) {
	scalar := must.Get(NewIsotropic(3, 1, Softmax, 1.2, Scalar, 1, 1))(t)
	d, hybrid := must.Get(scalar.WithDrift(1))(t), must.Get(NewHybrid(3, 1, Softmax, 1.2))(t)
	near(t, "antipodal", d.AntipodalUniform().Value, hybrid.AntipodalUniform().Value, 1e-12)
	near(t, "drift", d.Drift(0.3), hybrid.Drift(0.3), 1e-14)
	got, _ := d.Lyapunov()
	want, _ := hybrid.Lyapunov()
	near(t, "exponent between", got, want, 1e-14)
	got, _ = d.Within()
	want, _ = hybrid.Within()
	near(t, "exponent within", got, want, 1e-14)
}

// The exponents of tokens under a drift and a noise so weak that its variance leaves the range of float64 at
// overlap -1 are those of the flow without noise: 2q = e^(-β), with unnormalized attention.
func TestDriftBesideNegligibleNoise(t *testing.T) {
	scalar := must.Get(NewIsotropic(3, 30, Unnormalized, 1e-144, Scalar, 1, 1))(t)
	d := must.Get(scalar.WithDrift(1))(t)
	got, ok := d.Lyapunov()
	if near(t, "exponent between, per drift", got/math.Exp(-30), 1, 1e-12); !ok {
		t.Error("no exponent")
	}
}

// A drift beside a Kernel acts as beside the same built-in attention.
func TestDriftBesideAKernel(t *testing.T) {
	const drift = 0.7
	kernel := must.Get(must.Get(NewKernel(5, softmaxKernel(1.2), 0.9))(t).WithDrift(drift))(t)
	d := must.Get(must.Get(New(5, 1.2, Softmax, 0.9))(t).WithDrift(drift))(t)
	near(t, "antipodal", kernel.AntipodalUniform().Value, d.AntipodalUniform().Value, 1e-12)
	for _, z := range []float64{-0.9, 0.2, 0.8} {
		near(t, "drift", kernel.Drift(z), d.Drift(z), 1e-14)
	}
}

// Thresholds agree with the closed forms for softmax: in β with an MLP, in β with a drift, and in the
// strength for the end +1.
func TestThresholds(t *testing.T) {
	const dim, c, w = 6, 0.3, 4.0
	correlation, _ := activation.NewCorrelation(activation.Tanh, w)
	r := correlation.Slope()
	betas, err := Thresholds(-1, 0, 8, func(beta float64) (*Diffusion, error) {
		return diffusion(t, dim, beta).WithMLP(MLP{activation.Tanh, c, w})
	})
	if want := math.Atanh(math.Sqrt((dim-3)*(1+c*r)/(dim-1) - c)); err != nil || len(betas) != 1 ||
		math.Abs(betas[0]-want) > 1e-11 {
		t.Errorf("%v, %v, want %v", betas, err, want)
	}
	betas, err = Thresholds(-1, 0, 8, func(beta float64) (*Diffusion, error) {
		return diffusion(t, dim, beta).WithDrift(0.5)
	})
	if err != nil || len(betas) != 1 ||
		math.Abs(math.Cosh(2*betas[0])-(dim-2)-0.5*(1+math.Exp(-2*betas[0]))) > 1e-10 {
		t.Errorf("%v, %v", betas, err)
	}
	strengths, err := Thresholds(1, 0.01, 50, func(c float64) (*Diffusion, error) {
		return diffusion(t, dim, 1).WithMLP(MLP{activation.Hermite3, c, w})
	})
	third := 6 * w * w * w
	r = (9*w*(w-1)*(w-1) + 3*third) / (9*w*(w-1)*(w-1) + third)
	if want := (dim - 1) / ((dim-3)*r - (dim - 1)); err != nil || len(strengths) != 1 ||
		math.Abs(strengths[0]/want-1) > 1e-11 {
		t.Errorf("%v, %v, want %v", strengths, err, want)
	}
}

func TestCrosses(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		want          bool
	}{
		{1, -1, true}, {-1, 1, true}, {1, 0, true}, {-1, 0, true}, {5e-324, -5e-324, true},
		{1, 5e-324, false}, {-1, -5e-324, false}, {0, 1, false}, {0, -1, false}, {0, 0, false},
		{math.NaN(), 1, false}, {1, math.NaN(), false},
	} {
		if got := crosses(c.before, c.after); got != c.want {
			t.Errorf("from %v to %v: %v", c.before, c.after, got)
		}
	}
}

// The exponent within two opposite clusters agrees with the drift of the overlap of two tokens that are
// close.
func TestWithinWithMLP(t *testing.T) {
	const dim, beta, c, w = 7, 1.1, 0.6, 2.0
	d := withMLP(t, dim, beta, activation.Sin, c, w)
	got, ok := d.Within()
	r := w / math.Tanh(w)
	want := -0.5*(dim-1)*math.Pow(math.Tanh(beta), 2) - 0.5*c*((dim-1)-(dim-3)*r)
	if near(t, "within", got, want, 1e-13); !ok {
		t.Error("not known")
	}
}

func TestBlockRefusals(t *testing.T) {
	d := diffusion(t, 4, 1)
	huge := must.Get(New(4, 500, Unnormalized, 1))(t)
	for want, try := range map[string]func() (*Diffusion, error){
		"overlap: strength -1 of the MLP is not allowed: it must be from 0 to 1e+06": func() (*Diffusion,
			error) {
			return d.WithMLP(MLP{activation.Tanh, -1, 1})
		},
		"overlap: MLP: variance 0 of pre-activations is not allowed: it must be " +
			"from 0.0001 to 10000": func() (
			*Diffusion, error) {
			return d.WithMLP(MLP{activation.Tanh, 1, 0})
		},
		"overlap: drift -0.1 is not allowed: it must be from 0 to 1e+06": func() (*Diffusion, error) {
			return d.WithDrift(-0.1)
		},
		"overlap: times are not available: the variance of this diffusion per unit of time, +Inf at " +
			"overlap 0, " +
			"must be above 1e-290 and below 1e290 (unnormalized attention: e^(2β) σ²)": func() (
			*Diffusion, error) {
			return huge.WithMLP(MLP{activation.Tanh, 1, 1})
		},
	} {
		if _, err := try(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, same := range []func() (*Diffusion, error){
		func() (*Diffusion, error) { return d.WithMLP(MLP{}) },
		func() (*Diffusion, error) { return d.WithDrift(0) },
	} {
		if got, err := same(); got != d || err != nil {
			t.Errorf("nothing added gives %v, %v", got, err)
		}
	}
}

// A drift speeds up a flow: with the hybrid model without noise, whose velocity is 2q, by the factor 1+μ, and
// with antisymmetric matrices by the velocity 2μq. The tokens still coincide in the end. With an MLP there is
// noise again.
func TestDriftOfAFlow(t *testing.T) {
	const dim, beta, mu = 5, 1.3, 0.7
	for _, attention := range []Attention{Softmax, Unnormalized} {
		hybrid := must.Get(NewHybrid(dim, beta, attention, 0))(t)
		rotating := must.Get(NewIsotropic(dim, beta, attention, 0.8, Antisymmetric, 1, 1))(t)
		for _, plain := range []*Diffusion{hybrid, rotating} {
			d := must.Get(plain.WithDrift(mu))(t)
			if d.Line().Velocity == nil {
				t.Fatalf("%v: no flow", attention)
			}
			for _, z := range []float64{-0.9, -0.2, 0, 0.6, 0.99} {
				r := math.Exp(-beta * (1 - z))
				q := r / (1 + r)
				if attention == Unnormalized {
					q = 0.5 * math.Exp(beta*z)
				}
				at := line.At(z)
				want := plain.Line().Velocity(at) + 2*mu*q
				near(t, "velocity", d.Line().Velocity(at), want, 1e-14*want)
				near(t, "drift", d.Drift(z), (1-z)*(1+z)*want, 1e-14*want)
				near(t, "variance", d.Variance(z), 0, 0)
			}
			p := from(t, d, -0.99)
			if p.Value != 0 || d.PlusOne() != Attracting || d.MinusOne() != NonAttracting {
				t.Errorf("%v: antipodal %v, ends %v and %v", attention, p, d.MinusOne(), d.PlusOne())
			}
			noisy := must.Get(d.WithMLP(MLP{activation.Tanh, 0.5, 1}))(t)
			if noisy.Line().Velocity != nil || !(noisy.Variance(0.3) > 0) {
				t.Errorf("%v: a flow in spite of an MLP", attention)
			}
		}
	}
}
