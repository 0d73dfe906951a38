package overlap

import (
	"fmt"
	"math"
	"testing"
	"time"

	"antipode/overlap/internal/line"
	"antipode/sphere/elementary"
	"antipode/sphere/must"

	"gonum.org/v1/gonum/integrate/quad"
)

// bivariate returns the mean of a function of (g₁, g₂) by Gauss-Hermite quadrature. It uses other normal
// variables than the package: g₁, and the part of g₂ that is independent of g₁.
func bivariate(mean, variance, correlation float64, f func(g1, g2 float64) float64) float64 {
	const points = 120
	x, w := make([]float64, points), make([]float64, points)
	quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
	sum := 0.0
	deviation := math.Sqrt(variance)
	for i := range x {
		for j := range x {
			a, b := math.Sqrt2*x[i], math.Sqrt2*x[j]
			weight := w[i] * w[j] / math.Pi
			sum += weight * f(mean+deviation*a,
				mean+deviation*(correlation*a+math.Sqrt(1-correlation*correlation)*b))
		}
	}
	return sum
}

// Drift and variance are averages of those for given attention weights, computed from the second moments
// of all entries of V and by a second quadrature over the scores.
func TestResampledGenerator(t *testing.T) {
	const beta, sigma, spread = 0.7, 0.8, 0.9
	for _, v := range []Covariance{Ginibre, {A: 0.8, B: 0.6, C: 0.3}, {A: 0.6, B: -0.6, C: 0.2}} {
		for _, z := range []float64{-0.8, -0.1, 0.7} {
			x := [2][]float64{{1, 0, 0}, {z, math.Sqrt(1 - z*z), 0}}
			moments := func(p1, q1, p2, q2 float64) (drift, variance float64) {
				var a [2][]float64
				for i := range x[0] {
					a[0] = append(a[0], p1*x[0][i]+q1*x[1][i])
					a[1] = append(a[1], p2*x[1][i]+q2*x[0][i])
				}
				return secondMoments(v, x, a)
			}
			// Both are quadratic in the weights, so averages of products of weights suffice.
			names := [4][4]float64{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
			for _, attention := range []Attention{Softmax, Unnormalized} {
				average := func(i, j int) float64 {
					if attention == Softmax {
						return bivariate(beta*(1-z), 2*spread*spread*(1-z), -z, func(g1, g2 float64) float64 {
							p1, p2 := 1/(1+math.Exp(-g1)), 1/(1+math.Exp(-g2))
							weights := [4]float64{p1, 1 - p1, p2, 1 - p2}
							return weights[i] * weights[j]
						})
					}
					// Scores of pairs (1,1), (1,2), (2,2), (2,1) with covariances of products of overlaps.
					pairs := [4][2]int{{0, 0}, {0, 1}, {1, 1}, {1, 0}}
					overlap := func(a, b int) float64 {
						if a == b {
							return 1
						}
						return z
					}
					a, b := pairs[i], pairs[j]
					mean := beta * (overlap(a[0], a[1]) + overlap(b[0], b[1]))
					variance := 2 + 2*overlap(a[0], b[0])*overlap(a[1], b[1])
					return 0.25 * math.Exp(mean+spread*spread*variance/2)
				}
				var drift, variance float64
				for i := range 4 {
					for j := range i + 1 {
						var sum [4]float64
						for k := range sum {
							sum[k] = names[i][k]
							if i != j {
								sum[k] += names[j][k]
							}
						}
						d, s := moments(sum[0], sum[1], sum[2], sum[3])
						if i != j { // the mixed terms of the quadratic form
							d1, s1 := moments(names[i][0], names[i][1], names[i][2], names[i][3])
							d2, s2 := moments(names[j][0], names[j][1], names[j][2], names[j][3])
							d, s = d-d1-d2, s-s1-s2
						}
						mean := average(i, j)
						drift += mean * d
						variance += mean * s
					}
				}
				d := must.Get(NewResampled(3, beta, attention, sigma, spread, v))(t)
				what := fmt.Sprintf("%v, %v, z = %v: ", attention, v, z)
				near(t, what+"drift", d.Drift(z), sigma*sigma*drift, 1e-11)
				near(t, what+"variance", d.Variance(z), sigma*sigma*variance, 1e-11)
			}
		}
	}
}

// Antipodal probabilities computed outside this package: averages by trapezoidal sums over s and r, and
// the scale function by Gauss-Legendre rules, with steps of 1/10 and 1/20, whose results differ by 1e-8.
func TestResampledLimits(t *testing.T) {
	for _, c := range []struct {
		dim          int
		beta, spread float64
		limit        float64
	}{{3, 0, 1.5, 0.199200569182}, {4, 1.5, 0.5, 0.196978128656}} {
		d := must.Get(NewResampled(c.dim, c.beta, Softmax, 1, c.spread, Ginibre))(t)
		p := d.AntipodalUniform()
		near(t, fmt.Sprint(c), p.Value, c.limit, 1e-11)
		if p.Error > 1e-9 {
			t.Errorf("%v: error %g", c, p.Error)
		}
	}
}

// Between its nodes the table interpolates the averages, for flat and for sharply peaked attention.
func TestResampledTable(t *testing.T) {
	for _, c := range []struct{ beta, spread float64 }{{0, 1.5}, {1.5, 0.5}, {20, 3}, {1000, 0.1}} {
		r := &resampled{dim: 4, beta: c.beta, sigma: 1, spread: c.spread, attention: Softmax,
			covariance: Ginibre}
		for u := -23.9; u < 24; u += 0.37 {
			at := line.Of(u)
			m, _ := r.moments(at)
			want := r.averages(at)
			near(t, fmt.Sprintf("%v, u = %v: C", c, u), m.e-1, want[0], 2e-12)
			near(t, fmt.Sprintf("%v, u = %v: w", c, u), m.w, want[1], 2e-12*(1+c.spread*c.spread))
			near(t, fmt.Sprintf("%v, u = %v: sum", c, u), m.sum, want[2], 2e-12)
		}
	}
}

// Whether the ends attract agrees with τ and w, computed from their definition by another quadrature.
// Without βI there is no antipodal clustering for d ≥ 4.
func TestResampledEnds(t *testing.T) {
	for _, c := range []struct{ beta, spread float64 }{{0, 0.3}, {0, 2}, {1.5, 0.5}, {1.5, 1.5}, {0.8, 0.4},
		{3, 1}} {
		tau := quad.Fixed(func(g float64) float64 {
			h := math.Tanh(c.beta + c.spread*g)
			return h * h * math.Exp(-g*g/2) / math.Sqrt(2*math.Pi)
		}, -9, 9, 400, nil, 0)
		w := c.spread * c.spread * quad.Fixed(func(g float64) float64 {
			return math.Pow(math.Cosh(c.beta+c.spread*g), -4) * math.Exp(-g*g/2) / math.Sqrt(2*math.Pi)
		}, -9, 9, 400, nil, 0)
		for dim := 2; dim <= 8; dim++ {
			d := must.Get(NewResampled(dim, c.beta, Softmax, 1, c.spread, Ginibre))(t)
			attracts := float64(dim-2)*(1-tau)+float64(dim-3)*w < 1+tau
			if (d.MinusOne() == Attracting) != attracts || d.PlusOne() != Attracting {
				t.Errorf("d = %d, %v: %v and %v, want %v", dim, c, d.MinusOne(), d.PlusOne(), attracts)
			}
			exponent, _ := d.Lyapunov()
			near(t, "exponent", exponent, (float64(dim-2)*(1-tau)+float64(dim-3)*w-1-tau)/2, 1e-12)
			if c.beta == 0 && attracts != (dim <= 3) {
				t.Errorf("β = 0, d = %d: attracts: %v", dim, attracts)
			}
		}
	}
	// Unnormalized attention: the inequalities of the doc comment.
	for _, c := range []struct {
		dim          int
		beta, spread float64
	}{{4, 1, 0.3}, {4, 1, 0.9}, {4, 1, 1.8}, {5, 2, 1}, {6, 0.5, 1.3}, {3, 0.1, 3}} {
		d := must.Get(NewResampled(c.dim, c.beta, Unnormalized, 1, c.spread, Ginibre))(t)
		square := c.spread * c.spread
		minus := float64(c.dim-2)*math.Exp(-2*square)/math.Cosh(2*c.beta) + float64(c.dim-3)*square
		if (d.MinusOne() == Attracting) != (minus < 1) ||
			(d.PlusOne() == Attracting) != (square*float64(c.dim-3) < float64(c.dim-1)) {
			t.Errorf("unnormalized %v: ends %v and %v", c, d.MinusOne(), d.PlusOne())
		}
	}
}

func TestCriticalSpreads(t *testing.T) {
	for _, attention := range []Attention{Softmax, Unnormalized} {
		for _, dim := range []int{4, 6} {
			for _, beta := range []float64{1.2, 2, 3} {
				spreads, err := CriticalSpreads(dim, beta, attention, Ginibre)
				if err != nil || len(spreads) != 1 {
					t.Fatal(dim, beta, spreads, err)
				}
				for _, x := range []struct {
					factor float64
					want   Boundary
				}{{0.999, Attracting}, {1.001, NonAttracting}} {
					d := must.Get(NewResampled(dim, beta, attention, 1, x.factor*spreads[0], Ginibre))(t)
					if d.MinusOne() != x.want {
						t.Errorf("%v, d = %d, β = %v, S = %v·%v: %v", attention, dim, beta, x.factor,
							spreads[0], d.MinusOne())
					}
				}
			}
		}
	}
	for _, c := range []struct {
		dim  int
		beta float64
	}{{3, 1}, {4, 0}, {6, 0.5}} { // always, never, never
		if spreads, err := CriticalSpreads(c.dim, c.beta, Softmax, Ginibre); err != nil || len(spreads) != 0 {
			t.Errorf("%v: %v, %v", c, spreads, err)
		}
	}
}

func TestResampledDomain(t *testing.T) {
	for _, spread := range []float64{-0.1, 20.1, math.NaN()} {
		if _, err := NewResampled(4, 1, Softmax, 1, spread, Ginibre); err == nil {
			t.Errorf("spread %v is accepted", spread)
		}
	}
	start := time.Now()
	for _, c := range []struct{ beta, spread float64 }{{0, 20}, {1000, 20}, {1000, 1e-9}, {0, 1e-300}} {
		d := must.Get(NewResampled(3, c.beta, Softmax, 1, c.spread, Ginibre))(t)
		p := d.AntipodalUniform()
		if !(p.Value >= 0 && p.Value <= 1 && p.Error < 1e-6) {
			t.Errorf("%v: %v", c, p)
		}
	}
	t.Log(time.Since(start))
	same := must.Get(NewResampled(5, 1.2, Softmax, 1, 0, Covariance{A: 0.8, B: 0.6, C: 0.3}))(t)
	near(t, "spread 0", same.AntipodalUniform().Value, 0.29245067, 5.1e-9)
	small := must.Get(NewResampled(5, 1.2, Softmax, 1, 1e-9, Covariance{A: 0.8, B: 0.6, C: 0.3}))(t)
	near(t, "spread 1e-9", small.AntipodalUniform().Value, 0.29245067, 5.1e-9)
}

// The complete computation by a second method: averages by bivariate on a grid of u, and Simpson's rule
// for h, for the scale function and for the average over the start.
func TestResampledBySimpson(t *testing.T) {
	const dim, beta, spread = 3, 0, 1.5
	const step, edge = 0.1, 12.0
	nodes := int(math.Round(2*edge/step)) + 1
	slope := func(u float64) float64 {
		z := math.Tanh(u)
		var drift, variance float64
		average := func(f func(t1, t2 float64) float64) float64 {
			return bivariate(beta*(1-z), 2*spread*spread*(1-z), -z, func(g1, g2 float64) float64 {
				return f(math.Tanh(g1/2), math.Tanh(g2/2))
			})
		}
		square := average(func(t1, _ float64) float64 { return ((1 + z) + (1-z)*t1*t1) / 2 }) // |A|²
		inner := average(func(t1, t2 float64) float64 { return ((1 + z) - (1-z)*t1*t2) / 2 })
		drift = -float64(dim-1)*z*square + (z*z+dim-2)*inner
		variance = (1 - z*z) * 2 * (square - z*inner)
		return 2*drift*(1-z*z)/variance + 2*z
	}
	// Values at the nodes and at the midpoints between them.
	values := make([]float64, 2*nodes-1)
	for k := range values {
		u := -edge + step/2*float64(k)
		values[k] = slope(max(-8, min(u, 8))) // beyond this, 1-|z| loses accuracy
	}
	rise := make([]float64, nodes)
	for k := 1; k < nodes; k++ {
		rise[k] = rise[k-1] + step/6*(values[2*k-2]+4*values[2*k-1]+values[2*k])
	}
	integral := func(f func(k int) float64, from int) float64 {
		sum := 0.0
		for k := from; k+2 < nodes; k += 2 {
			sum += step / 3 * (f(k) + 4*f(k+1) + f(k+2))
		}
		return sum
	}
	middle := rise[nodes/2]
	density := func(k int) float64 { return math.Exp(middle - rise[k]) }
	left, right := density(0)/-values[0], density(nodes-1)/values[2*nodes-2]
	total := left + integral(density, 0) + right
	p, weight := 0.0, 0.0
	for k := 0; k < nodes; k += 2 { // the trapezoidal rule of an analytic density
		start := math.Pow(math.Cosh(-edge+step*float64(k)), 1-dim)
		p += start * (integral(density, k) + right) / total
		weight += start
	}
	d := must.Get(NewResampled(dim, beta, Softmax, 1, spread, Ginibre))(t)
	near(t, "P(antipodal)", d.AntipodalUniform().Value, p/weight, 2e-6)
	t.Logf("%v by the second method", p/weight)
}

// At the critical β of a dimension, the slope without random scores is 0 up to rounding, of either sign.
// This must not count as a change of sign at a spread.
func TestNoCriticalSpreadByRounding(t *testing.T) {
	for dim := 4; dim < 60; dim++ {
		critical, _ := CriticalBeta(dim)
		spreads, err := CriticalSpreads(dim, critical, Softmax, Ginibre)
		if err != nil || len(spreads) > 0 && spreads[0] < 0.02 {
			t.Errorf("d = %d: %v, %v", dim, spreads, err)
		}
	}
}

// A spread of the scan at which the slope is exactly 0 is found, and once. With unnormalized attention, β =
// 0, d = 3 and the covariance (1, 0, C), the slope at -1 has the sign of e^(-2S²)(1-C) - 1.
func TestCriticalSpreadOfTheScan(t *testing.T) {
	const spread = 0.02
	fall, exact := elementary.Exp(-2*spread*spread), 0
	for k := -4.0; k <= 4; k++ {
		v := Covariance{A: 1, C: (fall-1)/fall + k*0x1p-63}
		r := &resampled{dim: 3, sigma: 1, spread: spread, attention: Unnormalized, covariance: v}
		spreads, err := CriticalSpreads(3, 0, Unnormalized, v)
		if err != nil || len(spreads) != 1 || !(math.Abs(spreads[0]-spread) < 1e-11) {
			t.Errorf("%v: %v, %v, want %v", v, spreads, err, spread)
		} else if r.Slope(line.At(-1)) == 0 {
			exact++
			near(t, "spread of the scan", spreads[0], spread, 0)
		}
	}
	if exact == 0 {
		t.Error("no slope is 0")
	}
}
