package spectrum

import (
	"math"
	"math/cmplx"
	"testing"

	"antipode/sphere/must"
)

// The printed digits of the constants without the gap at γ = 1, and a law with γ < 1 whose upper end is a
// root of a polynomial: for ℓ = 1, x = (1+u)²(1+γu)/u is stationary where 2γu² + u - 1 = 0.
func TestStableRankShare(t *testing.T) {
	for layers, want := range map[int]float64{1: 3 / math.Pow(27./4, 2), 2: 5 / math.Pow(3125./256, 2)} {
		got := must.Get(StableRankShare(layers, 1))(t)
		near(t, "C_ℓ", got, want, 1e-14)
	}
	for _, gamma := range []float64{0.25, 0.5, 2, 4} {
		u := (math.Sqrt(1+8*gamma) - 1) / (4 * gamma)
		edge := (1 + u) * (1 + u) * (1 + gamma*u) / u
		got := must.Get(StableRankShare(1, gamma))(t)
		near(t, "C_1", got, (2+gamma)/(edge*edge), 1e-13)
	}
}

// The moments of one layer are those of the law whose Stieltjes transform m solves Dozier and Silverstein's
// equation for a matrix plus noise, 1/m = a²/(1+b²m) - (1+b²m)z, by integrals over a circle around it; those
// without the identity are those of Prop. 7; and of many layers means are multiplied and relative variances
// added.
func TestSkipMoments(t *testing.T) {
	for _, c := range [][2]float64{{0.6, 0.8}, {0.9, 0.2}, {1.3, 0.7}} {
		a, b := c[0], c[1]
		radius, points := 8*(a+b)*(a+b), 64
		var moments [3]complex128
		for k := range points {
			z := cmplx.Rect(radius, 2*math.Pi*float64(k)/float64(points))
			m := -1 / z
			for range 200 {
				m = 1 / (complex(a*a, 0)/(1+complex(b*b, 0)*m) - (1+complex(b*b, 0)*m)*z)
			}
			power := -z * m / complex(float64(points), 0)
			for n := range moments {
				moments[n] += power
				power *= z
			}
		}
		mean, variance := SkipMoments(1, a, b, 0)
		near(t, "mass", real(moments[0]), 1, 1e-13)
		near(t, "mean", mean, real(moments[1]), 1e-12)
		near(t, "variance", variance, real(moments[2])-mean*mean, 1e-11)
		deepMean, deepVariance := SkipMoments(5, a, b, 0.3)
		near(t, "mean of five layers", deepMean, math.Pow(mean, 5), 1e-12)
		near(t, "relative variance of five layers", deepVariance/(deepMean*deepMean),
			5*(variance/(mean*mean)+0.3), 1e-12)
	}
	mean, variance := SkipMoments(3, 0, 1.1, 0.4)
	wantMean, wantVariance := CovarianceMoments(3, 0.4, 1.1*math.Sqrt(0.4))
	near(t, "mean without the identity", mean, wantMean, 1e-14)
	near(t, "variance without the identity", variance, wantVariance, 1e-13)
}

func TestStableRankExcess(t *testing.T) {
	for layers := 1; layers <= 4; layers++ {
		exponent, factor := StableRankExcess(layers, 0.5, 1)
		if exponent != 1-2*layers {
			t.Errorf("power %d after %d layers", exponent, layers)
		}
		near(t, "factor", factor, 1+1.5*float64(layers), 1e-15)
	}
	_, factor := StableRankExcess(2, 1, 2)
	near(t, "factor of σ_A", factor, 256*5, 0)
}

// The mean squares agree with an average over all matrices of an exchangeable law: rows are (0.2, 0.8) or
// (0.8, 0.2) with probability ½ each, for which T² times the variance of an entry is 0.36.
func TestSquaresBehindAttention(t *testing.T) {
	m := [2][2]float64{{0.7, -1.1}, {0.4, 2.3}}
	measure := func(m [2][2]float64) (s squares) {
		for k := range 2 {
			s.all += m[0][k]*m[0][k] + m[1][k]*m[1][k]
			sum := m[0][k] + m[1][k]
			s.mean += sum * sum / 2
		}
		return s
	}
	for _, gap := range []bool{true, false} {
		var want squares
		for choice := range 4 {
			var product [2][2]float64
			for i := range 2 {
				a := [2]float64{0.2, 0.8}
				if choice>>i&1 == 1 {
					a = [2]float64{0.8, 0.2}
				}
				for k := range 2 {
					product[i][k] = a[0]*m[0][k] + a[1]*m[1][k]
					if !gap {
						product[i][k] -= (m[0][k] + m[1][k]) / 2
					}
				}
			}
			s := measure(product)
			want.all += s.all / 4
			want.mean += s.mean / 4
		}
		got := measure(m).attend(2, 0.36, gap)
		near(t, "sum of squares", got.all, want.all, 1e-14)
		near(t, "square of the mean", got.mean, want.mean, 1e-14)
	}
}

// Results for finite sizes tend to the limits of Props. 4, 6 and 7.
func TestFiniteSizesHaveTheLimits(t *testing.T) {
	const tokens = 1 << 20
	for layers := 1; layers <= 4; layers++ {
		for k, gamma := range []float64{0.25, 1, 4} {
			dim, sigma := int(tokens/gamma), []float64{0.7, 1, 1.4}[k]
			v := sigma * sigma * RowVariance(tokens)
			mean, _ := CovarianceMoments(layers, gamma, sigma)
			near(t, "mean", MeanTrace(tokens, dim, layers, v, false)[layers]/tokens, mean, 2e-5*mean)
			for _, gap := range []bool{true, false} {
				exponent, factor := GradientRate(layers, gamma, sigma, gap)
				for l, got := range MeanGradients(tokens, dim, layers, v, gap) {
					limit := factor * math.Pow(tokens, float64(exponent))
					near(t, "gradient", got, limit, 2e-5*limit)
					if bound := GradientBound(l+1, layers, tokens, gamma); gap && !(got > bound) {
						t.Errorf("‖∂X_%d/∂W_%d‖² = %g is below the bound %g", layers, l+1, got, bound)
					}
				}
			}
		}
	}
}

func TestJacobianMoments(t *testing.T) {
	square := mustProduct(t, 1, 1, 1, 1) // of A₃A₂A₁ and of W₁W₂W₃
	mean, variance := jacobianMoments(3, 1, 1)
	near(t, "mean", mean, 1, 0)
	near(t, "variance", variance, square.Moment(2)*square.Moment(2)-1, 1e-12)
	mean, _ = jacobianMoments(3, 0.5, 1)
	near(t, "mean for γ = ½", mean, 8, 0)
	mean, variance = jacobianMoments(2, 0.5, 1.3) // m = (1.69/0.5)², m²(3²-1)
	near(t, "mean for scale 1.3", mean, 11.4244, 1e-12)
	near(t, "variance for scale 1.3", variance, 1044.13532288, 1e-9)
}

// jacobianMoments returns the mean and the variance of the squared singular values of the Jacobian of ℓ
// layers without the gap (Prop. 8). The Jacobian is a Kronecker product. So each value is the product of
// two independent values, each of which belongs to a product of ℓ square matrices. (17) and (18) lack the
// powers of γ: singular values of value matrices are of order √D, and those of attention matrices of
// order 1/√T.
func jacobianMoments(layers int, gamma, scale float64) (mean, variance float64) {
	mean = power(float64(scale*scale)/gamma, layers)
	return mean, float64(float64(layers) * float64(layers+2) * mean * mean)
}
