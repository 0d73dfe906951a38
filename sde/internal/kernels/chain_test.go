package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/internal/instructionset"
	"antipode/sphere"
)

// chainCases are chains that reach every branch of the code.
var chainCases = []struct {
	dim         int
	beta, scale float64
	softmax     bool
}{{2, 1, 0.3, true}, {3, 0, 0.3, true}, {4, 1.5, 0.1, true}, {4, 1.5, 0.1, false}, {7, 300, 0.5, false},
	{64, 2, 1, true}, {1000, 0.7, 0.01, false}}

// startOverlaps sets all lanes to overlaps of all sizes, ±1 among them.
func startOverlaps(r *rand.Rand, c *Overlaps) {
	for lane := range 8 * len(c.S) {
		small := math.Exp2(-500*r.Float64() + 1)
		switch {
		case lane%7 == 0:
			small = 0
		case lane%3 == 0:
			small = 2 * r.Float64()
		}
		if r.IntN(2) == 0 {
			c.Start(lane, 4-small, small)
		} else {
			c.Start(lane, small, 4-small)
		}
	}
}

func TestChainHasTheSameBitsEverywhere(t *testing.T) {
	for _, vectors := range []int{1, 2, 5} {
		for _, p := range chainCases {
			run := func() []Vector {
				r := rand.New(rand.NewPCG(13, 1))
				l, _, _ := scattered(r, vectors)
				c := NewChain(vectors, p.dim, p.beta, p.scale, p.softmax)
				startOverlaps(r, &c.Overlaps)
				var states []Vector
				for step := range 50 {
					c.Step(l)
					l.Advance()
					states = slices.Concat(states, c.S, c.D, c.SExponent, c.DExponent)
					if step%5 == 0 { // a lane is refilled
						lane := r.IntN(8 * vectors)
						l.Set(lane, Increments, r.Int64N(100), 0)
						c.Start(lane, 1.5, 2.5)
					}
				}
				return states
			}
			before := instructionset.Active()
			instructionset.Select("generic")
			want := run()
			instructionset.Select(before)
			withEach(t, func(t *testing.T) { sameBits(t, fmt.Sprint(p, vectors), run(), want) })
		}
	}
}

// The step is recursion (4) on vectors: S' and D' built from the same numbers, their halves
// normalised, give the same squares, to some 2^-47 where vectors have the digits.
func TestChainStepIsTheRecursionOnVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	for range 10_000 {
		p := chainCases[r.IntN(4)]
		c := NewChain(1, p.dim, p.beta, p.scale, p.softmax)
		z := 2*r.Float64() - 1
		s, d := 2*(1+z), 2*(1-z)
		numbers := randomNumbers(r, p.dim)
		own, other := math.Exp(p.beta)/2, math.Exp(p.beta*z)/2
		if p.softmax {
			own, other = own/(own+other), other/(own+other)
		}
		c1, c2 := p.scale*(own+other), p.scale*(own-other)
		// In the frame ŝ, d̂, rest of g, rest of h.
		x, y, D := make([]float64, 4), make([]float64, 4), []float64{0, 1, 0, 0}
		S := []float64{1 + c1*numbers[0], c1 * numbers[1], c1 * math.Sqrt(numbers[4]), 0}
		for k, h := range across(S, D, numbers) {
			D[k] += c2 * h
		}
		for k := range x {
			u, v := math.Sqrt(s)*S[k], math.Sqrt(d)*D[k]
			x[k], y[k] = (u+v)/2, (u-v)/2
		}
		sphere.Normalize(x, x)
		sphere.Normalize(y, y)
		wantS, wantD := 0., 0.
		for k := range x {
			wantS += (x[k] + y[k]) * (x[k] + y[k])
			wantD += (x[k] - y[k]) * (x[k] - y[k])
		}
		gotS, gotD := chainStep(s, d, numbers, &c.law)
		if !(math.Abs(gotS-wantS) <= 0x1p-47) || !(math.Abs(gotD-wantD) <= 0x1p-47) {
			t.Fatalf("%v: squares %v, %v; want %v, %v", p, gotS, gotD, wantS, wantD)
		}
	}
}

// randomNumbers returns random numbers of the laws that a step of a chain needs.
func randomNumbers(r *rand.Rand, dim int) *chainNumbers {
	var numbers chainNumbers
	for k := range 4 {
		numbers[k] = r.NormFloat64()
	}
	for k := range 2 {
		for range dim - 2 {
			x := r.NormFloat64()
			numbers[4+k] += x * x
		}
	}
	return &numbers
}

// across is the vector whose numbers are along s, along what of d is orthogonal to s, and
// along the fourth axis, which is orthogonal to both.
func across(s, d []float64, numbers *chainNumbers) []float64 {
	u, v := make([]float64, len(s)), make([]float64, len(s))
	sphere.Normalize(u, s)
	along := sphere.Dot(u, d)
	for k := range v {
		v[k] = d[k] - along*u[k]
	}
	sphere.Normalize(v, v)
	h := make([]float64, len(s))
	for k := range h {
		h[k] = numbers[2]*u[k] + numbers[3]*v[k]
	}
	h[3] += math.Sqrt(numbers[5])
	return h
}

// After ten layers the chain has the law of the recursion of two tokens with full value
// matrices: Kolmogorov-Smirnov of two samples of 32,000, a false alarm in some 10^5 seeds.
// With one degree of freedom less in χ², or β half as high again, it fails.
func TestChainHasTheLawOfTheTokens(t *testing.T) {
	const samples, layers, dim, beta = 32_000, 10, 3, 1.5
	scale := 0.3
	chain := func(dim int, beta float64) []float64 {
		c := NewChain(samples/8, dim, beta, scale, true)
		l := NewLanes(NewStream(15, 1), samples/8)
		for lane := range samples {
			c.Start(lane, 2, 2)
			l.Set(lane, Increments, int64(lane), 0)
		}
		for range layers {
			c.Step(l)
			l.Advance()
		}
		var overlaps []float64
		for v := range c.S {
			for k := range c.S[v] {
				overlaps = append(overlaps, (c.S[v][k]-c.D[v][k])/4)
			}
		}
		return overlaps
	}
	s := NewStream(15, 2)
	tokens := make([]float64, samples)
	for j := range tokens {
		x, y, value := []float64{1, 0, 0}, []float64{0, 1, 0}, make([]float64, dim*dim)
		for layer := range int64(layers) {
			s.Normals(value, scale, Increments, int64(j), layer)
			z := sphere.Dot(x, y)
			q := 1 / (1 + math.Exp(beta*(1-z)))
			var u, v [dim]float64
			for r := range dim {
				for k := range dim {
					u[r] += value[r*dim+k] * ((1-q)*x[k] + q*y[k])
					v[r] += value[r*dim+k] * ((1-q)*y[k] + q*x[k])
				}
			}
			sphere.Retract(x, x, u[:])
			sphere.Retract(y, y, v[:])
		}
		tokens[j] = sphere.Dot(x, y)
	}
	if k := kolmogorovTwo(chain(dim, beta), tokens); k > 2.6 {
		t.Errorf("distance %.2f", k)
	}
	for _, wrong := range [][]float64{chain(dim-1, beta), chain(dim, 1.5*beta)} {
		if k := kolmogorovTwo(wrong, tokens); k < 2.6 {
			t.Errorf("distance %.2f of a wrong chain goes unnoticed", k)
		}
	}
}

// kolmogorovTwo returns √(n/2) times the distance of the distributions of two samples of n numbers; it is
// above 2.6 with probability 3e-6 if the laws are the same.
func kolmogorovTwo(a, b []float64) float64 {
	slices.Sort(a)
	slices.Sort(b)
	worst, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		if a[i] <= b[j] {
			i++
		} else {
			j++
		}
		worst = max(worst, i-j, j-i)
	}
	n := float64(len(a))
	return float64(worst) / n * math.Sqrt(n/2)
}

// Squares far below the smallest float64 keep their digits: a chain 1000 powers of two
// lower in |S|² gives the same squares but for the exponent.
func TestChainGoesOnBelowUnderflow(t *testing.T) {
	withEach(t, func(t *testing.T) {
		l := NewLanes(NewStream(16, 1), 2)
		c := NewChain(2, 4, 3, 0.3, true)
		for lane := range 8 {
			for half := range 2 {
				l.Set(8*half+lane, Increments, int64(lane), 0)
				c.Start(8*half+lane, 0x1p-200, 4)
			}
			c.SExponent[1][lane] = -1024
		}
		for range 20_000 {
			c.Step(l)
			l.Advance()
			for lane := range 8 {
				if c.S[0][lane] != c.S[1][lane] || c.SExponent[0][lane] != c.SExponent[1][lane]+1024 {
					if c.SExponent[0][lane] < 0 || c.S[0][lane] < 0x1p-130 {
						t.Fatalf("lane %d: %v·2^%v and %v·2^%v",
							lane, c.S[0][lane], c.SExponent[0][lane], c.S[1][lane], c.SExponent[1][lane])
					}
				}
			}
		}
		if c.SExponent[0][0] > -1024 {
			t.Errorf("exponent %v: not below underflow", c.SExponent[0][0])
		}
	})
}

func BenchmarkChain(b *testing.B) {
	for _, dim := range []int{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 64} {
		l, c := NewLanes(NewStream(1, 1), 8), NewChain(8, dim, 1, 0.1, true)
		for lane := range 64 {
			l.Set(lane, Increments, int64(lane), 0)
			c.Start(lane, 2, 2)
		}
		b.Run(fmt.Sprintf("d=%d", dim), func(b *testing.B) {
			benchmarkEach(b, func(b *testing.B) {
				for range b.N {
					c.Step(l)
					l.Advance()
				}
				perLane(b, 64, "ns/layer")
			})
		})
	}
}
