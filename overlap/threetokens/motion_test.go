package threetokens

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/overlap"
)

// plainMotion returns the motion of the overlaps (z12, z13, z23) by the formulas of the package comment.
func plainMotion(t *tokens, z [3]float64) (drift [3]float64, covariance [3][3]float64) {
	gram := [3][3]float64{{1, z[0], z[1]}, {z[0], 1, z[2]}, {z[1], z[2], 1}}
	var w [3][3]float64 // Aⁱ = Σ w[i][j] Yʲ
	for i := range w {
		sum := 0.0
		for j := range w[i] {
			w[i][j] = math.Exp(t.beta * gram[i][j])
			sum += w[i][j]
		}
		if t.attention == overlap.Unnormalized {
			sum = 3
		}
		for j := range w[i] {
			w[i][j] /= sum
		}
	}
	var kappa [3][3]float64
	for i := range w {
		for j := range w {
			for k := range w {
				for l := range w {
					kappa[i][j] += t.sigma * t.sigma * w[i][k] * gram[k][l] * w[j][l]
				}
			}
		}
	}
	pairs := [3][2]int{{0, 1}, {0, 2}, {1, 2}}
	d := float64(t.dim)
	// <P_i Y_j, P_k Y_l>
	inner := func(i, j, k, l int) float64 {
		return gram[j][l] - gram[i][j]*gram[i][l] - gram[k][l]*gram[j][k] + gram[i][j]*gram[k][l]*gram[i][k]
	}
	for a, p := range pairs {
		i, j := p[0], p[1]
		drift[a] = -(d-1)/2*(kappa[i][i]+kappa[j][j])*gram[i][j] + (gram[i][j]*gram[i][j]+d-2)*kappa[i][j]
		for b, q := range pairs {
			k, l := q[0], q[1]
			covariance[a][b] = kappa[i][k]*inner(i, j, k, l) + kappa[i][l]*inner(i, j, l, k) +
				kappa[j][k]*inner(j, i, k, l) + kappa[j][l]*inner(j, i, l, k)
		}
	}
	return drift, covariance
}

// overlapsAt returns z12, z13, z23 at (α, ω, x).
func overlapsAt(q [3]float64) [3]float64 {
	m, g := math.Cos(q[0])*math.Cos(q[1]), math.Sin(q[0])*math.Sin(q[1])*q[2]
	return [3]float64{math.Cos(2 * q[0]), m + g, m - g}
}

func at(q [3]float64) place {
	return place{alpha: q[0], sinAlpha: math.Sin(q[0]), cosAlpha: math.Cos(q[0]),
		sinOmega: math.Sin(q[1]), cosOmega: math.Cos(q[1]), x: q[2]}
}

// The motion of (α, ω, x), converted to the overlaps by Itô's formula with numerical derivatives, agrees
// with that of the overlaps.
func TestMotionOfOverlaps(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		w := tokens{2 + random.IntN(9), 4 * random.Float64(), overlap.Attention(trial % 2), 0.7}
		q := [3]float64{0.1 + 0.9*random.Float64(), 0.2 + 2.7*random.Float64(), 0.05 + 0.9*random.Float64()}
		if w.dim == 2 {
			q[2] = 1
		}
		drift, covariance := plainMotion(&w, overlapsAt(q))
		r := w.motion(at(q))
		const h = 1e-4
		var first [3][3]float64 // ∂z_a/∂q_k
		var second [3][3][3]float64
		shift := func(k, l int, s, u float64) [3]float64 {
			p := q
			p[k] += s * h
			p[l] += u * h
			return overlapsAt(p)
		}
		for k := range 3 {
			up, down := shift(k, k, 1, 0), shift(k, k, -1, 0)
			for a := range 3 {
				first[a][k] = (up[a] - down[a]) / (2 * h)
			}
			for l := range 3 {
				pp, pm := shift(k, l, 1, 1), shift(k, l, 1, -1)
				mp, mm := shift(k, l, -1, 1), shift(k, l, -1, -1)
				for a := range 3 {
					second[a][k][l] = (pp[a] - pm[a] - mp[a] + mm[a]) / (4 * h * h)
				}
			}
		}
		scale := 1.0
		if w.attention == overlap.Unnormalized {
			scale = math.Exp(2 * w.beta)
		}
		for a := range 3 {
			got := 0.0
			for k := range 3 {
				got += first[a][k] * r.drift[k]
				for l := range 3 {
					got += 0.5 * second[a][k][l] * r.covariance[k][l]
				}
			}
			if !(math.Abs(got-drift[a]) <= 1e-5*scale) {
				t.Errorf("%+v at %v: drift %d is %v, want %v", w, q, a, got, drift[a])
			}
			for b := range 3 {
				got := 0.0
				for k := range 3 {
					for l := range 3 {
						got += first[a][k] * first[b][l] * r.covariance[k][l]
					}
				}
				if !(math.Abs(got-covariance[a][b]) <= 1e-6*scale) {
					t.Errorf("%+v at %v: covariance %d %d is %v, want %v", w, q, a, b, got, covariance[a][b])
				}
			}
		}
	}
}
