package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sphere/elementary"
)

// arguments are numbers of all kinds: special ones, the edges of the functions'
// branches and their neighbours, and random bits, exponents and small numbers.
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
	for name, c := range map[string]struct {
		scalar func(float64) float64
		kernel func(dst, src []Vector)
	}{
		"Exp": {elementary.Exp, Exp}, "Log": {elementary.Log, Log},
	} {
		want := make([]Vector, len(src))
		each(c.scalar, want, src)
		withEach(t, func(t *testing.T) {
			got := make([]Vector, len(src))
			c.kernel(got, src)
			for v := range src {
				for k, x := range src[v] {
					g, w := got[v][k], want[v][k]
					if math.Float64bits(g) != math.Float64bits(w) && (g == g || w == w) {
						t.Fatalf("%s(%v) = %v, want %v", name, x, g, w)
					}
				}
			}
		})
	}
}

func BenchmarkFunctions(b *testing.B) {
	src, dst := make([]Vector, 64), make([]Vector, 64)
	for name, kernel := range map[string]func(dst, src []Vector){"Exp": Exp, "Log": Log} {
		for v := range src {
			for k := range src[v] {
				src[v][k] = float64(v*8+k) / 16
			}
		}
		b.Run(name, func(b *testing.B) {
			benchmarkEach(b, func(b *testing.B) {
				for range b.N {
					kernel(dst, src)
				}
				perLane(b, 8*len(src), "ns/number")
			})
		})
	}
}
