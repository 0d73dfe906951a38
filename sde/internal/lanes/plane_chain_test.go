package lanes

import (
	"math"
	"testing"
)

// The columns in the plane are linear functions of independent normal numbers, with the second moments of
// entries 11, 21, 12 and 22 of a matrix of the covariance.
func TestPlaneColumnsHaveTheCovariance(t *testing.T) {
	for _, p := range []Plane{
		{A: 1, B: 0, C: 0, Deviation: 0.7}, {A: 0.8, B: 0.6, C: 0.3, Deviation: 1.3},
		{A: 1, B: -0.5, C: 0.2, Deviation: 1}, {A: 0.5, B: -0.5, C: 0, Deviation: 1},
		{A: 0, B: 0, C: 1.2, Deviation: 1}, {A: 0.6, B: 0.2, C: -0.4, Deviation: 1},
	} {
		law := newPlaneLaw(p, 2)
		var images [8][4]float64 // of entries 11, 21, 12, 22
		for k := range images {
			var normals [8]float64
			normals[k] = 1
			e, f := law.columns(&normals, &[2]float64{})
			images[k] = [4]float64{e[0], e[1], f[0], f[1]}
		}
		want := [4][4]float64{
			{p.A + p.B + p.C, 0, 0, p.C}, {0, p.A, p.B, 0}, {0, p.B, p.A, 0}, {p.C, 0, 0, p.A + p.B + p.C},
		}
		for i := range want {
			for j := range want[i] {
				got := 0.0
				for _, image := range images {
					got += image[i] * image[j]
				}
				if w := p.Deviation * p.Deviation * want[i][j]; !(math.Abs(got-w) <= 1e-14) {
					t.Errorf("%+v: entries %d and %d: %v, want %v", p, i, j, got, w)
				}
			}
		}
	}
}

// A layer from given columns has the overlap of the two vectors, normalised; and S keeps its relative
// precision where it is tiny.
func TestPlaneStep(t *testing.T) {
	first, second := [4]float64{0.3, -0.2, 0.5, 0}, [4]float64{0.1, -0.4, 0.2, 0.7}
	const a, b, c, e = 0.9, 0.3, -0.1, 0.6
	x := math.Sqrt(1.4)
	y := math.Sqrt(4 - x*x)
	var tokens [2][4]float64
	square := [2]float64{}
	inner := 0.0
	for i := range first {
		s, d := a*x*first[i]+b*y*second[i], c*x*first[i]+e*y*second[i]
		if i == 0 {
			s += x
		}
		if i == 1 {
			d += y
		}
		tokens[0][i], tokens[1][i] = (s+d)/2, (s-d)/2
		square[0] += tokens[0][i] * tokens[0][i]
		square[1] += tokens[1][i] * tokens[1][i]
		inner += tokens[0][i] * tokens[1][i]
	}
	z := inner / math.Sqrt(square[0]*square[1])
	above, below := planeStep(x, y, a, b, c, e, &first, &second)
	if !(math.Abs(above-2*(1+z)) <= 1e-14) || !(math.Abs(below-2*(1-z)) <= 1e-14) {
		t.Errorf("squares %v, %v, want %v, %v", above, below, 2*(1+z), 2*(1-z))
	}
	one, _ := planeStep(1e-9, 2, a, 0, 0, e, &first, &second)
	tiny, _ := planeStep(1e-120, 2, a, 0, 0, e, &first, &second)
	if !(math.Abs(tiny*1e222/one-1) <= 1e-14) {
		t.Errorf("squares %v and %v are not proportional", tiny, one)
	}
}

// The differences of scores that the weights belong to, g_i = 2 atanh α_i, have mean β(1-Z), variance
// 2S²(1-Z) and covariance -Z times that: they are linear functions of two independent normal numbers.
func TestSpreadScoresHaveTheCovariance(t *testing.T) {
	const beta, spread = 0.7, 1.3
	for _, z := range []float64{-0.999, -0.4, 0.2, 0.8} {
		scores := spreadScores{beta: beta, spread: spread}
		differences := func(first, second float64) (g [2]float64) {
			b, e := scores.weights(2*(1+z), 2*(1-z), first, second)
			return [2]float64{2 * math.Atanh(e+b), 2 * math.Atanh(e-b)}
		}
		mean := differences(0, 0)
		var images [2][2]float64 // of both normal numbers
		for k, g := range [2][2]float64{differences(1, 0), differences(0, 1)} {
			for i := range g {
				images[k][i] = g[i] - mean[i]
			}
		}
		for i := range mean {
			if !(math.Abs(mean[i]-beta*(1-z)) <= 1e-12) {
				t.Errorf("Z = %v: mean %v, want %v", z, mean[i], beta*(1-z))
			}
			for j := range mean {
				want := 2 * spread * spread * (1 - z)
				if i != j {
					want *= -z
				}
				got := images[0][i]*images[0][j] + images[1][i]*images[1][j]
				if !(math.Abs(got-want) <= 1e-11) {
					t.Errorf("Z = %v: covariance %d, %d is %v, want %v", z, i, j, got, want)
				}
			}
		}
		both := differences(0.6, -0.4)
		for i := range both {
			want := mean[i] + 0.6*images[0][i] - 0.4*images[1][i]
			if !(math.Abs(both[i]-want) <= 1e-11) {
				t.Errorf("Z = %v: %v, want %v", z, both[i], want)
			}
		}
	}
}
