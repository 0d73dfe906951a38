package lanes

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/kernels"
)

// scatteredRows is rows of dimension d in clusters: each row is a point of norm about 1 and, at a distance
// from it that is anywhere between 10^-15 and 1, another direction; or what an earlier row is.
func scatteredRows(r *rand.Rand, n, d int) kernels.Matrix {
	a := kernels.NewMatrix(n, d)
	for i := range n {
		row := a.Numbers(i)
		switch kind := r.IntN(8); {
		case i > 0 && kind == 0:
			copy(row, a.Numbers(r.IntN(i)))
			continue
		case i > 0 && kind < 6:
			copy(row, a.Numbers(r.IntN(i)))
			distance := math.Pow(10, -15*r.Float64()) / math.Sqrt(float64(d))
			for k := range row {
				row[k] += distance * r.NormFloat64()
			}
		default:
			for k := range row {
				row[k] = r.NormFloat64() / math.Sqrt(float64(d))
			}
		}
	}
	return a
}

func distance(x, y []float64) float64 {
	square := 0.0
	for k, v := range x {
		square += (v - y[k]) * (v - y[k])
	}
	return math.Sqrt(square)
}

// The coefficients of two rows are as far apart as the rows, with relative precision down to rounding errors
// (and what 2^12, the condition of the directions of a round, makes of them), and equal bit for bit if these
// are; that, and their lengths, is all that the law of V A depends on.
func TestSpanKeepsDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	several, triangular := 0, 0
	for range 400 {
		d := 2 + r.IntN(80)
		n := 1 + r.IntN(d)
		a := scatteredRows(r, n, d)
		if r.IntN(4) == 0 { // all far apart
			for i := range n {
				for k := range d {
					a.Numbers(i)[k] = r.NormFloat64()
				}
			}
		}
		s := newSpan(n, d, products.New(1), team.New(1))
		columns := s.factorise(&a, n)
		if s.triangular {
			triangular++
		} else if columns > 1 {
			several++
		}
		z := kernels.NewMatrix(columns, columns) // the identity: C itself comes out
		for k := range columns {
			z.Numbers(k)[k] = 1
		}
		c := kernels.NewMatrix(n, columns)
		s.multiply(&c, z.General(columns, columns))
		origin, none := make([]float64, d), make([]float64, columns)
		for i := range n {
			want, got := distance(a.Numbers(i), origin), distance(c.Numbers(i), none)
			if !(math.Abs(got-want) <= 1e-13*want) {
				t.Fatalf("N=%d, d=%d: row %d of length %v has coefficients of length %v", n, d, i, want, got)
			}
			for j := range i {
				want, got := distance(a.Numbers(i), a.Numbers(j)), distance(c.Numbers(i), c.Numbers(j))
				if !(math.Abs(got-want) <= 1e-6*want+1e-12) || want == 0 && got != 0 {
					t.Fatalf("N=%d, d=%d: rows %d and %d at distance %v have coefficients at %v",
						n, d, i, j, want, got)
				}
			}
		}
	}
	if several < 100 || triangular < 50 {
		t.Errorf("%d matrices in several rounds, %d in one", several, triangular)
	}
}
