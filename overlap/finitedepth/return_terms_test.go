package finitedepth

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"antipode/internal/longtest"
)

// A planeLayer is a layer of two tokens in two dimensions by its definition, σ = ŝ + bg and δ = d̂ + ch.
// Expectations are integrals over δ in polar coordinates. Given the direction of δ, the components of σ
// along and across it are normal with standard deviation b, and their means are the sine and cosine of
// the angle.
type planeLayer struct{ b, c float64 }

func (p planeLayer) depth() Layer { return Layer{2, 1 / (p.b * p.b), 1 / (p.c * p.c)} }

// A radial is a function of |δ|.
type radial func(length float64) float64

// over returns the mean, on the event |δ| < radius, of |δ|^power times a function of the direction of δ
// and of |δ|.
func (p planeLayer) over(radius, power float64, ray func(sin, cos float64) radial) float64 {
	const rays = 64
	sum := 0.0
	for k := range rays {
		sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.25) / rays)
		f := ray(sin, cos)
		sum += pieces(func(w float64) float64 { // |δ| = w⁴, as powers are not smooth at 0
			length := w * w * w * w
			square := (length*length - 2*length*cos + 1) / (p.c * p.c)
			density := length * math.Exp(-square/2) / (p.c * p.c * rays)
			return 4 * w * w * w * density * math.Pow(length, power) * f(length)
		}, 0, math.Sqrt(math.Sqrt(radius)), 6)
	}
	return sum
}

// normal returns the mean of f over a normal variable of standard deviation b.
func (p planeLayer) normal(mean float64, f func(x float64) float64) float64 {
	return pieces(func(w float64) float64 { // x = w³, as functions of |x| are not smooth at 0
		t := (w*w*w - mean) / p.b
		return 3 * w * w * f(w*w*w) * math.Exp(-t*t/2) / (p.b * math.Sqrt(2*math.Pi))
	}, math.Cbrt(-1-12*p.b), 0, 8) + pieces(func(w float64) float64 {
		t := (w*w*w - mean) / p.b
		return 3 * w * w * f(w*w*w) * math.Exp(-t*t/2) / (p.b * math.Sqrt(2*math.Pi))
	}, 0, math.Cbrt(1+12*p.b), 8)
}

// everywhere returns a radius that |δ| does not reach.
func (p planeLayer) everywhere() float64 { return 1 + 12*p.c }

func pieces(f func(x float64) float64, from, to float64, count int) float64 {
	sum, width := 0.0, (to-from)/float64(count)
	for k := range count {
		low := from + width*float64(k)
		sum += quad.Fixed(f, low, low+width, 16, nil, 0)
	}
	return sum
}

// tilted returns E R^κ exp(rate·σ∥²) on the event |δ| < radius.
func (p planeLayer) tilted(radius, kappa, rate float64) float64 {
	return p.over(radius, -2*kappa, func(sin, cos float64) radial {
		along := p.normal(sin, func(x float64) float64 { return math.Exp(rate * x * x) })
		across := p.normal(cos, func(x float64) float64 { return math.Pow(x*x, kappa) })
		return func(float64) float64 { return along * across }
	})
}

// exceeds returns the probability that P > ½ at the distance ζ from the end.
func (p planeLayer) exceeds(zeta float64) float64 {
	scale := math.Sqrt(2 * zeta / (2 - zeta)) // P > ½ where |δ| < scale·|σ∥|
	return p.over(scale*(1+12*p.b), 0, func(sin, _ float64) radial {
		return func(length float64) float64 {
			least := length / scale
			return 0.5 * (math.Erfc((least-sin)/(p.b*math.Sqrt2)) + math.Erfc((least+sin)/(p.b*math.Sqrt2)))
		}
	})
}

// Each of the three parts of the bound is compared with its expectation by quadrature, for shallow
// layers, in which all of them matter. The first equals the expectation, and the others are above it, the
// last one at every smaller distance from the end.
func TestPartsOfTheReturnBound(t *testing.T) {
	for _, p := range []planeLayer{{0.5, 0.3}, {0.3, 0.5}, {0.2, 0.25}} {
		l := p.depth()
		near(t, "mass", p.tilted(p.everywhere(), 0, 0), 1, 1e-12)
		for _, kappa := range []float64{0.2, 0.45, 0.7} {
			for _, rate := range []float64{0.05, 0.6} {
				want := p.tilted(p.everywhere(), kappa, rate)
				near(t, "E R^κ exp(rate·σ∥²)", l.tilted(kappa, rate), want, 1e-8*want)
			}
			for _, radius := range []float64{0.1, 0.3, 0.6} {
				want := math.Pow(4, kappa) * p.tilted(radius, kappa, 0)
				if got := l.rareDirections(kappa, radius); !(got >= want) {
					t.Errorf("%+v, κ = %v: %v for |δ| < %v, by quadrature %v", p, kappa, got, radius, want)
				}
			}
			for _, edge := range []float64{0.01, 0.002} {
				bound := l.rareLengths(kappa, edge)
				for _, zeta := range []float64{edge, 0.3 * edge, 0.01 * edge} {
					if want := math.Pow(2/zeta, kappa) * p.exceeds(zeta); !(bound >= want) {
						t.Errorf("%+v, κ = %v: %v for P > ½ within %v, by quadrature %v at %v",
							p, kappa, bound, edge, want, zeta)
					}
				}
			}
		}
	}
	// If δ is hardly ever short, σ∥ may still be long: (ζ/2)^4 remains.
	near(t, "P > ½ of a long δ", Layer{3, 50, 1e7}.rareLengths(0.3, 0.01), 6.25e-10, 1e-23)
}

// boundByParts returns the sum that AntipodalReturn compares with 1, from the description in its comment:
// the first part by quadrature, the others by areas and densities.
func boundByParts(layers [3]planeLayer, within, kappa float64) float64 {
	radius, ratio := math.Pow(within, 0.25), within/(2-within)
	rate := 4 * kappa * math.Ln2 * ratio / (radius * radius)
	var at [3]float64
	for k, p := range layers {
		ball := func(r float64) float64 {
			return r * r / (2 * p.c * p.c) * math.Exp(-(1-r)*(1-r)/(2*p.c*p.c))
		}
		at[k] = p.tilted(p.everywhere(), kappa, rate)
		// For power 0 the part across δ does not matter, and ŝ may lie along δ.
		power0 := p.normal(1, func(x float64) float64 { return math.Exp(rate * x * x) })
		at[k] += 0.5 * within * max(0, power0-at[k])
		length := planeLayer{p.c, p.b}.over(1+12*p.b, 2*kappa, func(_, _ float64) radial { // E |σ|^2κ
			return func(float64) float64 { return 1 }
		})
		at[k] += math.Pow(4, kappa) * ball(radius) * math.Pow(radius, -2*kappa) * max(1, length) / (1 - kappa)
		reach := 1 + p.b*math.Sqrt(2*(kappa+4)*math.Log(2/within))
		at[k] += math.Pow(within/2, 4) + math.Pow(2/within, kappa)*ball(reach*math.Sqrt(2*ratio))
	}
	return max(at[0], at[1], at[2]) + math.Abs(at[0]+at[2]-2*at[1])
}

// The range of allowed exponents ends where the sum by parts is 1, for layers in which every part affects
// the first six digits. The greatest of the three sums is at the end in one case, at the edge in one, and
// half-way in one.
func TestReturnExponentsEndWhereTheirBoundIsOne(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		within float64
		layers [3]planeLayer
	}{
		{0.001, [3]planeLayer{{0.2, 0.26}, {0.21, 0.27}, {0.22, 0.28}}},
		{0.003, [3]planeLayer{{0.1, 0.2}, {0.09, 0.2}, {0.08, 0.2}}},
		{0.0001, [3]planeLayer{{0.22, 0.3}, {0.25, 0.3}, {0.22, 0.31}}},
	} {
		n := neighbourhood{within: c.within}
		for k, p := range c.layers {
			n.layers[k] = p.depth()
		}
		low, high := 0.1, 0.9
		below, above := boundByParts(c.layers, c.within, low), boundByParts(c.layers, c.within, high)
		if below > 1 || above < 1 {
			t.Fatalf("%+v: %v at κ = %v, %v at %v", c, below, low, above, high)
		}
		for high-low > 1e-8 {
			if middle := 0.5 * (low + high); boundByParts(c.layers, c.within, middle) < 1 {
				low = middle
			} else {
				high = middle
			}
		}
		if !n.contracts(low-1e-6) || n.contracts(high+1e-6) {
			t.Errorf("%+v: exponents end beside %v: %v below, %v above", c, low, n.contracts(low-1e-6),
				n.contracts(high+1e-6))
		}
	}
}
