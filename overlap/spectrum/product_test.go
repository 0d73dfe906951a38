package spectrum

import (
	"math"
	"testing"

	"antipode/overlap/internal/overlaptest"
	"antipode/sphere/must"
)

// near fails unless |got-want| ≤ tolerance.
var near = overlaptest.Near

func mustProduct(t testing.TB, mean float64, ratios ...float64) *Product {
	t.Helper()
	p := must.Get(NewProduct(mean, ratios...))(t)
	return p
}

// For one matrix the law is the Marchenko-Pastur law in closed form.
func TestProductOfOneMatrixIsMarchenkoPastur(t *testing.T) {
	const mean = 1.7
	for _, c := range []float64{1e-3, 0.25, 0.5, 0.97, 1, 1.03, 2, 4, 100} {
		p := mustProduct(t, mean, c)
		low, high := p.Support()
		root := math.Sqrt(c)
		near(t, "upper end", high, mean*(1+root)*(1+root), 1e-13*high)
		near(t, "lower end", low, mean*(1-root)*(1-root), 1e-13*high)
		near(t, "atom", p.Atom(), max(0, 1-1/c), 1e-15)
		for k := 1; k < 40; k++ {
			x := low + (high-low)*float64(k)/40
			density := math.Sqrt((high-x)*(x-low)) / (2 * math.Pi * c * mean * x)
			near(t, "density", p.Density(x), density, 1e-11*density)
		}
	}
}

// For square matrices, moments are Fuss-Catalan numbers, and the density has a closed form in an angle φ
// (Penson and Życzkowski 2011): x = sin^(n+1)((n+1)φ)/(sin φ sin^n(nφ)).
func TestProductOfSquareMatricesIsFussCatalan(t *testing.T) {
	for n := 1; n <= 8; n++ {
		ratios := make([]float64, n)
		for k := range ratios {
			ratios[k] = 1
		}
		p := mustProduct(t, 1, ratios...)
		_, high := p.Support()
		near(t, "upper end", high, fuss(n), 1e-12*high)
		for k := 1; k < 40; k++ {
			phi := math.Pi / float64(n+1) * float64(k) / 40
			a, b, c := math.Sin(phi), math.Sin(float64(n)*phi), math.Sin(float64(n+1)*phi)
			x := math.Pow(c, float64(n+1)) / (a * math.Pow(b, float64(n)))
			density := a * a * math.Pow(b, float64(n-1)) / (math.Pi * math.Pow(c, float64(n)))
			near(t, "density", p.Density(x), density, 1e-10*density)
		}
		number := 1.0 // binomial(nk+k, k)/(nk+1)
		for k := 1; k <= 6; k++ {
			number = 1
			for j := 1; j <= k; j++ {
				number *= float64(n*k+j) / float64(j)
			}
			near(t, "moment", p.Moment(k), number/float64(n*k+1), 1e-12*number)
		}
	}
}

// The laws of the covariance after ℓ layers, and some others, integrate to 1 and have the right moments.
func TestProductIntegrals(t *testing.T) {
	laws := []*Product{mustProduct(t, 3, 0.9, 1, 2.5), mustProduct(t, 1, 0.98, 0.5),
		mustProduct(t, 1, 4, 3.8, 0.01)}
	for layers := 1; layers <= 4; layers++ {
		for _, gamma := range []float64{0.25, 0.5, 1, 2, 4} {
			p := must.Get(Covariance(layers, gamma, 1.1))(t)
			mean, variance := CovarianceMoments(layers, gamma, 1.1)
			near(t, "mean", p.Mean(), mean, 1e-14*mean)
			near(t, "variance", p.Variance(), variance, 1e-13*variance)
			laws = append(laws, p)
		}
	}
	for _, p := range laws {
		near(t, "mass", p.Atom()+p.Integral(func(float64) float64 { return 1 }), 1, 1e-10)
		near(t, "second moment", p.Moment(2), p.Variance()+p.mean*p.mean, 1e-13*p.Moment(2))
		for k := 1; k <= 8; k++ {
			moment := p.Moment(k)
			got := p.Integral(func(x float64) float64 { return math.Pow(x, float64(k)) })
			near(t, "moment", got, moment, 1e-10*moment)
		}
	}
}

// Marchenko-Pastur moments are sums of Narayana numbers.
func TestMomentsOfOneMatrix(t *testing.T) {
	const c = 0.6
	for k := 1; k <= 10; k++ {
		want, narayana := 0.0, 1.0 // binomial(k, j)·binomial(k, j+1)/k, from j = 0
		for j := range k {
			want += narayana * math.Pow(c, float64(j))
			narayana *= float64((k-j)*(k-j-1)) / float64((j+1)*(j+2))
		}
		near(t, "moment", mustProduct(t, 1, c).Moment(k), want, 1e-13*want)
	}
}

// The derivative of Distribution is the density, and its values at the ends are right.
func TestDistributionIsTheIntegralOfTheDensity(t *testing.T) {
	for _, p := range []*Product{mustProduct(t, 1, 1, 0.5), mustProduct(t, 2, 1, 4, 1, 4),
		mustProduct(t, 1, 0.3)} {
		low, high := p.Support()
		for k := 1; k < 30; k++ {
			x := low + (high-low)*float64(k)/30
			const h = 1e-5
			slope := (p.Distribution(x+h) - p.Distribution(x-h)) / (2 * h)
			near(t, "slope", slope, p.Density(x), 1e-6*p.Density(x))
		}
		near(t, "below", p.Distribution(-1), 0, 0)
		near(t, "at 0", p.Distribution(0), p.Atom(), 0)
		near(t, "above", p.Distribution(high), 1, 0)
		near(t, "inside", p.Distribution(math.Nextafter(high, 0)), 1, 1e-7)
	}
}

func TestProductRefusesBadRatios(t *testing.T) {
	for _, ratios := range [][]float64{nil, {0}, {-1}, {math.NaN()}, {1, 1e7}, {math.Inf(1)}} {
		if _, err := NewProduct(1, ratios...); err == nil {
			t.Errorf("ratios %v are allowed", ratios)
		}
	}
	for _, mean := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := NewProduct(mean, 1); err == nil {
			t.Errorf("mean %v is allowed", mean)
		}
	}
}

// Near a hard edge at 0 the density of a product in which ratio 1 occurs once is like that of a single
// square matrix, a multiple of 1/√x, down to 1e-100.
func TestProductNearZero(t *testing.T) {
	p := mustProduct(t, 4, 1, 0.25)
	constant := 1e-6 * p.Density(1e-12)
	for _, x := range []float64{1e-100, 1e-40, 1e-32, 1e-20} {
		near(t, "density times √x", p.Density(x)*math.Sqrt(x), constant, 1e-5*constant)
		near(t, "distribution", p.Distribution(x), 2*constant*math.Sqrt(x), 1e-15)
	}
}

// At 0 the density is infinite if the support begins there, and 0 if the support begins above.
func TestDensityAtZero(t *testing.T) {
	for _, ratios := range [][]float64{{1}, {1, 1}, {0.25, 1}, {4, 4, 1}} {
		if got := mustProduct(t, 1.3, ratios...).Density(0); !math.IsInf(got, 1) {
			t.Errorf("ratios %v: density %v at 0", ratios, got)
		}
	}
	for _, ratios := range [][]float64{{0.25}, {4}, {0.5, 3}} {
		p := mustProduct(t, 1.3, ratios...)
		low, _ := p.Support()
		if got := p.Density(0); got != 0 || !(low > 0) {
			t.Errorf("ratios %v, support from %v: density %v at 0", ratios, low, got)
		}
	}
}
