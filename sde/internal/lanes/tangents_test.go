package lanes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sde/internal/attention"
	"antipode/sde/internal/fields"
	"antipode/sde/internal/increments"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/runtest"
	"antipode/sde/internal/steppers"
	"antipode/sphere"
	"antipode/sphere/invariant"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/floats"
)

// halves is a lane of tangent vectors at two opposite clusters of three tokens each in R⁴.
func halves(softmax bool, sigma float64, v invariant.Covariance, depth int) (*tangents, attention.Settings) {
	const tokens, dim, beta = 6, 4, 0.9
	settings := attention.Settings{
		Attention: fields.Attention{Beta: beta, Softmax: softmax, Count: tokens, Dim: dim}}
	p := Process{Count: tokens, Dim: dim, Beta: beta, Softmax: softmax, Stream: kernels.NewStream(1, 7),
		Start: func(x []float64, d int, _ int64, normal func() float64) error {
			sphere.Uniform(x[:d], d, normal)
			for k := d; k < len(x); k++ {
				if x[k] = x[k%d]; k >= len(x)/2 {
					x[k] = -x[k]
				}
			}
			return nil
		}}
	draw := func(increment []float64, stream kernels.Stream, trajectory, layer int64) {
		increments.Gaussian.Draw(increment, sigma, stream, trajectory, layer)
		increments.Mix(v, increment)
	}
	l := NewTangents(p, attention.New(settings), draw, 1/math.Sqrt(float64(depth)), 1)
	return l.(*tangents), settings
}

// A step of the tangent vectors is the central difference of a step of the tokens displaced along them,
// before they are put back into their spaces: here compared within these, which a layer does not leave.
func TestTangentsAreTheDerivativeOfALayer(t *testing.T) {
	const h = 1e-5
	r := rand.New(rand.NewPCG(12, 1))
	for _, softmax := range []bool{true, false} {
		for _, v := range []invariant.Covariance{{}, {A: 0.8, B: 0.6, C: 0.3}} {
			const dim, depth = 4, 20
			l, settings := halves(softmax, 1.2, v, depth)
			must.Do(t, l.Start(0, r.Int64N(1000)))
			s := &l.states[0]
			for mode, vector := range s.vectors { // of several directions
				for i := 0; i < len(vector); i += dim {
					for k := range dim {
						vector[i+k] = r.NormFloat64()
					}
					sphere.Project(vector[i:i+dim], s.tokens[:dim], vector[i:i+dim])
				}
				l.confine(mode, vector)
			}
			l.draw(l.increment, l.process.Stream, 5, 7)
			before := slices.Clone(s.tokens)
			vectors := [2][]float64{slices.Clone(s.vectors[0]), slices.Clone(s.vectors[1])}
			if !l.step(s) {
				t.Fatal("no direction")
			}
			stepper := steppers.NewTransformer(attention.New(settings), depth)
			stepped := func(x []float64) []float64 {
				must.Do(t, stepper.Step(x, l.increment))
				return x
			}
			if got := stepped(slices.Clone(before)); !floats.EqualApprox(got, s.tokens, 1e-14) {
				t.Errorf("tokens %v, want %v", s.tokens, got)
			}
			for mode, vector := range vectors {
				want := stepped(runtest.Displaced(before, h, vector, dim))
				floats.Sub(want, stepped(runtest.Displaced(before, -h, vector, dim)))
				floats.Scale(1/(2*h), want)
				length := floats.Norm(want, 2)
				if got := s.growth[mode]; !(math.Abs(got-math.Log(length)) <= 1e-8) {
					t.Errorf("softmax %v, mode %d: growth %v, want %v", softmax, mode, got, math.Log(length))
				}
				floats.Scale(1/length, want)
				if !floats.EqualApprox(s.vectors[mode], want, 1e-8) {
					t.Errorf("softmax %v, mode %d: %v, want %v", softmax, mode, s.vectors[mode], want)
				}
			}
		}
	}
}

// The displacements of all tokens have one direction in common, and keep it: with several directions the mean
// growth over a finite time would be above the exponent, as the longest vector dominates.
func TestTangentsHaveOneDirection(t *testing.T) {
	const dim = 4
	l, _ := halves(true, 1, invariant.Ginibre, 20)
	must.Do(t, l.Start(0, 3))
	s := &l.states[0]
	for layer := range 40 {
		l.draw(l.increment, l.process.Stream, 5, int64(layer))
		if !l.step(s) {
			t.Fatal("no direction")
		}
		for mode, vector := range s.vectors {
			first := vector[:dim]
			for i := 0; i < len(vector); i += dim {
				v := vector[i : i+dim]
				across := sphere.Dot(first, first)*sphere.Dot(v, v) - math.Pow(sphere.Dot(first, v), 2)
				if !(sphere.Dot(v, v) > 1e-6 && math.Abs(across) < 1e-14) {
					t.Fatalf("layer %d, mode %d: %v", layer, mode, vector)
				}
			}
		}
	}
}
