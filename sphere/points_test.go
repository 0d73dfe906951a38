package sphere

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sphere/must"
)

// standardErrors returns the distance of the mean of values from want, in standard errors.
func standardErrors(values []float64, want float64) float64 {
	mean, square := 0.0, 0.0
	for _, v := range values {
		mean += v
		square += v * v
	}
	n := float64(len(values))
	mean /= n
	return (mean - want) / math.Sqrt((square/n-mean*mean)/n)
}

// coordinateErrors tests points of dimension d by moments of the uniform law on the sphere: E x_k = 0, E
// x_k⁴ = 3/(d(d+2)), E x_1²x_2² = 1/(d(d+2)). Second moments are not enough: normalised points of a cube
// have them too.
func coordinateErrors(d, draws int, draw func(x []float64)) (worst float64) {
	x := make([]float64, d)
	first, fourth, mixed := make([]float64, draws), make([]float64, draws), make([]float64, draws)
	for i := range draws {
		draw(x)
		first[i] = x[d-1]
		fourth[i] = x[0] * x[0] * x[0] * x[0]
		mixed[i] = x[0] * x[0] * x[1] * x[1]
	}
	q := float64(d * (d + 2))
	return max(math.Abs(standardErrors(first, 0)), math.Abs(standardErrors(fourth, 3/q)),
		math.Abs(standardErrors(mixed, 1/q)))
}

// 5 standard errors in 3 moments for 4 dimensions: a false alarm for about one seed in 10^5.
func TestUniformMoments(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, d := range []int{2, 3, 4, 10} {
		if e := coordinateErrors(d, 100_000, func(x []float64) { Uniform(x, d, r.NormFloat64) }); e > 5 {
			t.Errorf("d=%d: %.1f standard errors", d, e)
		}
		cube := func(x []float64) {
			for k := range x {
				x[k] = 2*r.Float64() - 1
			}
			Normalize(x, x)
		}
		if e := coordinateErrors(d, 100_000, cube); e < 8 {
			t.Errorf("d=%d: a normalised cube is only %.1f standard errors off: no power", d, e)
		}
	}
}

// For d = 3 a coordinate is uniform on [-1, 1] (Archimedes). Kolmogorov-Smirnov test with 10^5 points,
// with false-alarm rate 2·exp(-2·2.6²) = 3e-6.
func TestUniformLawOfACoordinate(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	const n, bins = 100_000, 1000
	counts := make([]int, bins)
	x := make([]float64, 3)
	for range n {
		Uniform(x, 3, r.NormFloat64)
		counts[min(bins-1, int((x[1]+1)/2*bins))]++
	}
	sum, worst := 0, 0.0
	for k, c := range counts {
		sum += c
		worst = max(worst, math.Abs(float64(sum)/n-float64(k+1)/bins))
	}
	if worst*math.Sqrt(n) > 2.6 {
		t.Errorf("distance %.4f", worst)
	}
}

func TestUniformRedrawsTheZeroVector(t *testing.T) {
	k := 0
	x := make([]float64, 1)
	Uniform(x, 1, func() float64 { k++; return float64(k / 3) })
	if x[0] != 1 || k != 3 {
		t.Errorf("x = %v after %d draws", x, k)
	}
}

func TestPair(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	for _, d := range []int{1, 2, 3, 50} {
		x := make([]float64, 2*d)
		for _, z := range []float64{-1, -0.999999, -0.3, 0, 1e-9, 0.5, 1 - 1e-12, 1} {
			err := Pair(x, d, z, r.NormFloat64)
			if d == 1 && math.Abs(z) != 1 {
				if err == nil {
					t.Errorf("d=1, overlap %v accepted", z)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(Dot(x[:d], x[d:])-z) > 1e-15 ||
				math.Abs(normError(x[:d])) > 4+math.Sqrt(float64(d)) ||
				math.Abs(normError(x[d:])) > 4+math.Sqrt(float64(d)) {
				t.Errorf("d=%d: overlap %v, want %v", d, Dot(x[:d], x[d:]), z)
			}
			for k := range d {
				if math.Abs(z) == 1 && x[d+k] != z*x[k] {
					t.Errorf("d=%d, overlap %v: tokens are not exact", d, z)
				}
			}
		}
		for _, z := range []float64{1.0000001, -2, math.NaN(), math.Inf(1)} {
			if Pair(x, d, z, r.NormFloat64) == nil {
				t.Errorf("overlap %v accepted", z)
			}
		}
	}
}

// At overlap 0 the second token is uniform too; 5 standard errors in 3 moments.
func TestPairDirectionIsUniform(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, d := range []int{2, 4} {
		x := make([]float64, 2*d)
		if e := coordinateErrors(d, 100_000, func(y []float64) {
			must.Do(t, Pair(x, d, 0, r.NormFloat64))
			copy(y, x[d:])
		}); e > 5 {
			t.Errorf("d=%d: %.1f standard errors", d, e)
		}
	}
}

// A second token that is nearly parallel to the first one is drawn again.
func TestPairRedrawsAParallelDirection(t *testing.T) {
	numbers := []float64{1, 0, 1, 1e-9, 0, -1}
	x := make([]float64, 4)
	must.Do(t, Pair(x, 2, 0, func() float64 { v := numbers[0]; numbers = numbers[1:]; return v }))
	if len(numbers) != 0 || x[2] != 0 || x[3] != -1 {
		t.Errorf("tokens %v, %d numbers left", x, len(numbers))
	}
}
