package lanes

import (
	"math"
	"testing"

	"antipode/sde/internal/kernels"
	"antipode/sphere/must"
)

// overlapsOf is atanh Z of the first two tokens of a number of trajectories after some layers, cut where
// tokens are 10^-6 apart.
func overlapsOf(t *testing.T, l Lanes, d, trajectories int, layers int64) []float64 {
	t.Helper()
	const largest = 14
	values, all := make([]float64, 0, trajectories), make([]Lane, PerVector)
	for len(values) < trajectories {
		for k := range all {
			all[k] = Lane{Trajectory: int64(len(values) + k)}
			must.Do(t, l.Start(k, all[k].Trajectory))
		}
		l.Advance(all, layers)
		for k := range all {
			x := l.Tokens(k)
			p := squaresOf(x[:d], x[d:2*d])
			values = append(values, max(-largest, min(largest, math.Log(p.above/p.below)/2)))
		}
	}
	return values
}

// Tokens that are advanced by products of matrices have the law of those in vectors, where matrices are drawn
// in full and where they are drawn on the span of the tokens, that is, in few dimensions, for up to a third
// as many tokens as dimensions; and a σ that is a tenth too large is noticed. Two samples of n = 5,000
// numbers are at a distance above 2.69·√(2/n) in one of 10^6 seeds, so that the test fails in 3 of 10^6.
func TestMatricesHaveTheLawOfVectors(t *testing.T) {
	const trajectories, layers = 5_000, 8
	alarm := 2.69 * math.Sqrt(2./trajectories)
	for _, size := range [][2]int{{5, 8}, {3, 9}, {5, 20}} {
		of := func(sigma float64, seed uint64) Recursion {
			r := gaussian(size[0], size[1], 2, sigma, 10, seed)
			r.OnSpan = true
			return r
		}
		vectors := overlapsOf(t, newVectorTokens(of(1, 1), PerVector, false), size[1], trajectories, layers)
		for sigma, seed := range map[float64]uint64{1: 2, 1.1: 3} {
			l := newMatrixTokens(of(sigma, seed), PerVector, false, 1)
			if spans := l.noise.span != nil && size[0] <= l.noise.span.most; spans != (3*size[0] <= size[1]) {
				t.Errorf("N=%d, d=%d: on the span: %v", size[0], size[1], spans)
			}
			distance := greatestDistance(vectors, overlapsOf(t, l, size[1], trajectories, layers))
			t.Logf("N=%d, d=%d, σ=%v: distance %.4f, alarm above %.4f",
				size[0], size[1], sigma, distance, alarm)
			if (distance > alarm) != (sigma > 1) {
				t.Errorf("N=%d, d=%d, σ=%v: distance %.4f", size[0], size[1], sigma, distance)
			}
		}
	}
}

// Only the lane that has a token without direction fails.
func TestOneLaneOfMatricesFailsAlone(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		l := newMatrixTokens(gaussian(20, 40, 1.5, 1, 100, 3), 2, true, 1)
		all := []Lane{{Trajectory: 1}, {Trajectory: 2}}
		for k, at := range all {
			must.Do(t, l.Start(k, at.Trajectory))
		}
		l.states[0].x.Numbers(3)[5] = bad
		l.Advance(all, 3)
		if all[0].Err == nil || all[1].Err != nil || all[1].Layer != 3 {
			t.Errorf("a token is %v: %+v", bad, all)
		}
	}
}

// Tokens whose squared norm is near the ends of float64's range or outside it become unit vectors of the same
// direction, as the others do, wherever they are among the parts of a step; those without a direction are
// reported, and no others.
func TestTokensOfExtremeNormAreNormalised(t *testing.T) {
	const count, d = 70, 24
	l := newMatrixTokens(gaussian(count, d, 1.5, 1, 100, 3), 1, false, 1)
	x, change := kernels.NewMatrix(count, d), kernels.NewMatrix(count, d)
	scales := map[int]float64{1: 0x1p-500, 5: 0x1p480, 33: 0x1p-449, 38: 0x1p520, 40: 0, 66: 0x1p-520,
		69: math.Inf(1)}
	want := make([][]float64, count)
	for i := range count {
		scale, extreme := scales[i]
		if !extreme {
			scale = 3
		}
		sum := 0.0
		want[i] = make([]float64, d)
		for k := range d {
			along, across := math.Cos(float64(7*i+k*k)), math.Sin(float64(3*i+2*k))
			x.Numbers(i)[k], change.Numbers(i)[k] = scale*0.25*along, scale*0.375*across
			want[i][k] = 0.25*along + 0.75*across
			sum += want[i][k] * want[i][k]
		}
		for k := range d {
			want[i][k] /= math.Sqrt(sum)
		}
	}
	l.x, l.change, l.factors = &x, &change, make([]float64, count)
	for i := range l.factors {
		l.factors[i], l.lost[i] = 2, true
	}
	for part := range 3 {
		l.retractTokens(part)
	}
	for i := range count {
		if lost := i == 40 || i == 69; l.lost[i] != lost {
			t.Errorf("token %d: without a direction: %v", i, l.lost[i])
		} else if lost {
			continue
		}
		for k, v := range x.Numbers(i) {
			if !(math.Abs(v-want[i][k]) < 1e-14) {
				t.Fatalf("token %d, scale %g: entry %d is %v, want %v", i, scales[i], k, v, want[i][k])
			}
		}
	}
}
