package finitedepth

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/overlap"

	"gonum.org/v1/gonum/integrate/quad"
)

// oneLayer returns E (ζ'/ζ)^κ of a layer at 1+z = ζ (or 1-z, at the end +1) in two dimensions under value
// matrices of a covariance, from recursion (4) itself, by a product of four Gauss-Hermite rules.
func oneLayer(v overlap.Covariance, beta float64, depth int, zeta, kappa float64, plus bool) float64 {
	const nodes = 20
	x, w := make([]float64, nodes), make([]float64, nodes)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	below := 2 - zeta
	if plus {
		below = zeta
	}
	ratio := math.Exp(-beta * below)
	scale := math.Sqrt(2 / float64(depth)) // of nodes for exp(-x²)
	a, e := scale, scale*(1-ratio)/(1+ratio)
	s, d := math.Sqrt(2*(2-below)), math.Sqrt(2*below)
	sum := 0.0
	for i1, g1 := range x {
		for i2, g2 := range x {
			for j1, h1 := range x {
				for j2, h2 := range x {
					// (VS)_s with (VD)_d, and (VS)_d with (VD)_s.
					ss, dd := pairOf(g1, h2, v.A+v.B+v.C, v.C)
					sd, ds := pairOf(g2, h1, v.A, v.B)
					s1, s2 := s*(1+a*ss), s*a*sd
					d1, d2 := d*e*ds, d*(1+e*dd)
					minor := s1*d2 - s2*d1
					t := d1*d1 + d2*d2 - s1*s1 - s2*s2
					if plus {
						t = -t
					}
					n := math.Sqrt(t*t + 4*minor*minor)
					next := 4 * minor * minor / (n * (n + t)) // 1+z', or 1-z'
					sum += w[i1] * w[i2] * w[j1] * w[j2] * math.Pow(next/zeta, kappa)
				}
			}
		}
	}
	return sum / (math.Pi * math.Pi)
}

// The exponents are those of a supermartingale, by another way to the expectation; that
// of the linear recursion, or half a per cent more, is none.
func TestReturnIsASupermartingale(t *testing.T) {
	for _, plus := range []bool{false, true} {
		exponent, end := AntipodalReturn, Antipodal
		if plus {
			exponent, end = SingleReturn, Single
		}
		for _, beta := range []float64{0.3, 1.2} {
			const depth, within = 50, 1e-2
			kappa, ok, err := exponent(2, beta, overlap.Softmax, 1, depth, within)
			if err != nil || !ok {
				t.Fatalf("beta %v: %v, %v", beta, ok, err)
			}
			for _, zeta := range []float64{1e-6, 1e-3, 5e-3, within} {
				if mean := oneLayer(overlap.Ginibre, beta, depth, zeta, kappa, plus); !(mean <= 1) {
					t.Errorf("beta %v, +1 %v, ζ = %g: E (ζ'/ζ)^%.4f = 1%+.2g", beta, plus, zeta, kappa,
						mean-1)
				}
			}
			l, _ := end(2, beta, overlap.Softmax, 1, depth)
			linear, _ := l.Lundberg()
			if mean := oneLayer(overlap.Ginibre, beta, depth, 1e-9, linear, plus); math.Abs(mean-1) > 1e-6 {
				t.Errorf("beta %v, +1 %v: E (ζ'/ζ)^%.4f = 1%+.2g at the end", beta, plus, linear, mean-1)
			}
			if mean := oneLayer(overlap.Ginibre, beta, depth, 1e-9, 1.005*linear, plus); !(mean > 1) {
				t.Errorf("beta %v, +1 %v: %v has no power", beta, plus, mean)
			}
		}
	}
}

// So are those of other covariances.
func TestReturnUnderOtherNoiseIsASupermartingale(t *testing.T) {
	for _, c := range []struct {
		covariance overlap.Covariance
		beta       float64
		plus       bool
	}{
		{overlap.Covariance{A: 1, B: -0.5, C: 0.2}, 0.9, false},
		{overlap.Covariance{A: 1, B: -0.5, C: 0.2}, 0.9, true},
		{overlap.Covariance{A: 0.5, B: 0.4, C: -0.2}, 0.3, false},
	} {
		const depth, within = 50, 1e-2
		r := Isotropic{Dim: 2, Beta: c.beta, Sigma: 1, Covariance: c.covariance, Depth: depth}
		exponent, end := r.AntipodalReturn, r.Antipodal
		if c.plus {
			exponent, end = r.SingleReturn, r.Single
		}
		kappa, ok, err := exponent(within)
		if err != nil || !ok {
			t.Fatalf("%+v: %v, %v", c, ok, err)
		}
		for _, zeta := range []float64{1e-6, 1e-3, within} {
			if mean := oneLayer(c.covariance, c.beta, depth, zeta, kappa, c.plus); !(mean <= 1) {
				t.Errorf("%+v, ζ = %g: E (ζ'/ζ)^%.4f = 1%+.2g", c, zeta, kappa, mean-1)
			}
		}
		g, err := end()
		if err != nil {
			t.Fatal(err)
		}
		linear, _ := g.Lundberg()
		t.Logf("%+v: κ = %.4f of %.4f", c, kappa, linear)
		if linear < g.largest() {
			mean := oneLayer(c.covariance, c.beta, depth, 1e-9, linear, c.plus)
			near(t, "E (ζ'/ζ)^κ", mean, 1, 1e-6)
		}
	}
	below := Isotropic{Dim: 6, Beta: 0.2, Sigma: 1, Covariance: overlap.Symmetric, Depth: 100}
	if _, ok, err := below.AntipodalReturn(1e-6); ok || err != nil {
		t.Errorf("below the boundary: %v, %v", ok, err)
	}
	scores := Isotropic{Dim: 3, Beta: 1, Sigma: 1, Covariance: overlap.Ginibre, Spread: 1, Depth: 100}
	if _, _, err := scores.SingleReturn(1e-6); err == nil {
		t.Error("random scores")
	}
}

// Close to the end the exponent is almost that of the linear recursion.
func TestReturnIsAlmostThatOfTheEnd(t *testing.T) {
	for _, c := range []struct {
		dim, depth int
		beta       float64
		attention  overlap.Attention
	}{{4, 100, 1.5, overlap.Softmax}, {4, 100, 0.7, overlap.Softmax}, {4, 10, 1.5, overlap.Softmax},
		{2, 40, 0, overlap.Softmax}, {10, 100, 3, overlap.Unnormalized}, {3, 1_000_000, 1, overlap.Softmax}} {
		l, err := Antipodal(c.dim, c.beta, c.attention, 1, c.depth)
		if err != nil {
			t.Fatal(err)
		}
		linear, _ := l.Lundberg()
		kappa, ok, err := AntipodalReturn(c.dim, c.beta, c.attention, 1, c.depth, 1e-6)
		if err != nil || !ok || kappa > linear || kappa < 0.94*linear {
			t.Errorf("%+v: %v of %v, %v, %v", c, kappa, linear, ok, err)
		}
	}
}

func TestReturnWhereThereIsNone(t *testing.T) {
	if _, ok, err := AntipodalReturn(4, 0.5, overlap.Softmax, 1, 100, 1e-3); ok || err != nil {
		t.Errorf("below the boundary: %v, %v", ok, err)
	}
	for _, within := range []float64{0, -1, 0.02, math.NaN()} {
		if _, _, err := SingleReturn(4, 1, overlap.Softmax, 1, 100, within); err == nil ||
			!strings.Contains(err.Error(), "neighbourhood") {
			t.Errorf("within %v: %v", within, err)
		}
	}
	if _, _, err := SingleReturn(1, 1, overlap.Softmax, 1, 100, 1e-3); err == nil {
		t.Error("one dimension")
	}
}

// The rare events of other noise are bounded, by all numbers of a layer.
func TestRareEventsUnderOtherNoise(t *testing.T) {
	const kappa, r, zeta = 0.3, 0.6, 1e-2
	for _, g := range []gaussian{
		{2, 0.7, 0, 0.6, overlap.Covariance{A: 1, B: -0.5, C: 0.2}},
		{2, 0.9, 0, 0.5, overlap.Covariance{A: 0.7, B: 0.6, C: 0.5}},
	} {
		near := g.direct(func(v, u []float64) float64 {
			if square := u[0]*u[0] + u[1]*u[1]; !(square < r*r) {
				return 0
			}
			return math.Pow(4*ratio(v, u), kappa)
		})
		if bound := g.rareDirections(kappa, r); !(near > 0.01 && near <= bound) {
			t.Errorf("%+v: %v of small |δ|, bounded by %v", g, near, bound)
		}
		far := g.direct(func(v, u []float64) float64 {
			square := u[0]*u[0] + u[1]*u[1]
			along := (u[0]*v[0] + u[1]*v[1]) / square
			if zeta/(2-zeta)*along*along > 0.5 {
				return math.Pow(2/zeta, kappa)
			}
			return 0
		})
		if bound := g.rareLengths(kappa, zeta); !(far > 1e-4 && far <= bound) {
			t.Errorf("%+v: %v of large P, bounded by %v", g, far, bound)
		}
	}
}

// Where noise along e and s is strongly anticorrelated, a small |δ| makes |σ| large: its power is part of the
// bound. The expectation is a sum over the ball of δ, in polar coordinates, and over the part of σ across δ,
// which is a normal number given δ.
func TestRareDirectionsOfLongTokens(t *testing.T) {
	for _, c := range []struct {
		g        gaussian
		kappa, r float64
	}{
		{gaussian{2, 2, 0, 0.9, overlap.Covariance{A: 1, C: -0.45}}, 0.7, 0.3},
		{gaussian{2, 1.5, 0, 0.8, overlap.Covariance{A: 1, B: 0.5, C: -0.7}}, 0.8, 0.2},
	} {
		near := c.g.nearDirections(c.kappa, c.r)
		if bound := c.g.rareDirections(c.kappa, c.r); !(near <= bound) {
			t.Errorf("%+v: %v, bounded by %v", c, near, bound)
		}
	}
}

// nearDirections is 4^κ E R^κ where |δ| < r, in two dimensions.
func (g gaussian) nearDirections(kappa, r float64) float64 {
	const steps = 60
	v := g.covariance
	along, across := v.A+v.B+v.C, v.A
	sum := 0.0
	for i := range steps {
		// Distances such that |δ|^(-2κ) |δ| d|δ| is uniform.
		distance := r * math.Pow((float64(i)+0.5)/steps, 1/(2-2*kappa))
		for j := range steps {
			sin, cos := math.Sincos(2 * math.Pi * (float64(j) + 0.5) / steps)
			e, s := (distance*cos-1)/g.h, distance*sin/g.h
			density := math.Exp(-e*e/along/2-s*s/across/2) / (g.h * g.h * math.Sqrt(along*across))
			mean := cos*(1+g.f*v.C/along*e) - sin*g.f*v.B/across*s
			deviation := g.f * math.Sqrt(cos*cos*(along-v.C*v.C/along)+sin*sin*(across-v.B*v.B/across))
			for k := -steps; k <= steps; k++ {
				x := 0.1 * float64(k)
				normal := 0.1 * math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
				sum += density * normal * math.Pow(math.Abs(mean+deviation*x), 2*kappa)
			}
		}
	}
	return math.Pow(4, kappa) * sum / (steps * steps) * math.Pow(r, 2-2*kappa) / (2 - 2*kappa)
}

// The exponent is looked for over the whole neighbourhood: at the end, in the middle and at the far side.
func TestReturnLooksAtTheWholeNeighbourhood(t *testing.T) {
	const within = 0.008
	var asked []float64
	_, _, err := boundedReturn(within, func(zeta float64) (Layer, error) {
		asked = append(asked, zeta)
		return Layer{}, map[bool]error{true: errors.New("the far side")}[zeta >= within]
	}, nil)
	if err == nil || !slices.Equal(asked, []float64{0, within / 2, within}) {
		t.Errorf("layers at %v, error %v", asked, err)
	}
}
