package finitedepth

import (
	"math"
	"testing"

	"antipode/internal/domaintest"
	"antipode/overlap"
)

// question is a function that answers a question about two tokens at a finite depth.
type question func(dim int, beta float64, attention overlap.Attention, sigma float64, depth int) error

// The domains of all arguments end where the comments say, whatever function is called.
func TestDomains(t *testing.T) {
	above, nan, inf := domaintest.Above, math.NaN(), math.Inf(1)
	layers := map[string]question{
		"pair": func(dim int, beta float64, attention overlap.Attention, sigma float64, depth int) error {
			_, err := Antipodal(dim, beta, attention, sigma, depth)
			return err
		},
		"single": func(dim int, beta float64, attention overlap.Attention, sigma float64, depth int) error {
			_, err := Single(dim, beta, attention, sigma, depth)
			return err
		},
		"within": func(dim int, beta float64, attention overlap.Attention, sigma float64, depth int) error {
			_, err := Within(dim, beta, attention, sigma, depth)
			return err
		},
		"boundary": func(dim int, _ float64, attention overlap.Attention, sigma float64, depth int) error {
			_, _, err := ExpandedCriticalBeta(dim, attention, sigma, depth)
			return err
		},
		"return": func(dim int, beta float64, attention overlap.Attention, sigma float64, depth int) error {
			_, _, err := SingleReturn(dim, beta, attention, sigma, depth, 0.01)
			return err
		},
		"growth": func(dim int, beta float64, attention overlap.Attention, sigma float64, depth int) error {
			r := Isotropic{dim, beta, attention, sigma, overlap.Ginibre, 0, depth}
			_, err := r.Single()
			return err
		},
		"opposite": func(dim int, beta float64, attention overlap.Attention, sigma float64, depth int) error {
			r := Isotropic{dim, beta, attention, sigma, overlap.Ginibre, 0, depth}
			_, err := r.Antipodal()
			return err
		},
		"growth at the boundary": func(dim int, _ float64, attention overlap.Attention, sigma float64,
			depth int) error {
			r := Isotropic{dim, 0, attention, sigma, overlap.Ginibre, 0, depth}
			_, _, err := r.CriticalBeta()
			return err
		},
	}
	for what, of := range layers {
		domaintest.Check(t, what+": dimension", func(dim int) error {
			return of(dim, 1, overlap.Softmax, 0.1, 9)
		},
			[]int{2}, []int{1, 0})
		domaintest.Check(t, what+": σ", func(x float64) error { return of(3, 1, overlap.Softmax, x, 9) },
			[]float64{0.1}, []float64{0, -1, nan, inf})
		domaintest.Check(t, what+": depth", func(depth int) error {
			return of(3, 1, overlap.Softmax, 0.1, depth)
		},
			[]int{1}, []int{0, -1})
		domaintest.Check(t, what+": attention", func(a overlap.Attention) error {
			return of(3, 1, a, 0.1, 1)
		},
			[]overlap.Attention{overlap.Softmax, overlap.Unnormalized}, []overlap.Attention{2})
	}
	domaintest.Check(t, "β", func(x float64) error { return layers["single"](3, x, overlap.Softmax, 1, 1) },
		[]float64{0, overlap.MaxBeta}, []float64{domaintest.Below(0), above(overlap.MaxBeta), nan})
	domaintest.Check(t, "σ", func(x float64) error { return layers["single"](3, 1, overlap.Softmax, x, 1) },
		[]float64{domaintest.Below(1e150)}, []float64{1e150})
	domaintest.Check(t, "neighbourhood", checkNeighbourhood,
		[]float64{5e-324, 0.01}, []float64{0, -1, above(0.01), nan})
	domaintest.Check(t, "tolerance", func(x float64) error {
		_, _, err := LimitDepth(4, overlap.Softmax, 1, x)
		return err
	}, []float64{5e-324, 0.1}, []float64{0, -1, above(0.1), nan})
	domaintest.Check(t, "dimension of the depth", func(dim int) error {
		_, _, err := LimitDepth(dim, overlap.Softmax, 1, 0.1)
		return err
	}, []int{2, 3}, []int{1})

	hybrid := Hybrid{1, overlap.Softmax, 1, Gaussian, 100}
	domaintest.Check(t, "hybrid model", func(h Hybrid) error { return h.check(0.01) }, []Hybrid{
		hybrid, {0, overlap.Softmax, 0, Gaussian, 1},
		{overlap.MaxBeta, overlap.Softmax, overlap.MaxEpsilon, Rademacher, 1},
		{709, overlap.Unnormalized, 1, Uniform, 1},
	}, []Hybrid{
		{domaintest.Below(0), overlap.Softmax, 0, Gaussian, 1}, {1, overlap.Softmax,
			above(overlap.MaxEpsilon), 3, 1},
		{1, overlap.Softmax, 1, -1, 1}, {1, overlap.Softmax, 1, 4, 1}, {1, overlap.Softmax, 1, 0, 0},
		{710, overlap.Unnormalized, 1, Uniform, 1},
	})
	domaintest.Check(t, "neighbourhood of the hybrid model", hybrid.check,
		[]float64{5e-324, 0.01}, []float64{0, above(0.01), nan})
}

// In three dimensions every depth leaves the boundary at β = 0, and in two there is none.
func TestDepthWithoutABoundary(t *testing.T) {
	for _, dim := range []int{2, 3} {
		if depth, ok, err := LimitDepth(dim, overlap.Softmax, 1, 0.1); depth != 0 || ok || err != nil {
			t.Errorf("dimension %d: %v, %v, %v", dim, depth, ok, err)
		}
		beta, ok, err := ExpandedCriticalBeta(dim, overlap.Softmax, 1, 5)
		if beta != 0 || ok != (dim == 3) || err != nil {
			t.Errorf("dimension %d: %v, %v, %v", dim, beta, ok, err)
		}
	}
}
