package sphere

import (
	"math"
	"math/rand/v2"
	"testing"
)

func unit(r *rand.Rand, d int) []float64 {
	x := gaussians(r, d)
	Normalize(x, x)
	return x
}

func distance(x, y []float64) float64 {
	s := 0.0
	for k := range x {
		s += (x[k] - y[k]) * (x[k] - y[k])
	}
	return math.Sqrt(s)
}

func TestProject(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, d := range []int{1, 2, 5, 50} {
		for range 200 {
			x, y, w := unit(r, d), gaussians(r, d), gaussians(r, d)
			p, q, pp := make([]float64, d), make([]float64, d), make([]float64, d)
			Project(p, x, y)
			Project(q, x, w)
			Project(pp, x, p)
			size := 1e-15 * float64(d+10)
			if e := math.Abs(Dot(x, p)); e > size {
				t.Errorf("d=%d: projection not tangent, %g", d, e)
			}
			if e := distance(p, pp); e > size {
				t.Errorf("d=%d: projecting twice moves by %g", d, e)
			}
			if e := math.Abs(Dot(p, w) - Dot(y, q)); e > 10*size {
				t.Errorf("d=%d: not self-adjoint, %g", d, e)
			}
		}
	}
}

func TestExponentialClosedForms(t *testing.T) {
	x, dst := []float64{1, 0, 0}, make([]float64, 3)
	for _, angle := range []float64{0, 5e-324, 1e-300, 1e-9, 0.3, 1, math.Pi / 2, 3, 10, 1e5} {
		Exponential(dst, x, []float64{0, 0, angle})
		if math.Abs(dst[0]-math.Cos(angle)) > 1e-15 || dst[1] != 0 ||
			math.Abs(dst[2]-math.Sin(angle)) > 1e-15 {
			t.Errorf("angle %g: %v", angle, dst)
		}
	}
	Exponential(dst, x, []float64{0, math.NaN(), 0})
	if dst[0] == dst[0] {
		t.Errorf("NaN velocity: %v", dst)
	}
}

// The two maps differ by |v|³/3 to leading order: |tan - identity|.
func TestExponentialAndRetractionAgreeToSecondOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, d := range []int{2, 3, 20} {
		for range 50 {
			x, v := unit(r, d), unit(r, d)
			Project(v, x, v)
			Normalize(v, v)
			for _, h := range []float64{1e-1, 1e-2, 1e-3} {
				step := make([]float64, d)
				scale(step, v, h)
				e, q := make([]float64, d), make([]float64, d)
				Exponential(e, x, step)
				Retract(q, x, step)
				if ratio := distance(e, q) / (h * h * h / 3); !(math.Abs(ratio-1) <= 0.01+1e-15/(h*h*h)) {
					t.Errorf("d=%d, h=%g: difference is %.4f·h³/3", d, h, ratio)
				}
			}
		}
	}
}

func TestExponentialKeepsNormOverManySteps(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	const d = 5
	x, v := unit(r, d), make([]float64, d)
	for range 20_000 {
		Project(v, x, gaussians(r, d))
		Exponential(x, x, v)
		if e := math.Abs(normError(x)); e > 4+math.Sqrt(d) {
			t.Fatalf("norm off by %.2f·2^-53", e)
		}
	}
}
