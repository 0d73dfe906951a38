package harmonics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sphere"
)

// The shares of e^β sum to 1, and the eigenvalues are those of the power series of the Bessel functions,
// Γ(d/2) (2/β)^{d/2-1} I_{n+d/2-1}(β) = Γ(d/2) (β/2)^n Σ_k (β²/4)^k / (k! Γ(n+d/2+k)).
func TestEigenvaluesAreBesselFunctions(t *testing.T) {
	for _, dim := range []int{2, 3, 4, 7} {
		for _, beta := range []float64{0.3, 2, 9, 31} {
			values, tail := eigenvalues(dim, beta)
			shares := tail
			for n, got := range values {
				shares += got * count(dim, n)
				half := float64(dim) / 2
				ratio, _ := math.Lgamma(half)
				below, _ := math.Lgamma(float64(n) + half)
				term := math.Exp(ratio - below + float64(n)*math.Log(beta/2) - beta)
				want := term
				for k := 1.0; k < 150; k++ {
					term *= beta * beta / 4 / (k * (float64(n) + half + k - 1))
					want += term
				}
				if !(math.Abs(got-want) <= 1e-12*want) {
					t.Errorf("d=%d, β=%v: a_%d is %v, want %v", dim, beta, n, got, want)
				}
			}
			if !(math.Abs(shares-1) <= 1e-14) || tail > largestTail {
				t.Errorf("d=%d, β=%v: shares are %v in all, %.2g beyond the last", dim, beta, shares, tail)
			}
		}
	}
	if values, tail := eigenvalues(3, 0); len(values) != 1 || values[0] != 1 || tail != 0 {
		t.Errorf("β=0: %v, %v", values, tail)
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		dim  int
		want [4]float64
	}{
		{2, [4]float64{1, 2, 2, 2}}, {3, [4]float64{1, 3, 5, 7}}, {4, [4]float64{1, 4, 9, 16}},
		{5, [4]float64{1, 5, 14, 30}},
	} {
		for n, want := range c.want {
			if got := count(c.dim, n); got != want {
				t.Errorf("d=%d: %v harmonics of degree %d, want %v", c.dim, got, n, want)
			}
		}
	}
}

func randomPoints(r *rand.Rand, n, d int) kernels.Matrix {
	x := kernels.NewMatrix(n, d)
	for i := range n {
		for k := range x.Numbers(i) {
			x.Numbers(i)[k] = r.NormFloat64()
		}
		sphere.Normalize(x.Numbers(i), x.Numbers(i))
	}
	return x
}

// One point y of mass m gives the sum m e^{β(⟨x,y⟩-1)} at every point x, and the vector sum that times y:
// also at x = y, at x = -y, and at points with one or more coordinates 0. The error is at most 1.5e-15 m plus
// β times the effect of rounded coordinates on the inner product.
func TestSumsOfOnePoint(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	const n, mass = 40, 3.5
	for _, d := range []int{2, 3, 4} {
		for _, beta := range []float64{0, 0.2, 1.7, 8, 40} {
			if d > 3 && beta > 10 {
				continue
			}
			e := New(d, beta)
			if e.Numbers() != Numbers(d, beta) {
				t.Fatalf("d=%d, β=%v: %d moments, predicted %d", d, beta, e.Numbers(), Numbers(d, beta))
			}
			b := NewBlock(e)
			moments, weights := make([]float64, e.Moments()), make([]float64, e.Numbers())
			x, sums := randomPoints(r, n, d), kernels.NewMatrix(n, d)
			for c := range d {
				clear(x.Numbers(c))
				x.Numbers(c)[c] = 1
			}
			for _, source := range []int{0, d - 1, d} {
				for c, v := range x.Numbers(source) {
					x.Numbers(n - 1)[c] = -v
				}
				clear(moments)
				b.AddMoments(moments, x.Part(source, source+1, d), []kernels.Vector{{mass}})
				e.Weigh(weights, moments)
				totals := b.Sums(sums.Part(0, n, d), weights, x.Part(0, n, d))
				for i := range n {
					want := mass * math.Exp(beta*(sphere.Dot(x.Numbers(i), x.Numbers(source))-1))
					for c, y := range append([]float64{1}, x.Numbers(source)...) {
						got := append([]float64{totals[i]}, sums.Numbers(i)...)[c]
						bound := 1.5e-15*mass + 5e-16*beta*want
						if !(math.Abs(got-want*y) <= bound) {
							t.Fatalf("d=%d, β=%v: sum %d at point %d is %v, want %v", d, beta, c, i, got,
								want*y)
						}
					}
				}
			}
		}
	}
}

// Points give the same moments, and have the same sums, to the bit, one at a time and together, also in
// blocks that are not full.
func TestPointsTogetherAreAsEachAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 3))
	for _, d := range []int{2, 3, 4} {
		e := New(d, 3)
		together, alone := NewBlock(e), NewBlock(e)
		for _, n := range []int{Together, 1, 7, 8, 9, 130, Together - 1} {
			x, masses := randomPoints(r, n, d), make([]kernels.Vector, kernels.Width(n))
			for i := range n {
				kernels.Numbers(masses)[i] = 1 + r.Float64()
			}
			moments, want := make([]float64, e.Moments()), make([]float64, e.Moments())
			together.AddMoments(moments, x.Part(0, n, d), masses)
			for i := range n {
				alone.AddMoments(want, x.Part(i, i+1, d), []kernels.Vector{{kernels.Numbers(masses)[i]}})
			}
			sums, each := kernels.NewMatrix(n, d), kernels.NewMatrix(n, d)
			weights := make([]float64, e.Numbers())
			e.Weigh(weights, want)
			totals := slices.Clone(together.Sums(sums.Part(0, n, d), weights, x.Part(0, n, d)))
			for i := range n {
				total := alone.Sums(each.Part(i, i+1, d), weights, x.Part(i, i+1, d))
				if len(totals) != n || totals[i] != total[0] {
					t.Fatalf("d=%d, %d points: %v of them, %v alone", d, n, totals, total)
				}
			}
			if !slices.Equal(moments, want) || !slices.Equal(sums.All(), each.All()) {
				t.Errorf("d=%d, %d points: other moments or sums than each alone", d, n)
			}
		}
	}
}

// BenchmarkSums times the moments and the sums of a block, and reports the time of a point.
func BenchmarkSums(b *testing.B) {
	r := rand.New(rand.NewPCG(31, 2))
	for _, c := range []struct {
		dim  int
		beta float64
	}{{2, 5}, {3, 5}, {4, 3}} {
		b.Run(fmt.Sprintf("d=%d,β=%g", c.dim, c.beta), func(b *testing.B) {
			e := New(c.dim, c.beta)
			block := NewBlock(e)
			moments, weights := make([]float64, e.Moments()), make([]float64, e.Numbers())
			x, masses := randomPoints(r, Together, c.dim), make([]kernels.Vector, vectors)
			sums := kernels.NewMatrix(Together, c.dim)
			for b.Loop() {
				block.AddMoments(moments, x.Part(0, Together, c.dim), masses)
				block.Sums(sums.Part(0, Together, c.dim), weights, x.Part(0, Together, c.dim))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Together, "ns/point")
		})
	}
}
