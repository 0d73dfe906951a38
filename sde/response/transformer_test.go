package response

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"antipode/sde"
	"antipode/sde/internal/kernels"
	"antipode/sphere/must"
)

func respondingCell(dim int, beta, sigma float64, depth int, attention sde.Attention) sde.Cell {
	return sde.Cell{Model: sde.Transformer{Law: sde.Gaussian, Sigma: sigma}, Method: sde.Chain,
		Attention: attention, Tokens: 2, Dim: dim, Beta: beta, Depth: depth, Start: sde.UniformStart{}}
}

// The derivatives of u along a path are those by differences of paths with the same noise.
func TestTransformerAlongAPath(t *testing.T) {
	for _, attention := range []sde.Attention{sde.Softmax, sde.Unnormalized} {
		at := func(beta, sigma float64) *transformerWalk {
			cell := respondingCell(3, beta, sigma, 20, attention)
			w := newTransformerWalk(&Transformer{Cell: cell, Layers: 40, Tolerance: 0.1})
			w.stream = kernels.NewStream(5, respondingCell(3, 1, 1, 20, sde.Softmax).ID()) // the same noise
			return w
		}
		for k := range int64(20) {
			const h = 1e-5
			w := at(0.8, 0.9)
			w.run(k)
			for p, step := range [][2]float64{{h, 0}, {0, h}} {
				high, low := at(0.8+step[0], 0.9+step[1]), at(0.8-step[0], 0.9-step[1])
				high.run(k)
				low.run(k)
				want := (high.u - low.u) / (2 * h)
				if !(math.Abs(w.by[p]-want) <= 1e-5*max(1, math.Abs(want))) {
					t.Errorf("%v, trajectory %d, parameter %d: %v, differences %v", attention, k, p, w.by[p],
						want)
				}
			}
		}
	}
}

// The scores are n·W - div W, W = f'∇f/|∇f|², as computed by differences of f = (e^u A - e^-u C)/√(AC-B²).
func TestScoresOfALayer(t *testing.T) {
	const d, u, h = 3, 0.4, 1e-3
	amplitudes := [2]float64{0.3, 0.2}
	products := func(n []float64, c [2]float64) (a, b, cc float64) {
		for k := range d {
			y1, y2 := c[0]*n[k], c[1]*n[d+k]
			switch k {
			case 0:
				y1++
			case 1:
				y2++
			}
			a, b, cc = a+y1*y1, b+y1*y2, cc+y2*y2
		}
		return a, b, cc
	}
	f := func(n []float64, c [2]float64) float64 {
		a, b, cc := products(n, c)
		return (math.Exp(u)*a - math.Exp(-u)*cc) / math.Sqrt(a*cc-b*b)
	}
	moved := func(n []float64, k int, by float64) []float64 {
		n = append([]float64(nil), n...)
		n[k] += by
		return n
	}
	field := func(n []float64, parameter int) []float64 {
		w, square := make([]float64, 2*d), 0.0
		for k := range w {
			w[k] = (f(moved(n, k, 1e-4), amplitudes) - f(moved(n, k, -1e-4), amplitudes)) / 2e-4
			square += w[k] * w[k]
		}
		high, low := amplitudes, amplitudes
		high[parameter] *= 1 + 1e-5
		low[parameter] *= 1 - 1e-5
		for k := range w {
			w[k] *= (f(n, high) - f(n, low)) / 2e-5 / square
		}
		return w
	}
	random := rand.New(rand.NewPCG(40, 4))
	for range 10 {
		n := make([]float64, 2*d)
		for k := range n {
			n[k] = random.NormFloat64()
		}
		a, b, c := products(n, amplitudes)
		c1, c2 := amplitudes[0], amplitudes[1]
		shape := layerShape{a: a, b: b, c: c, up: math.Exp(u), down: math.Exp(-u), root: math.Sqrt(a*c - b*b),
			first: c1 * c1, second: c2 * c2, dim: d,
			y: [4]float64{1 + c1*n[0], c1 * n[1], c2 * n[d], 1 + c2*n[d+1]}}
		first, second := shape.scores()
		for parameter, got := range []float64{first, second} {
			want := 0.0
			for k, w := range field(n, parameter) {
				high, low := field(moved(n, k, h), parameter), field(moved(n, k, -h), parameter)
				want += n[k]*w - (high[k]-low[k])/(2*h)
			}
			if !(math.Abs(got-want) <= 1e-4*(1+math.Abs(want))) {
				t.Errorf("parameter %d: score %v, by differences %v", parameter, got, want)
			}
		}
	}
}

// The result has the same bits for any number of workers, whether or not the number of trajectories is a
// multiple of a block.
func TestTransformerDoNotDependOnWorkers(t *testing.T) {
	of := func(workers int) TransformerDerivatives {
		r := &Transformer{Cell: respondingCell(4, 1, 1, 10, sde.Softmax), Layers: 30, Trajectories: 75,
			Tolerance: 0.1, Seed: 3, Workers: workers}
		all := must.Get(r.Run(t.Context()))(t)
		return all
	}
	if one, three := of(1), of(3); one != three || one.Count == 0 ||
		one.ByBeta.Antipodal.Value == 0 || one.BySigma.Overlap.Error == 0 {
		t.Errorf("%+v, %+v", one, three)
	}
}

func TestTransformerRefuse(t *testing.T) {
	good := Transformer{Cell: respondingCell(4, 1, 1, 10, sde.Softmax), Layers: 10, Trajectories: 10,
		Tolerance: 0.1}
	for want, change := range map[string]func(*Transformer){
		"beta 0: must be positive":                 func(r *Transformer) { r.Cell.Beta = 0 },
		"trajectories 1: must be at least 2":       func(r *Transformer) { r.Trajectories = 1 },
		"layers -1: must not be negative":          func(r *Transformer) { r.Layers = -1 },
		"tolerance 1: must be between 0 and 1":     func(r *Transformer) { r.Tolerance = 1 },
		"two tokens under Gaussian value matrices": func(r *Transformer) { r.Cell.Drift = 0.5 },
		"depth 0: must be from 1":                  func(r *Transformer) { r.Cell.Depth = 0 },
		"those of two tokens under Gaussian": func(r *Transformer) {
			r.Cell.Model = sde.Hybrid{Epsilon: 1}
		},
	} {
		r := good
		change(&r)
		if _, err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
