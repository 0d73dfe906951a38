package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sphere/activation"
	"antipode/sphere/elementary"
)

// arguments returns numbers of all kinds: special ones, the ends of the branches of the functions and their
// neighbours, and numbers with random bits or exponents, and small ones.
func arguments(n int) []Vector {
	edges := []float64{
		0, 1, 2, 0.5, math.Sqrt2, math.Sqrt2 / 2, 40, 60, 52 * math.Ln2, 53 * math.Ln2, 36.04, 37,
		708.4, 745.14,
		709.782712893384, 0x1.62e42fefa39efp+9, 0x1.74910d52d3052p+9,
		0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp-1023,
		math.MaxFloat64, math.Inf(1), math.NaN(),
		0x1p54, 0x1p-54, math.Ln2 / 2, 1.5 * math.Ln2, 1000, 1e300, 1e-300,
	}
	var numbers []float64
	for _, x := range edges {
		for _, y := range []float64{x, math.Nextafter(x, math.Inf(1)), math.Nextafter(x, math.Inf(-1))} {
			numbers = append(numbers, y, -y)
		}
	}
	r := rand.New(rand.NewPCG(10, 1))
	for len(numbers) < n {
		numbers = append(numbers,
			math.Float64frombits(r.Uint64()), math.Ldexp(r.Float64()-0.5, r.IntN(140)-129),
			1500*(r.Float64()-0.5), 80*(r.Float64()-0.5), 2*r.Float64())
	}
	return vectors(numbers)
}

// vectors fills Vectors, the last with zeros at its end.
func vectors(numbers []float64) []Vector {
	v := make([]Vector, (len(numbers)+7)/8)
	for k, x := range numbers {
		v[k/8][k%8] = x
	}
	return v
}

func TestFunctionsHaveTheBitsOfElementary(t *testing.T) {
	src := arguments(1_000_000)
	want := make([]Vector, len(src))
	expGeneric(want, src)
	withEach(t, func(t *testing.T) {
		got := make([]Vector, len(src))
		Exp(got, src)
		sameBits(t, "exponentials", got, want)
	})
}

// The functions of slices have the bits of those of package elementary, for every length, and do not change
// what lies past the end.
func TestFunctionsOfSlices(t *testing.T) {
	numbers := Numbers(arguments(10_000))
	var finite, ordinary []float64 // those, and 2 less than those that have a logarithm of their own
	for _, x := range numbers {
		if math.Abs(x) <= 1e300 {
			finite = append(finite, x)
		}
		if x >= 0x1p-1022 && x <= math.MaxFloat64 && x-2+2 == x {
			ordinary = append(ordinary, x-2)
		}
	}
	for _, f := range []struct {
		name    string
		src     []float64
		kernel  func(numbers []float64)
		scalar  func(x float64) float64
		smaller float64 // than this are 0
	}{
		{"exponentials", numbers, func(x []float64) { Exponentials(x, 1) }, elementary.Exp, SmallestWeight},
		{"powers", numbers, func(x []float64) { Exponentials(x, -0.7) },
			func(x float64) float64 { return elementary.Exp(-0.7 * x) }, SmallestWeight},
		{"logarithms", ordinary, func(x []float64) { Logarithms(x, 2) },
			func(x float64) float64 { return elementary.Log(x + 2) }, math.Inf(-1)},
		{"tanhs", finite, func(x []float64) { Activate(activation.Tanh, x, 0.7) },
			func(x float64) float64 { return activation.Tanh.At(0.7 * x) }, math.Inf(-1)},
		{"error functions", finite, func(x []float64) { Activate(activation.Erf, x, 1.5) },
			func(x float64) float64 { return elementary.Erf(1.5 * x) }, math.Inf(-1)},
	} {
		withEach(t, func(t *testing.T) {
			for first, n := 0, 0; first+n < len(f.src); first, n = first+n, (n+1)%30 {
				got := make([]float64, n+1)
				copy(got, f.src[first:first+n])
				got[n] = 0.25
				f.kernel(got[:n])
				for k, x := range f.src[first : first+n] {
					want := f.scalar(x)
					if want < f.smaller {
						want = 0
					}
					same := math.Float64bits(got[k]) == math.Float64bits(want)
					if !same && !(math.IsNaN(got[k]) && math.IsNaN(want)) {
						t.Fatalf("%s: of %v, number %d of %d: %v, want %v",
							f.name, x, k, n, got[k], want)
					}
				}
				if got[n] != 0.25 {
					t.Fatalf("%s: %d numbers were %d", f.name, n+1, n)
				}
			}
		})
	}
}

func BenchmarkFunctions(b *testing.B) {
	numbers := make([]float64, 512)
	v := vectors(numbers)
	for name, function := range map[string]func(){
		"Exp":          func() { Exp(v, v) },
		"Exponentials": func() { Exponentials(numbers, -1) },
		"Logarithms":   func() { Logarithms(numbers, 20) },
	} {
		b.Run(name, func(b *testing.B) {
			benchmarkEach(b, func(b *testing.B) {
				for range b.N {
					for k := range numbers {
						numbers[k] = float64(k) / 16
					}
					function()
				}
				perLane(b, len(numbers), "ns/number")
			})
		})
	}
}
