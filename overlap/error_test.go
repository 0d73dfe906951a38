package overlap

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"antipode/sphere/must"
)

// Printed errors are compared with true errors where the scale function is elementary, at random points
// from the middle to very near the ends. It is arccos z in two dimensions, for any attention, equal
// masses and any temperature, and log(1+z) in three dimensions without attention. The rounding error of
// the expected value is allowed in addition.
func TestErrorsOfElementaryProbabilities(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	angle := func(z float64) float64 { return -2 * math.Atan2(math.Sqrt(1-z), math.Sqrt(1+z)) } // -arccos z
	point := func() float64 { return math.Tanh(12 * (r.Float64() - 0.5)) }
	worst, largest := 0.0, 0.0
	for range 3000 {
		d, scale := diffusion(t, 3, 0), math.Log1p
		if r.IntN(3) > 0 {
			attention := []Attention{Softmax, Unnormalized}[r.IntN(2)]
			d, scale = must.Get(New(2, 3*r.Float64(), attention, 0.5+r.Float64()))(t), angle
		}
		a, z0, b := point(), point(), point()
		a, z0, b = min(a, z0, b), max(min(a, z0), min(max(a, z0), b)), max(a, z0, b)
		if z0-a < 1e-9 || b-z0 < 1e-9 {
			continue
		}
		got := must.Get(d.HitFrom(z0, a, b))(t)
		want := (scale(b) - scale(z0)) / (scale(b) - scale(a))
		own := 8e-16 * (math.Abs(scale(b)) + math.Abs(scale(z0)) + math.Abs(scale(a))) / (scale(b) - scale(a))
		off := math.Abs(got.Value - want)
		if !(off <= got.Error+own) || !(got.Error < 1e-10) {
			t.Errorf("d = %d, from %v to %v before %v: %v, want %v: off by %.2g", d.Line().Dim, z0, a, b, got,
				want, off)
		}
		worst, largest = max(worst, off), max(largest, got.Error)
	}
	t.Logf("largest error %.2g, largest estimate %.2g", worst, largest)
}

// The same for points so close together that the rounding of u dominates the error. Differences of the
// scale function are computed as integrals of 1/√(1-z²) over short intervals, to the last bits.
func TestErrorsBetweenCloseEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	d := diffusion(t, 2, 1.3)
	for range 500 {
		z0 := math.Tanh(12 * (r.Float64() - 0.5))
		width := (1 - math.Abs(z0)) * math.Exp(-2-14*r.Float64())
		a, b := z0-width*r.Float64(), z0+width*r.Float64()
		if a == z0 || b == z0 {
			continue
		}
		got := must.Get(d.HitFrom(z0, a, b))(t)
		span := func(from, to float64) float64 {
			return (to - from) * quad.Fixed(func(x float64) float64 {
				z := from + x*(to-from)
				return 1 / math.Sqrt((1-z)*(1+z))
			}, 0, 1, 8, nil, 0)
		}
		want := span(z0, b) / (span(a, z0) + span(z0, b))
		if off := math.Abs(got.Value - want); !(off <= got.Error+2e-15) {
			t.Errorf("from %v to %v before %v: %v, want %v: off by %.2g", z0, a, b, got, want, off)
		}
	}
}
