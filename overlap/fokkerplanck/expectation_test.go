package fokkerplanck

import (
	"math"
	"slices"
	"testing"

	"antipode/internal/longtest"
	"antipode/overlap"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/integrate/quad"
)

// Dynkin's formula: E f(Z_T) is f(z0) plus the integral of E f'·drift + ½ f″·variance over time.
func TestExpectationSolvesDynkinsFormula(t *testing.T) {
	longtest.Only(t)
	const horizon, z0 = 0.5, -0.3
	for _, d := range []*overlap.Diffusion{diffusion(t, 3, 1),
		must.Get(overlap.NewHybrid(3, 1, overlap.Softmax, 1.2))(t)} {
		times, weights := make([]float64, 12), make([]float64, 12)
		quad.Legendre{}.FixedLocations(times, weights, 0, horizon)
		slices.Sort(times) // the weights are symmetric
		laws := must.Get(From(d, z0, append(times, horizon), 1e-8))(t)
		for name, f := range map[string][3]func(z float64) float64{
			"z": {func(z float64) float64 { return z }, func(float64) float64 { return 1 },
				func(float64) float64 { return 0 }},
			"sin3z": {func(z float64) float64 { return math.Sin(3 * z) },
				func(z float64) float64 { return 3 * math.Cos(3*z) },
				func(z float64) float64 { return -9 * math.Sin(3*z) }},
		} {
			want := f[0](z0)
			for k, w := range weights {
				want += w * laws[k].Expectation(func(z float64) float64 {
					return f[1](z)*d.Drift(z) + f[2](z)*d.Variance(z)/2
				})
			}
			law := laws[len(laws)-1]
			near(t, name, law.Expectation(f[0]), want, 5e-7)
			t.Logf("%s: %.9f, %.1e off; error %.1e, %d points", name, want, law.Expectation(f[0])-want,
				law.Error, len(law.cumulative))
		}
	}
}

// For a point mass at an end the expectation is the value there. For the uniform law at short times E Z²
// is 1/d.
func TestExpectationOfSimpleLaws(t *testing.T) {
	d := diffusion(t, 5, 1)
	law := func(laws []Distribution, err error) Distribution {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return laws[0]
	}
	one := func(float64) float64 { return 1 }
	identity := func(z float64) float64 { return z }
	square := func(z float64) float64 { return z * z }
	near(t, "at the end", law(From(d, -1, []float64{1}, 1e-6)).Expectation(identity), -1, 0)
	near(t, "uniform", law(Uniform(d, []float64{1e-7}, 1e-8)).Expectation(square), 0.2, 1e-6)
	near(t, "one", law(Uniform(d, []float64{2}, 1e-6)).Expectation(one), 1, 1e-12)
}

// The moments of a normal law, up to the fifth, are exact on wide cells.
func TestExpectationOfPolynomials(t *testing.T) {
	const mean, deviation, width = 0.3, 0.8, 0.5
	f := Distribution{first: -6, width: width}
	for x := f.first; x <= 6; x += width {
		f.cumulative = append(f.cumulative, 0.5*math.Erfc((mean-x)/(deviation*math.Sqrt2)))
	}
	before, moment := 0.0, 1.0
	for n := range 6 {
		got := f.Expectation(func(z float64) float64 {
			return math.Pow(inverseSinhMap(math.Atanh(z)), float64(n))
		})
		near(t, "moment", got, moment, 1e-8)
		before, moment = moment, mean*moment+float64(n)*deviation*deviation*before
	}
}
