package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"antipode/internal/instructionset"
	"antipode/sphere"
	"antipode/sphere/activation"
)

// tableOf is the table of an activation.
func tableOf(a activation.Activation, variance float64) *activation.Table {
	c, err := activation.NewCorrelation(a, variance)
	if err != nil {
		panic(err)
	}
	return c.Table()
}

// erfTable is that of φ̂ = arcsin(0.8z)/arcsin(0.8).
var erfTable = tableOf(activation.Erf, 2)

// Shares at squares of all sizes, 0, near 2 and beyond it by rounding.
func TestSharesHaveTheSameBitsEverywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 5))
	s, d := make([]Vector, 500), make([]Vector, 500)
	for v := range s {
		for k := range s[v] {
			small := 2 * math.Exp(-100*math.Pow(r.Float64(), 3))
			switch r.IntN(20) {
			case 0:
				small = 0
			case 1:
				small = 2 + float64(r.IntN(5)-2)*0x1p-52
			case 2:
				small = math.Ldexp(1, -r.IntN(140))
			}
			s[v][k], d[v][k] = small, 4-small
			if r.IntN(2) == 0 {
				s[v][k], d[v][k] = d[v][k], s[v][k]
			}
		}
	}
	s[0][0], d[0][0] = 2, 2
	for a := range activation.Names {
		for _, w := range []float64{activation.LeastVariance, 4, activation.LargestVariance} {
			table := tableOf(activation.Activation(a), w)
			want, got := make([]Vector, 1000), make([]Vector, 1000)
			table.Shares(want[:500], want[500:], s, d)
			withEach(t, func(t *testing.T) {
				clear(got)
				active().shares(got[:500], got[500:], s, d, table)
				sameBits(t, fmt.Sprint(activation.Activation(a), w), got, want)
			})
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
					p.softmax, erfTable)
				if alone {
					c = NewMLPChain(vectors, p.dim, 0, 0, 0.1*float64(k), 0, true, erfTable)
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
			before := instructionset.Active()
			instructionset.Select("generic")
			want := run()
			instructionset.Select(before)
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
			if s, d := chain.S[0][k], chain.D[0][k]; !(math.Abs(c.S[0][k]-s) <= 1e-13*s) ||
				!(math.Abs(c.D[0][k]-d) <= 1e-13*d) {
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
		c := NewMLPChain(1, p.dim, p.beta, p.scale, strength, drift, p.softmax, erfTable)
		z := 2*r.Float64() - 1
		s, d := 2*(1+z), 2*(1-z)
		var plus, minus [1]Vector
		erfTable.Shares(plus[:], minus[:], []Vector{{s}}, []Vector{{d}})
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
		if !(math.Abs(gotS-wantS) <= 0x1p-46) || !(math.Abs(gotD-wantD) <= 0x1p-46) {
			t.Fatalf("%v: squares %v, %v; want %v, %v", p, gotS, gotD, wantS, wantD)
		}
	}
}

func BenchmarkMLPChain(b *testing.B) {
	l, c := NewLanes(NewStream(1, 1), 8), NewMLPChain(8, 4, 1, 0.1, 0.01, 0, true, erfTable)
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
