package collapse

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
)

// The domains of all arguments end where the comments say, whatever is asked.
func TestDomains(t *testing.T) {
	above, below, nan, inf := domaintest.Above, domaintest.Below, math.NaN(), math.Inf(1)
	gaussians := map[string]func(g Gaussian) (float64, error){
		"values":     Gaussian.ValueGradient,
		"queries":    func(g Gaussian) (float64, error) { return g.QueryGradient(1) },
		"scatter":    func(g Gaussian) (float64, error) { return g.Distance(1) },
		"derivative": func(g Gaussian) (float64, error) { return g.DerivativeDistance(1) },
		"input":      func(g Gaussian) (float64, error) { return g.InputGradient(1) },
		"bound (8)":  Gaussian.PrintedInputBound,
	}
	for what, ask := range gaussians {
		of := func(tokens, dim int, variance, correlation float64) error {
			_, err := ask(Gaussian{tokens, dim, variance, correlation})
			return err
		}
		domaintest.Check(t, what+": tokens", func(n int) error {
			return of(n, 1, 1, 0)
		}, []int{2}, []int{1, 0})
		domaintest.Check(t, what+": dimension", func(d int) error {
			return of(2, d, 1, 0)
		}, []int{1}, []int{0})
		domaintest.Check(t, what+": variance", func(x float64) error { return of(2, 1, x, 0) },
			[]float64{0, math.MaxFloat64}, []float64{domaintest.Below(0), nan, inf})
		domaintest.Check(t, what+": correlation", func(x float64) error { return of(5, 1, 1, x) },
			[]float64{-0.25, 1}, []float64{below(-0.25), above(1), nan})
	}
	g := Gaussian{3, 2, 1, 0.5}
	domaintest.Check(t, "key dimension", func(d int) error { _, err := g.Distance(d); return err },
		[]int{1}, []int{0, -1})
	domaintest.Check(t, "τ", func(x float64) error { _, err := g.QueryGradient(x); return err },
		[]float64{-math.MaxFloat64, 0, math.MaxFloat64}, []float64{nan, inf, -inf})
	domaintest.Check(t, "τ of the input", func(x float64) error { _, err := g.InputGradient(x); return err },
		[]float64{-math.MaxFloat64, 0, math.MaxFloat64}, []float64{nan, inf, -inf})
	domaintest.Check(t, "temperature", func(g Gaussian) error { _, err := g.Temperature(); return err },
		[]Gaussian{g}, []Gaussian{{3, 2, 0, 0.5}, {3, 2, 1, 1}, {1, 2, 1, 0.5}, {3, 2, 1e103, 0.5},
			{3, 2, 1e300, 1}, {1 << 40, 1 << 40, 1e300, 0.5}})

	stream := func(s Stream) error { _, err := s.After(Residual{1, 1}, 1); return err }
	domaintest.Check(t, "tokens", func(n int) error { return stream(Stream{n, 1, 1}) }, []int{2}, []int{1})
	domaintest.Check(t, "squared norm", func(x float64) error {
		_, err := Stream{2, x, 0}.After(Residual{}, 0)
		return err
	},
		[]float64{5e-324, math.MaxFloat64}, []float64{0, -1, nan, inf})
	domaintest.Check(t, "inner products", func(x float64) error { return stream(Stream{2, 0.5, x}) },
		[]float64{0, 1, 1 + 1e-12}, []float64{domaintest.Below(0), 1 + 1.001e-12, nan})
	domaintest.Check(t, "layers", func(layers int) error {
		_, err := Stream{2, 1, 1}.After(Residual{1, 1}, layers)
		return err
	}, []int{0, 504}, []int{-1, 506}) // each layer grows by 4, and e^700 is 4^504.9
	domaintest.Check(t, "squared norm before ReLU", func(x float64) error {
		_, err := Stream{2, x, 0}.ReLU(Residual{})
		return err
	}, []float64{1}, []float64{0, nan})
	for _, residual := range []func(x float64) Residual{
		func(x float64) Residual {
			return Residual{x, 0}
		}, func(x float64) Residual {
			return Residual{0, x}
		},
	} {
		domaintest.Check(t, "residual strength", func(x float64) error {
			_, err := Stream{2, 1, 1}.After(residual(x), 0)
			return err
		}, []float64{0, math.MaxFloat64}, []float64{domaintest.Below(0), nan, inf})
		for what, of := range map[string]func(r Residual) (Stream, error){
			"in all layers": Stream{2, 1, 1}.Scaled,
			"beside ReLU":   Stream{2, 1, 1}.ReLU,
		} {
			domaintest.Check(t, "residual strength "+what, func(x float64) error {
				_, err := of(residual(x))
				return err
			}, []float64{0, 2}, []float64{domaintest.Below(0), nan, inf})
		}
	}
}
