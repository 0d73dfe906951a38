package matrices

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// Rows of the attention matrix are the softmax of β times the scores, and the moments are those of simple
// loops over the rows and the tokens.
func TestMomentsOfScores(t *testing.T) {
	l := ScoreLayer{Tokens: 9, Dim: 5, Rows: 4, Rho: 0.3}
	s := l.Draw(2, 1)
	for _, beta := range []float64{0, 0.7, 3} {
		attention := s.Attend(beta)
		outputs, wantParticipation := make([][]float64, l.Rows), 0.0
		for i := range outputs {
			weights, total := make([]float64, l.Tokens), 0.0
			for j := range weights {
				weights[j] = math.Exp(beta * s.scores.Data[i*l.Tokens+j])
				total += weights[j]
			}
			outputs[i] = make([]float64, l.Dim)
			for j := range weights {
				weights[j] /= total
				if got := attention.Data[i*l.Tokens+j]; !(math.Abs(got-weights[j]) <= 1e-14) {
					t.Errorf("β = %v: weight (%d, %d) is %v, want %v", beta, i, j, got, weights[j])
				}
				wantParticipation += weights[j] * weights[j] / float64(l.Rows)
				for k := range outputs[i] {
					outputs[i][k] += weights[j] * s.tokens.Data[j*l.Dim+k]
				}
			}
		}
		cosines, products, squares := 0.0, 0.0, 0.0
		for i, x := range outputs {
			squares += dot(x, x) / 4
			for _, y := range outputs[:i] {
				cosines += dot(x, y) / math.Sqrt(dot(x, x)*dot(y, y)) / 6
				products += dot(x, y) / 6
			}
		}
		participation, cosine, ratio := s.Moments()
		for k, pair := range [][2]float64{{participation, wantParticipation}, {cosine, cosines},
			{ratio, products / squares}} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-13) {
				t.Errorf("β = %v, moment %d: %v, want %v", beta, k, pair[0], pair[1])
			}
		}
	}
}

// Coordinates of tokens have variance 1 and correlation ρ, and differences of the scores of two other tokens
// in a row have variance 2(1-ρ) log T at β = 1: within 5 standard errors of 300 samples, which fails by
// chance for one seed in 500,000.
func TestLawOfScores(t *testing.T) {
	l := ScoreLayer{Tokens: 20, Dim: 12, Rows: 6, Rho: 0.4}
	var squares, products, differences []float64
	for sample := range int64(300) {
		s := l.Draw(3, sample)
		x := s.tokens.Data
		squares = append(squares, dot(x[:l.Dim], x[:l.Dim])/12)
		products = append(products, dot(x[:l.Dim], x[l.Dim:2*l.Dim])/12)
		mean := 0.0
		for i := range l.Rows {
			for j := l.Rows; j < l.Tokens; j += 2 {
				difference := s.scores.Data[i*l.Tokens+j] - s.scores.Data[i*l.Tokens+j+1]
				mean += difference * difference / 42
			}
		}
		differences = append(differences, mean)
	}
	for name, c := range map[string]struct {
		values []float64
		want   float64
	}{"squares": {squares, 1}, "products": {products, 0.4}, "scores": {differences, 1.2 * math.Log(20)}} {
		mean, deviation := stat.MeanStdDev(c.values, nil)
		if !(math.Abs(mean-c.want) <= 5*deviation/math.Sqrt(300)) {
			t.Errorf("%s: %v ± %v, want %v", name, mean, deviation/math.Sqrt(300), c.want)
		}
	}
}
