package overlap

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap/internal/line"
	"antipode/sphere/activation"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/integrate/quad"
)

// secondSolver returns P(antipodal) by Gauss-Legendre rules on equal cells of u on both sides of the
// start, with exponential tails. It does not use the panels of this package. NaN stands for a uniform
// start.
func secondSolver(d *Diffusion, z0 float64) float64 {
	const nodes, width, most = 6, 1.0 / 16, 26.0
	x, w := make([]float64, nodes), make([]float64, nodes)
	quad.Legendre{}.FixedLocations(x, w, 0, 1)
	middle := 0.0
	if z0 == z0 {
		middle = math.Atanh(z0)
	}
	slope := func(u float64) float64 { return d.line.Slope(line.Of(u)) }
	start := func(u float64) float64 { return math.Exp(-float64(d.line.Dim-1) * math.Log(math.Cosh(u))) }
	integral := func(f func(float64) float64, from, to float64) (sum float64) {
		for i := range x {
			sum += (to - from) * w[i] * f(from+(to-from)*x[i])
		}
		return sum
	}
	side := func(direction float64, end line.End) (mass, weighted, total float64) {
		h, u := 0.0, middle
		for c := 0; c < most/width; c++ {
			next := u + direction*width
			for i := range x {
				v := u + direction*width*x[i]
				density := width * w[i] * math.Exp(-h-integral(slope, u, v))
				mass += density
				if z0 != z0 {
					weighted += density * (total + math.Abs(integral(start, u, v)))
				}
			}
			h += integral(slope, u, next)
			if z0 != z0 {
				total += math.Abs(integral(start, u, next))
			}
			u = next
		}
		rest := math.Exp(-h) / (direction * end.Slope)
		return mass + rest, weighted + rest*total, total
	}
	left, below, total := side(-1, d.line.Minus)
	right, above, _ := side(1, d.line.Plus)
	if z0 == z0 {
		return right / (left + right)
	}
	return 0.5 + 0.5*(above-below)/total/(left+right)
}

// richardson returns the derivative of f at x, extrapolated from differences with steps h, 2h and 4h, and
// an estimate of its error: the change by the last extrapolation plus the rounding error of f.
func richardson(f func(float64) float64, x, h float64) (value, failure float64) {
	slope := func(h float64) float64 { return (f(x+h) - f(x-h)) / (2 * h) }
	near, middle, far := slope(h), slope(2*h), slope(4*h)
	once, before := near+(near-middle)/3, middle+(middle-far)/3
	return once + (once-before)/15, math.Abs(once-before) + 3e-13/h
}

// A family is a diffusion as a function of a parameter.
type family struct {
	name string
	at   func(x float64) *Diffusion
	by   Parameter
	x    float64
}

// families draws a random cell in which both outcomes are possible, for one of six models.
func families(t testing.TB, random *rand.Rand) family {
	between := func(low, high float64) float64 { return low + (high-low)*random.Float64() }
	attention := Attention(random.IntN(2))
	dim := 2 + random.IntN(9)
	beta := between(0.1, 5)
	if critical, ok := CriticalBeta(dim); ok {
		beta = critical + between(0.05, 3.5)
	}
	plain := func(beta, sigma float64) *Diffusion { return must.Get(New(dim, beta, attention, sigma))(t) }
	switch random.IntN(6) {
	case 0, 1:
		return family{fmt.Sprintf("d = %d", dim),
			func(x float64) *Diffusion { return plain(x, 1) }, ByBeta, beta}
	case 2:
		beta = between(0.2, 2.5)
		epsilon := between(math.Sqrt(1+math.Exp(-2*beta))+0.01, math.Sqrt2-0.01)
		hybrid := func(beta, epsilon float64) *Diffusion {
			return must.Get(NewHybrid(dim, beta, Softmax, epsilon))(t)
		}
		if random.IntN(2) == 0 {
			return family{fmt.Sprintf("hybrid, β = %v, d = %d", beta, dim),
				func(x float64) *Diffusion { return hybrid(beta, x) }, ByEpsilon, epsilon}
		}
		return family{fmt.Sprintf("hybrid, ε = %v, d = %d", epsilon, dim),
			func(x float64) *Diffusion { return hybrid(x, epsilon) }, ByBeta, beta}
	case 3:
		v := Covariance{A: 1, B: between(-0.4, 0.6), C: between(0, 0.5)}
		return family{fmt.Sprintf("d = %d, covariance %v", dim, v), func(x float64) *Diffusion {
			return must.Get(NewIsotropic(dim, x, attention, 1, v, 1, 1))(t)
		}, ByBeta, beta + 0.4}
	}
	mlp := MLP{activation.Tanh, between(0, 0.5), between(0.5, 4)}
	drift := between(0, 0.5)
	block := func(beta, sigma float64) *Diffusion {
		return must.Get(must.Get(plain(beta, sigma).WithMLP(mlp))(t).WithDrift(drift))(t)
	}
	if random.IntN(2) == 0 {
		return family{fmt.Sprintf("d = %d, β = %v, %v, drift %v", dim, beta, mlp, drift),
			func(x float64) *Diffusion { return block(beta, x) }, BySigma, between(0.7, 1.3)}
	}
	return family{fmt.Sprintf("d = %d, %v, drift %v", dim, mlp, drift),
		func(x float64) *Diffusion { return block(x, 1.1) }, ByBeta, beta}
}

// checkDerivatives compares derivatives for random cells with differences of the second solver. It
// returns the number of cells with both outcomes, and the largest difference divided by the sum of the
// two error estimates.
func checkDerivatives(t *testing.T, cells int) (both int, largest float64) {
	random := rand.New(rand.NewPCG(20260301, 40))
	for both < cells {
		f := families(t, random)
		z0 := math.NaN()
		if random.IntN(2) == 0 {
			z0 = 1.8*random.Float64() - 0.9
		}
		d := f.at(f.x)
		if !(d.line.Minus.Slope < -0.05 && d.line.Plus.Slope > 0.05) {
			continue
		}
		both++
		got, ok := d.AntipodalUniformDerivative(f.by)
		p := d.AntipodalUniform()
		if z0 == z0 {
			var err error
			if got, ok, err = d.AntipodalFromDerivative(z0, f.by); err != nil {
				t.Fatal(err)
			}
			p = from(t, d, z0)
		}
		if !ok {
			t.Fatalf("%s: no derivative", f.name)
		}
		if second := secondSolver(d, z0); !(math.Abs(second-p.Value) <= p.Error+1e-11) {
			t.Errorf("%s, %v = %v, z0 = %v: the solvers have %v and %v", f.name, f.by, f.x, z0,
				p.Value, second)
		}
		want, failure := richardson(func(x float64) float64 { return secondSolver(f.at(x), z0) }, f.x, 5e-4)
		ratio := math.Abs(got.Value-want) / (got.Error + failure)
		largest = max(largest, ratio)
		if !(ratio <= 1) || !(got.Error < 1e-8) {
			t.Errorf("%s, %v = %v, z0 = %v: derivative %v ± %.1g, differences %v ± %.1g",
				f.name, f.by, f.x, z0, got.Value, got.Error, want, failure)
		}
	}
	return both, largest
}

func TestDerivativesAgainstDifferences(t *testing.T) {
	both, largest := checkDerivatives(t, 15)
	t.Logf("%d cells, largest ratio to the errors %.3g", both, largest)
}

// No model has a parameter that is none of the constants.
func TestUndefinedParameters(t *testing.T) {
	plain, noise := must.Get(New(4, 1.2, Softmax, 1))(t), Covariance{A: 0.9, B: -0.3, C: 0.4}
	for name, d := range map[string]*Diffusion{
		"plain": plain, "drift": must.Get(plain.WithDrift(0.3))(t),
		"hybrid":     must.Get(NewHybrid(4, 1.2, Softmax, 0.9))(t),
		"covariance": must.Get(NewIsotropic(4, 1.2, Softmax, 1, noise, 1, 1))(t),
	} {
		for _, by := range []Parameter{-1, 3, 7} {
			if value, ok := d.AntipodalUniformDerivative(by); ok {
				t.Errorf("%s, %v: derivative %v", name, by, value)
			}
			if _, ok := d.CoefficientsBy(by); ok {
				t.Errorf("%s, %v: coefficients are known", name, by)
			}
		}
	}
	for by, want := range map[Parameter]string{
		ByBeta: "beta", ByEpsilon: "epsilon", BySigma: "sigma", 3: "Parameter(3)", -1: "Parameter(-1)",
	} {
		if by.String() != want {
			t.Errorf("%v, want %s", by, want)
		}
	}
}

// Derivatives of both coefficients with respect to each parameter are those of differences, for every model,
// each with both kinds of attention, at overlaps near both ends and between them.
func TestCoefficientsByParameters(t *testing.T) {
	values := map[Parameter]float64{ByBeta: 0.9, BySigma: 1.3, ByEpsilon: 0.8}
	mlp := MLP{activation.Tanh, 0.6, 1.7}
	noise := Covariance{A: 0.9, B: -0.3, C: 0.4}
	known := 0
	for _, attention := range []Attention{Softmax, Unnormalized} {
		models := map[string]func(beta, sigma, epsilon float64) (*Diffusion, error){
			"plain": func(beta, sigma, _ float64) (*Diffusion, error) {
				return New(5, beta, attention, sigma)
			},
			"hybrid": func(beta, _, epsilon float64) (*Diffusion, error) {
				return NewHybrid(5, beta, attention, epsilon)
			},
			"covariance": func(beta, sigma, _ float64) (*Diffusion, error) {
				return NewIsotropic(5, beta, attention, sigma, noise, 1, 1)
			},
			"block": func(beta, sigma, _ float64) (*Diffusion, error) {
				return must.Get(must.Get(New(5, beta, attention, sigma))(t).WithMLP(mlp))(t).WithDrift(0.35)
			},
		}
		for name, model := range models {
			for by, x := range values {
				at := func(x float64) *line.Diffusion {
					v := maps.Clone(values)
					v[by] = x
					return must.Get(model(v[ByBeta], v[BySigma], v[ByEpsilon]))(t).Line()
				}
				d := must.Get(model(values[ByBeta], values[BySigma], values[ByEpsilon]))(t)
				c, ok := d.CoefficientsBy(by)
				if !ok {
					continue
				}
				known++
				for _, u := range []float64{-9, -3, -0.7, 0, 0.4, 2, 8} {
					p := line.Of(u)
					slope, off := richardson(func(x float64) float64 { return at(x).Slope(p) }, x, 1e-3)
					what := fmt.Sprintf("%v, %s, by %v, u = %v: ", attention, name, by, u)
					near(t, what+"slope", c.Slope(p), slope, off+1e-9*(1+math.Abs(slope)))
					variance, off := richardson(func(x float64) float64 { return at(x).Variance(p) }, x, 1e-3)
					near(t, what+"variance", c.Variance(p), variance, off+1e-9*(1+math.Abs(variance)))
				}
			}
		}
	}
	if known != 2*4*2 { // the hybrid model has no σ, and no other one an ε
		t.Errorf("%d derivatives are known", known)
	}
}

// For d = 2 the limit is the same at every β. For d = 3 and β → 0, P ~ β² log(2/(1+z0)), with mean β². If
// an end does not attract, the derivative is 0.
func TestDerivativesInClosedForm(t *testing.T) {
	for _, beta := range []float64{0, 0.3, 2, 50} {
		d := diffusion(t, 2, beta)
		p, _, err := d.AntipodalFromDerivative(0.4, ByBeta)
		if u, _ := d.AntipodalUniformDerivative(ByBeta); err != nil || p.Value != 0 || u.Value != 0 {
			t.Errorf("d = 2, β = %v: %v, %v, %v", beta, p, u, err)
		}
	}
	const beta = 1e-4
	d := diffusion(t, 3, beta)
	p, ok, _ := d.AntipodalFromDerivative(-0.3, ByBeta)
	near(t, "dP/dβ / 2β", p.Value/(2*beta), math.Log(2/0.7), 10*beta)
	u, _ := d.AntipodalUniformDerivative(ByBeta)
	near(t, "uniform dP/dβ / 2β", u.Value/(2*beta), 1, 10*beta)
	if s, known := d.AntipodalUniformDerivative(BySigma); !ok || !known || s != (Derivative{}) {
		t.Errorf("σ changes the clock alone: %v, %v", s, known)
	}
	if _, known := d.AntipodalUniformDerivative(ByEpsilon); known {
		t.Error("ε without a hybrid")
	}
	below := diffusion(t, 8, 0.5)
	if p, ok, err := below.AntipodalFromDerivative(0, ByBeta); !ok || err != nil || p != (Derivative{}) {
		t.Errorf("below the threshold: %v, %v, %v", p, ok, err)
	}
	if _, _, err := below.AntipodalFromDerivative(1.5, ByBeta); err == nil {
		t.Error("z0 = 1.5")
	}
	random := must.Get(NewResampled(4, 1, Softmax, 1, 0.5, Ginibre))(t)
	if _, ok := random.AntipodalUniformDerivative(ByBeta); ok {
		t.Error("random scores")
	}
}

// Steep scales take no longer: little noise in the hybrid model, for which a panel would be a millionth
// wide.
func TestDerivativesOfSteepScales(t *testing.T) {
	for _, c := range []struct{ beta, epsilon float64 }{{30, 1.2}, {1000, 1.1}, {700, 1.414}} {
		d := must.Get(NewHybrid(3, c.beta, Softmax, c.epsilon))(t)
		p, ok := d.AntipodalUniformDerivative(ByEpsilon)
		if !ok || !(math.Abs(p.Value) < 100) || !(p.Error < 1e-3) {
			t.Errorf("%+v: %v, %v", c, p, ok)
		}
	}
	for _, beta := range []float64{20, 1000} {
		if p, ok := diffusion(t, 10_000, beta).AntipodalUniformDerivative(ByBeta); !ok || !(p.Error < 1e-9) {
			t.Errorf("β = %v: %v, %v", beta, p, ok)
		}
	}
}

func TestTrajectories(t *testing.T) {
	near(t, "0.5 from 0.6", Trajectories(0.5, 0.6), 385, 0) // 2.8016² 0.49/0.01 = 384.6
	near(t, "0.01 from 0.02", Trajectories(0.01, 0.02), 2316, 0)
	if same := Trajectories(0.3, 0.3); !math.IsInf(same, 1) {
		t.Errorf("the same: %v", same)
	}
}
