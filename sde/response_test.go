package sde

import (
	"math"
	"testing"
)

func respondingCell(dim int, beta, sigma float64, depth int, attention Attention) Cell {
	return Cell{Model: Transformer{Law: Gaussian, Sigma: sigma}, Method: Chain, Attention: attention, Tokens: 2,
		Dim: dim, Beta: beta, Depth: depth, Start: UniformStart{}}
}

// The derivative of u along a path is that of differences of paths with the same noise.
func TestResponsesAlongAPath(t *testing.T) {
	for _, attention := range []Attention{Softmax, Unnormalized} {
		at := func(beta, sigma float64) *responseWalk {
			w := newResponseWalk(&Responses{Cell: respondingCell(3, beta, sigma, 20, attention), Layers: 40,
				Tolerance: 0.1})
			w.stream = respondingCell(3, 1, 1, 20, Softmax).stream(5) // the same noise
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
				if math.Abs(w.by[p]-want) > 1e-5*max(1, math.Abs(want)) {
					t.Errorf("%v, trajectory %d, parameter %d: %v, differences %v", attention, k, p, w.by[p], want)
				}
			}
		}
	}
}
