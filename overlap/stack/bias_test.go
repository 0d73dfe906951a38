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
	if want := s.Spread() * s.Spread(); !(math.Abs(xx/want-1) <= 0.04) || !(math.Abs(yy/want-1) <= 0.04) {
		t.Errorf("variances %g and %g, want %g", xx, yy, want)
	}
	if got, want := xy/math.Sqrt(xx*yy), s.rowCorrelation(rho, 1, 1); !(math.Abs(got-want) <= 0.025) {
		t.Errorf("correlation %g, want %g", got, want)
	}
}

// The output of attention with equal weights is a mean of values. Biases of values are added to it,
// multiplied by the map that mixes the heads, and those of that map, unless there is none.
func TestBiasesOfTheAttentionOutput(t *testing.T) {
	for _, c := range []struct {
		unmixed, unbiased bool
		bias              float64
	}{{false, false, 0.6*0.3 + 0.3}, {true, false, 0.3}, {false, true, 0}, {true, true, 0}} {
		s := usual()
		s.Norm, s.Layers, s.QueryKey2, s.BranchMLP, s.SkipMLP = PreNorm, 1, 0, 0, 1
		s.Bias2, s.Unmixed, s.AttentionUnbiased = 0.3, c.unmixed, c.unbiased
		mean := (1 + 10*0.1) / 11
		square := 0.9*0.9 + 0.8*0.8*(0.6*0.5*mean+c.bias)
		inner := 0.9*0.9*0.1 + 0.8*0.8*(0.6*0.5*mean+c.bias)
		layer := forward(t, s)[1]
		if !(math.Abs(layer.Square-square) <= 1e-14) || !(math.Abs(layer.Cosine-inner/square) <= 1e-14) {
			t.Errorf("%+v: %v and %v, want %v and %v", c, layer.Square, layer.Cosine, square, inner/square)
		}
	}
}
