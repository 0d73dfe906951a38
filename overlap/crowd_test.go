package overlap

import (
	"math"
	"math/rand/v2"
	"testing"
)

// At β = 0 the rate is σ²(1-1/d)²(d-2)/2, which is 0.5625 in four dimensions. On the circle, the rate for
// other β agrees with its definition, evaluated for the density 1 + 2ε cos φ.
func TestCrowdRate(t *testing.T) {
	for _, c := range []struct {
		dim               int
		beta, sigma, want float64
	}{{4, 0, 1, 0.5625}, {8, 0, 1, 147. / 64}, {8, 0, 2, 147. / 16}, {2, 0, 1, 0}} {
		got, err := CrowdRate(c.dim, c.beta, c.sigma)
		if err != nil || !(math.Abs(got-c.want) <= 1e-14*max(1, c.want)) {
			t.Errorf("%+v: %v, error %v", c, got, err)
		}
	}
	for _, beta := range []float64{0.3, 1.7} {
		got, err := CrowdRate(2, beta, 1)
		if want := leaningRate(beta); err != nil || !(math.Abs(got-want) <= 1e-6) {
			t.Errorf("β = %v: %v, want %v, error %v", beta, got, want, err)
		}
	}
	if got := besselRatio(0.5, 3); !(math.Abs(got-(1/math.Tanh(3)-1./3)) <= 1e-15) {
		t.Errorf("I_{3/2}(3)/I_{1/2}(3) is %v", got)
	}
	for _, refused := range []func() (float64, error){
		func() (float64, error) { return CrowdRate(1, 1, 1) },
		func() (float64, error) { return CrowdRate(3, -1, 1) },
		func() (float64, error) { return CrowdRate(3, 1, 0) },
	} {
		if _, err := refused(); err == nil {
			t.Error("not refused")
		}
	}
}

// leaningRate returns the rate on the circle from its definition: from the drift and the covariance of
// the change of the mean of the density 1 + 2ε cos φ, whose attention field is a sum over the circle.
func leaningRate(beta float64) float64 {
	const points, lean = 256, 1e-5
	x, weights := make([][2]float64, points), make([]float64, points)
	for i := range x {
		s, c := math.Sincos(2 * math.Pi * float64(i) / points)
		x[i], weights[i] = [2]float64{c, s}, (1+2*lean*c)/points
	}
	var drift [2]float64
	var noise [2][2][2]float64 // coefficient of dW_kl in dm_a
	for i, at := range x {
		var field [2]float64
		total := 0.0
		for j, other := range x {
			w := weights[j] * math.Exp(beta*(at[0]*other[0]+at[1]*other[1]))
			total += w
			field[0] += w * other[0]
			field[1] += w * other[1]
		}
		field[0] /= total
		field[1] /= total
		for a := range 2 {
			drift[a] -= weights[i] * (field[0]*field[0] + field[1]*field[1]) * at[a] / 2
			for k := range 2 {
				for l := range 2 {
					projected := -at[a] * at[k]
					if a == k {
						projected++
					}
					noise[a][k][l] += weights[i] * projected * field[l]
				}
			}
		}
	}
	var whole, along float64
	for a := range 2 {
		for k := range 2 {
			for l := range 2 {
				n := noise[a][k][l] / lean
				whole += n * n
				if a == 0 {
					along += n * n
				}
			}
		}
	}
	return drift[0]/lean + whole/2 - along
}

// The rate is a limit: the rate for simulated matrices of norm 1/√L at β = 0 is within 5 standard errors
// of it, for all but one seed in 10^6.
func TestCrowdRateOfMatrices(t *testing.T) {
	const dim, depth, draws = 5, 4000, 400_000
	r := rand.New(rand.NewPCG(5, 39))
	scale := 0.8 / math.Sqrt(depth)
	var sum, squares float64
	for range draws {
		square := 0.0
		for k := range dim {
			v := scale * r.NormFloat64()
			if k == 0 {
				v++
			}
			square += v * v
		}
		g := depth * math.Log(square) / 2
		sum += g
		squares += g * g
	}
	mean := sum / draws
	want, err := CrowdRate(dim, 0, 1)
	if off := (mean - want) / math.Sqrt((squares/draws-mean*mean)/draws); err != nil ||
		!(math.Abs(off) <= 5) {
		t.Errorf("%v, want %v: %.1f standard errors", mean, want, off)
	}
}
