package lanes

import (
	"math"

	"antipode/sde/internal/kernels"
	"antipode/sphere"
)

// gaussian returns N tokens in d dimensions, uniform at the start, under matrices of Gaussian entries of
// standard deviation sigma·L^{-1/2}, drawn on the span of the tokens.
func gaussian(n, d int, beta, sigma float64, depth int, seed uint64) Recursion {
	deviation := sigma / math.Sqrt(float64(depth))
	return Recursion{
		Process: Process{
			Count: n, Dim: d, Beta: beta, Softmax: true, Stream: kernels.NewStream(seed, 7),
			Start: func(x []float64, d int, _ int64, normal func() float64) error {
				sphere.Uniform(x, d, normal)
				return nil
			},
		},
		Draw:  func(matrix []kernels.Vector, numbers *kernels.Lanes) { numbers.Normals(matrix, sigma, 0) },
		Scale: 1 / math.Sqrt(float64(depth)), Rank: min(n, d), PairDeviation: &deviation,
	}
}

// crowd returns tokens that come together in groups.
func crowd(n, d int, seed uint64) Recursion { return gaussian(n, d, 4, 1, 10, seed) }
