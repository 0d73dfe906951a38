package weights

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"antipode/sphere/activation"
	"antipode/sphere/must"
)

func gaussian(random *rand.Rand, rows, columns int, deviation float64) *mat.Dense {
	m := mat.NewDense(rows, columns, nil)
	m.Apply(func(int, int, float64) float64 { return deviation * random.NormFloat64() }, m)
	return m
}

// The sums are those of the matrix product itself, and the sums without one inner dimension are those of the
// smaller product.
func TestSumsAreThoseOfTheProduct(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	left, right := gaussian(random, 7, 4, 1), gaussian(random, 4, 7, 2)
	direct := func(l, r mat.Matrix) sums {
		var p, square mat.Dense
		p.Mul(l, r)
		square.Mul(&p, &p)
		norm := mat.Norm(&p, 2)
		return sums{norm * norm, mat.Trace(&square), mat.Trace(&p)}
	}
	same := func(a, b sums) bool {
		return math.Abs(a.squares-b.squares) < 1e-9 && math.Abs(a.opposite-b.opposite) < 1e-9 &&
			math.Abs(a.trace-b.trace) < 1e-9
	}
	p := newProduct(left, right)
	if got, want := p.all(), direct(left, right); !same(got, want) {
		t.Errorf("sums %v, want %v", got, want)
	}
	got, want := p.without(p.all(), 3), direct(left.Slice(0, 7, 0, 3), right.Slice(0, 3, 0, 7))
	if !same(got, want) {
		t.Errorf("sums without the last dimension %v, want %v", got, want)
	}
}

// The means of a, b and c over matrices αG + α'Gᵀ + √c g I are those of their law: a = α² + α'² = 1, b = 2αα'
// = 0.6, c = 0.25. A mean of 4,000 values is more than five standard errors away once in a million times.
func TestInvariantsOfMatricesOfTheLaw(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	const dim, draws = 6, 4000
	one, other := (math.Sqrt(1.6)+math.Sqrt(0.4))/2, (math.Sqrt(1.6)-math.Sqrt(0.4))/2
	var means, squares [3]float64
	for range draws {
		g := gaussian(random, dim, dim, 1)
		v := mat.NewDense(dim, dim, nil)
		shift := 0.5 * random.NormFloat64()
		v.Apply(func(i, j int, x float64) float64 {
			x = one*x + other*g.At(j, i)
			if i == j {
				x += shift
			}
			return x
		}, g)
		identity := mat.NewDiagDense(dim, []float64{1, 1, 1, 1, 1, 1})
		a, b, c := newProduct(identity, v).all().invariants(dim)
		for k, x := range []float64{a, b, c} {
			means[k] += x / draws
			squares[k] += x * x / draws
		}
	}
	for k, want := range []float64{1, 0.6, 0.25} {
		stderr := math.Sqrt((squares[k] - means[k]*means[k]) / draws)
		if !(math.Abs(means[k]-want) <= 5*stderr) || stderr > 0.02 {
			t.Errorf("number %d: mean %.4f ± %.4f, want %v", k, means[k], stderr, want)
		}
	}
}

// The intervals of heads contain the true a, b, c, β and S, for 400 heads of random matrices with different
// variances, also when outputs are correlated with values and keys with queries. If 95 % of 400 are expected,
// fewer than 362 (90.5 %) have probability below 1e-4.
func TestIntervalsCover(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, c := range []struct {
		dim, inner int
		follow     float64
	}{{48, 16, 0}, {64, 12, 0.4}, {64, 4, 0.4}} {
		var covered [5]int
		const heads = 400
		d, h := float64(c.dim), float64(c.inner)
		for range heads {
			right := gaussian(random, c.inner, c.dim, 0.7)
			left := gaussian(random, c.dim, c.inner, 0.3)
			left.Apply(func(i, j int, x float64) float64 { return x + c.follow*right.At(j, i) }, left)
			p := newProduct(left, right)
			got, scores := p.invariants(), p.scores(2)
			// With one inner dimension, o = x + f v, where x and v have variances s and r. The means of o·v,
			// |o|²|v|² and so on follow from that; vectors of different inner dimensions are independent.
			s, r, f := 0.09, 0.49, c.follow
			trace := h * f * d * r
			squares := h*(s*d*r*d+f*f*r*r*d*(d+2)) + h*(h-1)*f*f*r*r*d
			opposite := h*(s*r*d+f*f*r*r*d*(d+2)) + h*(h-1)*f*f*r*r*d
			scalar := (trace*trace + h*(s*r*d+f*f*2*r*r*d)) / d
			symmetric := ((squares+opposite)/2 - scalar) / ((d + 2) * (d - 1) / 2)
			antisymmetric := (squares - opposite) / (d * (d - 1))
			trueC := (scalar - symmetric) / d
			spread := math.Sqrt(4 / h * d * d * (squares - scalar) / (d*d - 1))
			for k, x := range []struct {
				e    Estimate
				want float64
			}{{got.A, (symmetric + antisymmetric) / 2}, {got.B, (symmetric - antisymmetric) / 2}, {got.C,
				trueC},
				{scores.Beta, 2 / math.Sqrt(h) * trace}, {scores.Spread, spread}} {
				if x.e.Low <= x.want && x.want <= x.e.High {
					covered[k]++
				}
			}
		}
		t.Logf("d = %d, h = %d: %v of %d", c.dim, c.inner, covered, heads)
		for k, n := range covered {
			if n < 362 {
				t.Errorf("d = %d, h = %d: number %d is in %d of %d intervals", c.dim, c.inner, k, n, heads)
			}
		}
	}
}

// Random matrices exceed the edges about once in a hundred times, and a learned direction is found. Of 1,000
// matrices at 1 %, more than 25 or fewer than 1 have probability below 1e-4.
func TestEdges(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	edge, above, products := productEdge(40, 8, 5), 0, 0
	for range 1000 {
		if spectrumOf(gaussian(random, 60, 30, 0.02)).Outliers > 0 {
			above++
		}
		if newProduct(gaussian(random, 40, 8, 0.1), gaussian(random, 8, 40, 3)).spectrum(edge).Outliers > 0 {
			products++
		}
	}
	t.Logf("outliers in %d matrices and %d products of 1000", above, products)
	// the edge of products is itself estimated from 400 draws
	if above < 1 || above > 25 || products < 1 || products > 32 {
		t.Errorf("outliers in %d matrices and %d products of 1000; want about 10", above, products)
	}
	spiked := gaussian(random, 60, 30, 1)
	for i := range 60 {
		for j := range 30 {
			spiked.Set(i, j, spiked.At(i, j)+18*math.Sin(float64(i))*math.Cos(float64(2*j))/math.Sqrt(30*15))
		}
	}
	if got := spectrumOf(spiked); got.Outliers != 1 || !(got.Largest > 1.1) {
		t.Errorf("a matrix with a direction of its own has %v", got)
	}
}

// The measured c, w and oddness of a wide MLP with random weights are those of the theory.
func TestMLPOfRandomWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	const dim, width = 60, 3000
	for _, name := range []string{"relu", "gelu", "tanh", "linear"} {
		r := &matrices{up: gaussian(random, width, dim, 0.2), down: gaussian(random, dim, width, 0.03),
			mlp: 1}
		got := measureMLP(r, name, random)
		a, _ := activation.Parse(name)
		correlation := must.Get(activation.NewCorrelation(a, 0.04*dim))(t)
		strength := 0.03 * 0.03 * width * correlation.Moment() / dim
		odd := (1 - correlation.At(-1)) / 2
		if !(math.Abs(got.Strength/strength-1) <= 0.06) || !(math.Abs(got.Variance/(0.04*dim)-1) <= 0.02) ||
			!(math.Abs(got.Odd-odd) <= 0.03) {
			t.Errorf("%s: %+v, want c %v, w %v, oddness %v", name, got, strength, 0.04*dim, odd)
		}
	}
}

// φ̂ of SiLU: the function is x/2 plus an even function, so the odd part of φ̂ is known; for w → 0 it is
// linear.
func TestSiLU(t *testing.T) {
	for _, w := range []float64{0.01, 1, 9} {
		of := siluCorrelation(w)
		moment := 0.
		for k := -4000; k <= 4000; k++ {
			x := float64(k) / 500
			moment += silu(math.Sqrt(w)*x) * silu(math.Sqrt(w)*x) *
				math.Exp(-x*x/2) / 500 / math.Sqrt(2*math.Pi)
		}
		for _, z := range []float64{0.25, 0.5, 1} { // entries of the table, without interpolation
			if got, want := (of(z)-of(-z))/2, w/4*z/moment; !(math.Abs(got-want) <= 1e-6) {
				t.Errorf("w = %v, z = %v: odd part %v, want %v", w, z, got, want)
			}
		}
	}
}
