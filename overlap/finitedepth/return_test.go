package finitedepth

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"antipode/overlap"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/integrate/quad"
)

// oneLayer returns E (ζ'/ζ)^κ for a layer at 1+z = ζ (or 1-z at the end +1) in two dimensions, under
// value matrices of a covariance, computed from recursion (4) itself by a product of four Gauss-Hermite
// rules.
func oneLayer(v overlap.Covariance, beta float64, depth int, zeta, kappa float64, plus bool) float64 {
	const nodes = 20
	x, w := make([]float64, nodes), make([]float64, nodes)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	below := 2 - zeta
	if plus {
		below = zeta
	}
	ratio := math.Exp(-beta * below)
	scale := math.Sqrt(2 / float64(depth)) // scale of nodes for the weight exp(-x²)
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

// The exponents give a supermartingale, by a second method for the expectation. That of the linear
// recursion plus half a per cent does not.
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
			if mean := oneLayer(overlap.Ginibre, beta, depth, 1e-9, linear, plus); !(math.Abs(mean-1) <=
				1e-6) {
				t.Errorf("beta %v, +1 %v: E (ζ'/ζ)^%.4f = 1%+.2g at the end", beta, plus, linear, mean-1)
			}
			if mean := oneLayer(overlap.Ginibre, beta, depth, 1e-9, 1.005*linear, plus); !(mean > 1) {
				t.Errorf("beta %v, +1 %v: %v has no power", beta, plus, mean)
			}
		}
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
		l := must.Get(Antipodal(c.dim, c.beta, c.attention, 1, c.depth))(t)
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

// The search for the exponent covers the whole neighbourhood: the end, the middle and the edge.
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
