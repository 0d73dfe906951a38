package stack

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The scores of two tokens of cosine 0.3 with a third, for queries with biases, have the variance and the
// correlation of 40,000 random matrices. With probability 1-1e-6 over seeds, such a sample variance is
// within 4 % and the correlation within 0.025.
func TestScoresWithBiases(t *testing.T) {
	const rho, dim, keys, count = 0.3, 6, 24, 40_000
	s := usual()
	s.QueryKey2, s.Bias2 = 0.7, 0.5
	random := rand.New(rand.NewPCG(1, 2))
	x, y := make([]float64, dim), make([]float64, dim)
	root := math.Sqrt(dim)
	x[0], y[0], y[1] = root, rho*root, math.Sqrt(1-rho*rho)*root
	weight, bias := math.Sqrt(s.QueryKey2/dim), math.Sqrt(s.Bias2)
	var xx, xy, yy float64
	for range count {
		var scoreX, scoreY float64
		for range keys {
			queryX := bias * random.NormFloat64()
			queryY := queryX
			for k := range 2 { // both tokens have 0 in all other coordinates
				w := weight * random.NormFloat64()
				queryX, queryY = queryX+w*x[k], queryY+w*y[k]
			}
			key := weight * root * random.NormFloat64()
			scoreX += queryX * key / math.Sqrt(keys)
			scoreY += queryY * key / math.Sqrt(keys)
		}
		xx, xy, yy = xx+scoreX*scoreX/count, xy+scoreX*scoreY/count, yy+scoreY*scoreY/count
	}
	if want := s.Spread() * s.Spread(); math.Abs(xx/want-1) > 0.04 || math.Abs(yy/want-1) > 0.04 {
		t.Errorf("variances %g and %g, want %g", xx, yy, want)
	}
	if got, want := xy/math.Sqrt(xx*yy), s.rowCorrelation(rho); math.Abs(got-want) > 0.025 {
		t.Errorf("correlation %g, want %g", got, want)
	}
}
