package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/sphere"
)

// erfShares are the shares of an odd activation with φ̂ = arcsin(0.8z)/arcsin(0.8).
func erfShares(plus, minus, s, d []Vector) {
	share := func(small float64) (near, far float64) { // of 1-φ̂ and 1+φ̂ at 2(1-z) = small
		z, whole := 1-small/2, math.Asin(0.8)
		if small < 1e-6 {
			return 0.8 / 0.6 / whole, 1
		}
		value := math.Asin(0.8*z) / whole
		return (1 - value) / (1 - z), (1 + value) / (1 + z)
	}
	for v := range plus {
		for k := range plus[v] {
			if s[v][k] > d[v][k] {
				minus[v][k], plus[v][k] = share(d[v][k])
			} else {
				plus[v][k], minus[v][k] = share(s[v][k])
			}
		}
	}
}

func TestMLPChainHasTheSameBitsEverywhere(t *testing.T) {
	for shape := range 6 {
		vectors, alone := []int{1, 2, 5}[shape/2], shape%2 == 1
		for k, p := range chainCases {
			run := func() []Vector {
				r := rand.New(rand.NewPCG(13, 2))
				l, _, _ := scattered(r, vectors)
				c := NewMLPChain(vectors, p.dim, p.beta, p.scale, 0.1*float64(k), 0.02*float64(k%3),
					p.softmax, erfShares)
				if alone {
					c = NewMLPChain(vectors, p.dim, 0, 0, 0.1*float64(k), 0, true, erfShares)
				}
				startOverlaps(r, &c.Overlaps)
				var states []Vector
				for range 50 {
					c.Step(l)
					l.Advance()
					states = slices.Concat(states, c.S, c.D, c.SExponent, c.DExponent)
				}
				return states
			}
			before := active
			active = generic
			want := run()
			active = before
			withEach(t, func(t *testing.T) { sameBits(t, fmt.Sprint(p, vectors), run(), want) })
		}
	}
}

// Without an MLP and a drift it is the chain of attention, to the last bit in one step.
func TestMLPChainWithoutMLPIsTheChain(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	for range 1000 {
		p := chainCases[r.IntN(len(chainCases))]
		c, chain := NewMLPChain(1, p.dim, p.beta, p.scale, 0, 0, p.softmax, nil), NewChain(1, p.dim, p.beta,
			p.scale, p.softmax)
		l, _, _ := scattered(r, 1)
		startOverlaps(r, &c.Overlaps)
		for k := range 8 {
			chain.Start(k, c.S[0][k], c.D[0][k])
		}
		c.Step(l)
		chain.Step(l)
		for k := range 8 {
			if math.Abs(c.S[0][k]/chain.S[0][k]-1) > 1e-13 || math.Abs(c.D[0][k]/chain.D[0][k]-1) > 1e-13 {
				t.Fatalf("%v: %v, %v, want %v, %v", p, c.S[0][k], c.D[0][k], chain.S[0][k], chain.D[0][k])
			}
		}
	}
}

// The step is that of vectors: S' and D' of tokens that attention, the drift and an MLP move, with noises of
// the variances of their definition, their halves normalised, give the same squares.
func TestMLPStepIsTheRecursionOnVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	const strength, drift = 0.23, 0.31
	for range 10_000 {
		p := chainCases[r.IntN(4)]
		c := NewMLPChain(1, p.dim, p.beta, p.scale, strength, drift, p.softmax, erfShares)
		z := 2*r.Float64() - 1
		s, d := 2*(1+z), 2*(1-z)
		var plus, minus [1]Vector
		erfShares(plus[:], minus[:], []Vector{{s}}, []Vector{{d}})
		numbers := randomNumbers(r, p.dim)
		own, other := math.Exp(p.beta)/2, math.Exp(p.beta*z)/2
		if p.softmax {
			own, other = own/(own+other), other/(own+other)
		}
		covariance := strength * math.Asin(0.8*z) / math.Asin(0.8)
		first := math.Sqrt(s*math.Pow(p.scale*(own+other), 2) + 2*(strength+covariance))
		second := math.Sqrt(d*math.Pow(p.scale*(own-other), 2) + 2*(strength-covariance))
		// In the frame ŝ, d̂, rest of g, rest of h.
		S := []float64{math.Sqrt(s)*(1+drift*(own+other)) + first*numbers[0], first * numbers[1],
			first * math.Sqrt(numbers[4]), 0}
		D := []float64{0, math.Sqrt(d) * (1 + drift*(own-other)), 0, 0}
		for k, h := range across(S, []float64{0, 1, 0, 0}, numbers) {
			D[k] += second * h
		}
		x, y := make([]float64, 4), make([]float64, 4)
		for k := range x {
			x[k], y[k] = (S[k]+D[k])/2, (S[k]-D[k])/2
		}
		sphere.Normalize(x, x)
		sphere.Normalize(y, y)
		wantS, wantD := 0., 0.
		for k := range x {
			wantS += (x[k] + y[k]) * (x[k] + y[k])
			wantD += (x[k] - y[k]) * (x[k] - y[k])
		}
		gotS, gotD := mlpStep(s, d, plus[0][0], minus[0][0], numbers, &c.law)
		if math.Abs(gotS-wantS) > 0x1p-46 || math.Abs(gotD-wantD) > 0x1p-46 {
			t.Fatalf("%v: squares %v, %v; want %v, %v", p, gotS, gotD, wantS, wantD)
		}
	}
}

func BenchmarkMLPChain(b *testing.B) {
	none := func(_, _, _, _ []Vector) {}
	l, c := NewLanes(NewStream(1, 1), 8), NewMLPChain(8, 4, 1, 0.1, 0.01, 0, true, none)
	for lane := range 64 {
		l.Set(lane, Increments, int64(lane), 0)
		c.Start(lane, 2, 2)
	}
	benchmarkEach(b, func(b *testing.B) {
		for range b.N {
			c.Step(l)
			l.Advance()
		}
		perLane(b, 64, "ns/layer")
	})
}
