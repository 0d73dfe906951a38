package steppers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"antipode/sphere"
	"antipode/sphere/activation"
	"antipode/sphere/must"
)

func uniformTokens(r *rand.Rand, n, d int) []float64 {
	x := make([]float64, n*d)
	sphere.Uniform(x, d, r.NormFloat64)
	return x
}

// What an MLP of any width adds has the covariance cφ̂(z), for each activation; with 40,000 layers and 4.5
// standard errors, estimated from the sample, in 42 comparisons it fails by chance once in 3,500.
func TestMLPCovariance(t *testing.T) {
	const dim, layers, c, w = 3, 40_000, 0.7, 1.5
	r := rand.New(rand.NewPCG(34, 4))
	z := 0.4
	x := []float64{1, 0, 0, z, math.Sqrt(1 - z*z), 0}
	for a := range activation.Names {
		a := activation.Activation(a)
		correlation := must.Get(activation.NewCorrelation(a, w))(t)
		for _, width := range []int{1, 4, 64} {
			f, numbers := newFeedforward(&MLP{a, c, w, width}, 2, dim), make([]float64, 2*width*dim)
			var sum, squares [2]float64
			for range layers / width {
				for k := range numbers {
					numbers[k] = r.NormFloat64()
				}
				out := f.of(x, numbers)
				for k, v := range []float64{sphere.Dot(out[:dim], out[:dim]) / dim,
					sphere.Dot(out[:dim], out[dim:]) / dim} {
					sum[k] += v
					squares[k] += v * v
				}
			}
			n := float64(layers / width)
			for k, want := range []float64{c, c * correlation.At(z)} {
				mean := sum[k] / n
				deviation := math.Sqrt((squares[k]/n - mean*mean) / n)
				if !(math.Abs(mean-want) <= 4.5*deviation) {
					t.Errorf("%v, width %d: covariance %d is %v ± %v, want %v", a, width, k, mean, deviation,
						want)
				}
			}
		}
	}
}

// Loops and products of matrices give the same MLP, and tokens that coincide get the same bits.
func TestMLPByProducts(t *testing.T) {
	const tokens, dim, width = 6, 16, 64
	r := rand.New(rand.NewPCG(34, 5))
	m := &MLP{activation.GELU, 1, 2, width}
	f, loops := newFeedforward(m, tokens, dim), newFeedforward(m, tokens, dim)
	if f.products == nil {
		t.Fatal("no products")
	}
	loops.products = nil
	x, numbers := uniformTokens(r, tokens, dim), make([]float64, 2*width*dim)
	copy(x[dim:2*dim], x[4*dim:5*dim])
	for k := range numbers {
		numbers[k] = r.NormFloat64()
	}
	got, want := f.of(x, numbers), loops.of(x, numbers)
	for k := range got {
		if !(math.Abs(got[k]-want[k]) <= 1e-13) {
			t.Errorf("entry %d: %v, want %v", k, got[k], want[k])
		}
	}
	for _, out := range [][]float64{got, want} {
		if !slices.Equal(out[dim:2*dim], out[4*dim:5*dim]) {
			t.Error("coincident tokens differ")
		}
	}
}

// An MLP that is not valid has no correlation, which is a mistake of the programmer.
func TestCorrelationOfAnInvalidMLP(t *testing.T) {
	defer func() {
		if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "steppers: variance 0") {
			t.Errorf("panic %s", got)
		}
	}()
	MLP{Activation: activation.Tanh, Strength: 1, Width: 3}.Correlation()
}
