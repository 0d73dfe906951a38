package kernels

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/internal/instructionset"
	"antipode/sphere"
)

// massesCases are masses whose differences are of all sizes.
var massesCases = [][2]float64{{1, 1}, {1, 2}, {49, 1}, {25, 25}, {17, 33}, {1, 1e6}}

func TestMassesChainHasTheSameBitsEverywhere(t *testing.T) {
	for _, vectors := range []int{1, 2, 5} {
		for _, p := range chainCases {
			run := func() []Vector {
				r := rand.New(rand.NewPCG(17, 1))
				l, _, _ := scattered(r, vectors)
				c := NewMassesChain(vectors, p.dim, p.beta, p.scale, p.softmax)
				startOverlaps(r, &c.Overlaps)
				weigh := func(lane int) {
					masses := massesCases[r.IntN(len(massesCases))]
					c.Weigh(lane, masses[0], masses[1])
				}
				for lane := range 8 * vectors {
					weigh(lane)
				}
				var states []Vector
				for step := range 50 {
					c.Step(l)
					l.Advance()
					states = slices.Concat(states, c.S, c.D, c.SExponent, c.DExponent)
					if step%5 == 0 { // a lane is refilled
						lane := r.IntN(8 * vectors)
						l.Set(lane, Increments, r.Int64N(100), 0)
						c.Start(lane, 1.5, 2.5)
						weigh(lane)
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

// columns are g and h such that (x, 0, 0, 0) + ag + bh and (0, y, 0, 0) + cg + eh are the S'
// and D' of the numbers.
func columns(x, y, a, b, c, e float64, numbers *chainNumbers) (g, h []float64) {
	norm := math.Hypot(a, b)
	zeta := []float64{numbers[0], numbers[1], math.Sqrt(numbers[4]), 0}
	s, d := make([]float64, 4), make([]float64, 4)
	s[0], d[1] = x, y
	for k, z := range zeta {
		s[k] += norm * z
		d[k] += (c*a + e*b) / norm * z
	}
	g, h = make([]float64, 4), make([]float64, 4)
	for k, eta := range across(s, d, numbers) {
		g[k], h[k] = (a*zeta[k]-b*eta)/norm, (b*zeta[k]+a*eta)/norm
	}
	return g, h
}

// The step is recursion (4) on vectors: two tokens moved by the same matrix V, of which the
// columns are made from the same numbers, to some 2^-47 where vectors have the digits.
func TestMassesStepIsTheRecursionOnVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 1))
	for round := range 20_000 {
		p, masses := chainCases[r.IntN(4)], massesCases[round%len(massesCases)]
		c := NewMassesChain(1, p.dim, p.beta, p.scale, p.softmax)
		c.Weigh(0, masses[0], masses[1])
		z := 2*r.Float64() - 1
		if round%5 == 0 && masses[0] != masses[1] {
			z = -1
		}
		s, d := 2*(1+z), 2*(1-z)
		numbers := randomNumbers(r, p.dim)
		x, y := []float64{math.Sqrt(s) / 2, math.Sqrt(d) / 2, 0, 0},
			[]float64{math.Sqrt(s) / 2, -math.Sqrt(d) / 2, 0, 0}
		total := masses[0] + masses[1]
		field := func(own, other []float64, m, n float64) (along, across float64) {
			p, q := m*math.Exp(p.beta), n*math.Exp(p.beta*z)
			p, q = p/total, q/total
			if c.law[3][0] > 0 {
				p, q = p/(p+q), q/(p+q)
			}
			return p*own[0] + q*other[0], p*own[1] + q*other[1]
		}
		firstAlong, firstAcross := field(x, y, masses[0], masses[1])
		secondAlong, secondAcross := field(y, x, masses[1], masses[0])
		// V in the frame of the directions of S and D: its first two columns.
		g, h := columns(math.Sqrt(s), math.Sqrt(d),
			p.scale*(firstAlong+secondAlong), p.scale*(firstAcross+secondAcross),
			p.scale*(firstAlong-secondAlong), p.scale*(firstAcross-secondAcross), numbers)
		for k := range x {
			x[k] += p.scale * (firstAlong*g[k] + firstAcross*h[k])
			y[k] += p.scale * (secondAlong*g[k] + secondAcross*h[k])
		}
		sphere.Normalize(x, x)
		sphere.Normalize(y, y)
		wantS, wantD := 0., 0.
		for k := range x {
			wantS += (x[k] + y[k]) * (x[k] + y[k])
			wantD += (x[k] - y[k]) * (x[k] - y[k])
		}
		gotS, gotD := massesStep(s, d, c.difference[0][0], numbers, &c.law)
		if !(math.Abs(gotS-wantS) <= 0x1p-47 && math.Abs(gotD-wantD) <= 0x1p-47) {
			t.Fatalf("%v, masses %v, z = %v: squares %v, %v; want %v, %v",
				p, masses, z, gotS, gotD, wantS, wantD)
		}
	}
}

// With equal masses it is the other chain: from the same numbers the same squares, each to
// some roundings a layer, however small they are.
func TestMassesChainOfEqualMassesIsTheChain(t *testing.T) {
	for _, p := range chainCases {
		r := rand.New(rand.NewPCG(19, 1))
		l, _, _ := scattered(r, 8)
		one, other := NewChain(8, p.dim, p.beta, p.scale, p.softmax),
			NewMassesChain(8, p.dim, p.beta, p.scale, p.softmax)
		startOverlaps(r, &one.Overlaps)
		for lane := range 64 {
			other.Start(lane, one.S[lane/8][lane%8], one.D[lane/8][lane%8])
			other.Weigh(lane, 7, 7)
		}
		one.Step(l)
		other.Step(l)
		for v := range one.S {
			for k := range 8 {
				for _, pair := range [][2]float64{
					{one.S[v][k], other.S[v][k] * math.Exp2(other.SExponent[v][k]-one.SExponent[v][k])},
					{one.D[v][k], other.D[v][k] * math.Exp2(other.DExponent[v][k]-one.DExponent[v][k])},
				} {
					// The tolerance is for the loss where S' and D' are nearly parallel.
					if !(math.Abs(pair[0]-pair[1]) <= 1e-13*pair[0]) {
						t.Errorf("%v: %v, and %v", p, pair[0], pair[1])
					}
				}
			}
		}
	}
}

// At β = 150 opposite clusters of unequal masses come apart by the tiny amount of the theory,
// S = b²|D|²χ² with χ² of d-1 degrees of freedom, less what is along D: its mean over 4000
// lanes is within 5 standard errors. And small D continue below underflow, as do small S of equal
// masses.
func TestMassesChainAtTheEnds(t *testing.T) {
	const beta, scale, dim, vectors = 150., 0.1, 4, 500
	withEach(t, func(t *testing.T) {
		l, c := NewLanes(NewStream(20, 1), vectors), NewMassesChain(vectors, dim, beta, scale, true)
		for lane := range 8 * vectors {
			l.Set(lane, Increments, int64(lane), 0)
			c.Start(lane, 0, 4)
			c.Weigh(lane, 1, 2)
		}
		c.Step(l)
		b := scale * math.Exp(-2*beta) * (1./2 - 2)
		sum, squares := 0., 0.
		for _, vector := range c.S {
			for _, s := range vector {
				s /= 4 * b * b
				sum, squares = sum+s, squares+s*s
			}
		}
		n := 8. * vectors
		mean := sum / n
		deviation := math.Sqrt((squares/n - mean*mean) / n)
		// Mean of χ²₃/|d̂+eh|², e = scale: exact enough is a sample of another generator.
		r := rand.New(rand.NewPCG(20, 2))
		want := 0.
		for range 1_000_000 {
			h := [4]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			across := h[1]*h[1] + h[2]*h[2] + h[3]*h[3]
			norm := (1+scale*h[0])*(1+scale*h[0]) + scale*scale*across
			want += across / (norm * norm) / 1e6
		}
		if !(math.Abs(mean-want) <= 5*deviation) {
			t.Errorf("S is %v ± %v times (b|D|)², want %v", mean, deviation, want)
		}
	})
	withEach(t, func(t *testing.T) {
		l, c := NewLanes(NewStream(16, 1), 4), NewMassesChain(4, 4, 3, 0.3, true)
		for lane := range 16 {
			s, d, exponent, first := 4., 0x1p-200, &c.DExponent, 1. // unequal masses near +1
			if lane >= 8 {
				s, d, exponent, first = 0x1p-200, 4, &c.SExponent, 2 // equal ones near -1
			}
			for half := range 2 {
				l.Set(lane+16*half, Increments, int64(lane), 0)
				c.Start(lane+16*half, s, d)
				c.Weigh(lane+16*half, first, 2)
			}
			(*exponent)[lane/8+2][lane%8] = -1024
		}
		for range 20_000 {
			c.Step(l)
			l.Advance()
		}
		for lane := range 8 {
			for v, state := range [][2][]Vector{{c.D, c.DExponent}, {c.S, c.SExponent}} {
				small, exponent := state[0], state[1]
				if small[v][lane] != small[v+2][lane] || exponent[v][lane] != exponent[v+2][lane]+1024 {
					if exponent[v][lane] < 0 || small[v][lane] < 0x1p-130 {
						t.Errorf("lane %d: %v·2^%v and %v·2^%v",
							lane, small[v][lane], exponent[v][lane], small[v+2][lane], exponent[v+2][lane])
					}
				}
			}
		}
		if c.DExponent[0][0] > -1024 || c.SExponent[1][0] > -1024 {
			t.Errorf("exponents %v, %v: not below underflow", c.DExponent[0][0], c.SExponent[1][0])
		}
	})
}

// exactRetract is Z after a layer from the vectors S' and D' in 400 bits: 1+Z and 1-Z.
func exactRetract(s, d []float64) (above, below float64) {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }
	var uu, vv, uv = number(0), number(0), number(0)
	for k := range s {
		u := number(0).Add(number(s[k]), number(d[k]))
		v := number(0).Sub(number(s[k]), number(d[k]))
		uu.Add(uu, number(0).Mul(u, u))
		vv.Add(vv, number(0).Mul(v, v))
		uv.Add(uv, number(0).Mul(u, v))
	}
	norms := number(0).Sqrt(number(0).Mul(uu, vv))
	z := number(0).Quo(uv, norms)
	above, _ = number(0).Add(number(1), z).Float64()
	below, _ = number(0).Sub(number(1), z).Float64()
	return above, below
}

// Both squares of the next layer have relative errors of a few roundings, however small
// they are: at most 17 units of 2^-53 over the sine of the angle of D' and S' were seen.
func TestMassesStepKeepsRelativePrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	worst := 0.0
	for round := range 20_000 {
		p, masses := chainCases[2+round%2], massesCases[round%len(massesCases)]
		chain := NewMassesChain(1, p.dim, p.beta, p.scale, p.softmax)
		chain.Weigh(0, masses[0], masses[1])
		small := math.Exp(-60 * r.Float64())
		above, below := small, 4-small
		if r.IntN(2) == 0 {
			above, below = below, above
		}
		numbers := randomNumbers(r, 4)
		a, b, c, e, _ := massesWeights(below, chain.difference[0][0], chain.law[1][0],
			chain.law[2][0], chain.law[3][0])
		x, y, one := math.Sqrt(above), math.Sqrt(below), chain.law[0][0]
		g, h := columns(one*x, one*y, a*x, b*y, c*x, e*y, numbers)
		s, d := make([]float64, 4), make([]float64, 4)
		for i := range s {
			s[i], d[i] = a*x*g[i]+b*y*h[i], c*x*g[i]+e*y*h[i]
		}
		s[0] += one * x
		d[1] += one * y
		wantAbove, wantBelow := exactRetract(s, d)
		var ss, dd, sd float64
		for i := range s {
			ss, dd, sd = ss+s[i]*s[i], dd+d[i]*d[i], sd+s[i]*d[i]
		}
		sine := math.Sqrt(1 - sd*sd/(ss*dd))
		gotAbove, gotBelow := massesStep(above, below, chain.difference[0][0], numbers, &chain.law)
		for _, pair := range [][2]float64{{gotAbove / 2, wantAbove}, {gotBelow / 2, wantBelow}} {
			loss := math.Abs(pair[0]/pair[1]-1) * 0x1p53 * sine
			worst = max(worst, loss)
			if !(loss <= 40) {
				t.Fatalf("%v, exactly %v: %.0f roundings, sine %.3g, from %v, %v",
					pair[0], pair[1], loss, sine, above, below)
			}
		}
	}
	t.Logf("largest loss %.1f roundings over the sine of the angle", worst)
}

func BenchmarkMassesChain(b *testing.B) {
	l, c := NewLanes(NewStream(1, 1), 4), NewMassesChain(4, 4, 1, 0.1, true)
	for lane := range 32 {
		l.Set(lane, Increments, int64(lane), 0)
		c.Start(lane, 2, 2)
		c.Weigh(lane, 1, 2)
	}
	benchmarkEach(b, func(b *testing.B) {
		for range b.N {
			c.Step(l)
			l.Advance()
		}
		perLane(b, 32, "ns/layer")
	})
}
