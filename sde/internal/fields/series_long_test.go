//go:build long

package fields

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sphere"
)

// opposed is tokens that are all in one place, exactly or to 10^-9, but for one that is opposite.
func opposed(r *rand.Rand, n, d int) (kernels.Matrix, []float64) {
	x, masses := unit(r, n, d), make([]float64, n)
	width := []float64{0, 1e-9}[r.IntN(2)]
	for i := range n {
		masses[i] = 1
		token, pole := x.Numbers(i), x.Numbers(0)
		if i == 0 {
			continue
		}
		sign := 1.0
		if i == n-1 {
			sign = -1
		}
		for c := range token {
			token[c] = sign*pole[c] + float64(width*token[c])
		}
		sphere.Normalize(token, token)
	}
	return x, masses
}

// The largest error of a row in a thousand configurations of two to four dimensions and β from 0 to 50, each
// uniform, against sums that lose no digits: a fifth of them with all tokens in one place but one opposite.
func TestSeriesOfAThousandConfigurations(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 8))
	var worst [MostSeriesDimensions + 1]float64
	for round := range 1000 {
		a := Attention{Beta: LargestSeriesBeta * r.Float64(), Softmax: r.IntN(2) == 0, Dim: 2 + round%3,
			Count: 2 + r.IntN(120)}
		if round >= 996 {
			a.Beta = LargestSeriesBeta
		}
		draw := gathered
		if round%5 == 0 {
			draw = opposed
		}
		x, masses := draw(r, a.Count, a.Dim)
		sums := kernels.NewMatrix(a.Count, a.Dim)
		factors := seriesOf(a, 1).Sum(&sums, &x, masses)
		for i := range a.Count {
			total, field := accurate(a, &x, masses, i)
			factor := 1 / total
			if !a.Softmax {
				factor = math.Exp(a.Beta) / float64(a.Count)
			}
			for c, want := range field {
				got := sums.Numbers(i)[c] * factors[i]
				worst[a.Dim] = max(worst[a.Dim], math.Abs(got-want*factor)/(total*factor))
			}
		}
	}
	for d := 2; d <= MostSeriesDimensions; d++ {
		if t.Logf("d = %d: largest error %.2g of a row's weight", d, worst[d]); !(worst[d] <= Accuracy) {
			t.Errorf("d = %d: largest error %.2g of a row's weight, want %g at most", d, worst[d], Accuracy)
		}
	}
}
