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

// hybridCases are chains that reach every branch of the code.
var hybridCases = []struct {
	beta, noise, drift float64
	softmax            bool
}{
	{1, 0.3, 0.01, true}, {0, 0, 0.5, true}, {1.5, 1.7, 1e-3, true}, {1.5, 0.7, 0.02, false},
	{300, 0.2, 0.01, false}, {1e6, 40, 1, true}, {700, 1e-5, 1e-9, false},
}

// hybridDraws draw v from its laws.
var hybridDraws = []func(v []Vector, lanes *Lanes){
	func(v []Vector, lanes *Lanes) { lanes.Signs(v, 1, 0) },
	func(v []Vector, lanes *Lanes) { lanes.Uniforms(v, math.Sqrt(3), 0) },
	func(v []Vector, lanes *Lanes) { lanes.Normals(v, 1, 0) },
	func(v []Vector, lanes *Lanes) { lanes.TruncatedNormals(v, 1/0.8796256610342398, 0) },
	nil,
}

func TestHybridChainHasTheSameBitsEverywhere(t *testing.T) {
	for _, vectors := range []int{1, 2, 7} {
		for k, p := range hybridCases {
			for _, equalMasses := range []bool{true, false} {
				run := func() []Vector {
					r := rand.New(rand.NewPCG(23, 1))
					l, _, _ := scattered(r, vectors)
					c := NewHybridChain(vectors, p.beta, p.noise, p.drift, p.softmax, equalMasses,
						hybridDraws[k%len(hybridDraws)])
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
				what := fmt.Sprint(p, equalMasses, vectors)
				withEach(t, func(t *testing.T) { sameBits(t, what, run(), want) })
			}
		}
	}
}

// The step is recursion (7) on vectors, for any masses: two tokens and their attention in the plane,
// written out, give the same squares, to some 2^-44 over the length of the shorter one.
func TestHybridStepIsTheRecursionOnVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 1))
	for round := range 20_000 {
		p, masses := hybridCases[r.IntN(4)], massesCases[round%len(massesCases)]
		if round%2 == 0 {
			masses = [2]float64{1, 1}
		}
		z, v := 2*r.Float64()-1, r.NormFloat64()
		s, d := 2*(1+z), 2*(1-z)
		x, y := []float64{math.Sqrt(s) / 2, math.Sqrt(d) / 2}, []float64{math.Sqrt(s) / 2, -math.Sqrt(d) / 2}
		move := func(own, other []float64, m, n float64) []float64 {
			p1, q1 := m*math.Exp(p.beta), n*math.Exp(p.beta*z)
			total := m + n
			if p.softmax {
				total = p1 + q1
			}
			moved := make([]float64, 2)
			for k := range moved {
				moved[k] = own[k] + (p.drift+p.noise*v)*(p1*own[k]+q1*other[k])/total
			}
			return moved
		}
		one, other := move(x, y, masses[0], masses[1]), move(y, x, masses[1], masses[0])
		least := min(sphere.Normalize(one, one), sphere.Normalize(other, other))
		wantS := math.Pow(one[0]+other[0], 2) + math.Pow(one[1]+other[1], 2)
		wantD := math.Pow(one[0]-other[0], 2) + math.Pow(one[1]-other[1], 2)
		for _, equalMasses := range []bool{true, false} {
			if equalMasses && masses[0] != masses[1] {
				continue
			}
			c := NewHybridChain(1, p.beta, p.noise, p.drift, p.softmax, equalMasses, nil)
			c.Weigh(0, masses[0], masses[1])
			gotS, gotD := hybridSquares(s, d, v, &c.law)
			if !equalMasses {
				gotS, gotD = hybridMassesSquares(s, d, c.difference[0][0], v, &c.law)
			}
			if !(math.Abs(gotS-wantS)*least <= 0x1p-44 && math.Abs(gotD-wantD)*least <= 0x1p-44) {
				t.Fatalf("%v, masses %v, z = %v, v = %v: squares %v, %v; want %v, %v",
					p, masses, z, v, gotS, gotD, wantS, wantD)
			}
		}
	}
}

// However small a square is, it keeps its digits: the ratio of the two is multiplied by the square of
// (1+f(p+q))/(1+f(p-q)), here with 100 digits but for the weights.
func TestHybridSquaresKeepRelativePrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 1))
	big100 := func(x float64) *big.Float { return new(big.Float).SetPrec(330).SetFloat64(x) }
	for round := range 4_000 {
		p := hybridCases[r.IntN(4)]
		small, v := math.Exp2(-230*r.Float64()), r.NormFloat64()
		s, d := 4-small, small
		if round%2 == 0 {
			s, d = d, s
		}
		lost := math.Expm1(-p.beta / 2 * d)
		f := big100(p.drift)
		f.Add(f, new(big.Float).Mul(big100(p.noise), big100(v)))
		sum, difference := big100(2+lost), big100(-lost) // p+q and p-q, times 2e^-β if not softmax
		factor := func(weight *big.Float) *big.Float {
			x := new(big.Float).Mul(f, weight)
			if p.softmax {
				x.Quo(x, sum)
			} else {
				x.Mul(x, big100(math.Exp(p.beta)/2))
			}
			return x.Add(x, big100(1))
		}
		ratio := new(big.Float).Quo(factor(sum), factor(difference))
		want := new(big.Float).Mul(ratio, ratio)
		want.Mul(want, new(big.Float).Quo(big100(s), big100(d)))
		for _, equalMasses := range []bool{true, false} {
			c := NewHybridChain(1, p.beta, p.noise, p.drift, p.softmax, equalMasses, nil)
			gotS, gotD := hybridSquares(s, d, v, &c.law)
			if !equalMasses {
				gotS, gotD = hybridMassesSquares(s, d, 0, v, &c.law)
			}
			// A factor near 0 has lost digits before: f has a rounding.
			condition := 1.0
			for _, weight := range []*big.Float{sum, difference} {
				x, _ := factor(weight).Float64()
				condition = max(condition, (1+math.Abs(x-1))/math.Abs(x))
			}
			off := new(big.Float).Quo(new(big.Float).Quo(big100(gotS), big100(gotD)), want)
			if loss, _ := off.Sub(off, big100(1)).Float64(); !(math.Abs(loss) <= 30*0x1p-53*condition) {
				t.Fatalf("%v, equal masses %v, squares %v and %v, v = %v: off by %g",
					p, equalMasses, s, d, v, loss)
			}
			if !(math.Abs(gotS+gotD-4) < 1e-14) {
				t.Fatalf("squares %v and %v", gotS, gotD)
			}
		}
	}
}

// Squares far below the smallest float64 keep their digits: a chain 1024 powers of two lower in |D|²
// gives the same squares but for the exponent, on its way down and up again.
func TestHybridChainGoesOnBelowUnderflow(t *testing.T) {
	withEach(t, func(t *testing.T) {
		for _, equalMasses := range []bool{true, false} {
			noise, drift := 0.3, 0.4
			c := NewHybridChain(2, 2, noise, drift, true, equalMasses,
				func(v []Vector, lanes *Lanes) { lanes.Normals(v, 1, 0) })
			l := NewLanes(NewStream(26, 1), 2)
			for lane := range 8 {
				for half := range 2 {
					l.Set(8*half+lane, Increments, int64(lane), 0)
					c.Start(8*half+lane, 4, 0x1p-200)
				}
				c.DExponent[1][lane] = -1024
			}
			lowest, highest := 0., -2000.
			for layer := range 3000 {
				if layer == 1600 { // back up
					for row, x := range [...]float64{noise, -drift} {
						for k := range 4 {
							c.law[4+row][k] = x
						}
					}
				}
				c.Step(l)
				l.Advance()
				for lane := range 8 {
					_, one := c.Logarithms(lane)
					_, other := c.Logarithms(8 + lane)
					if one < -50*math.Ln2 && !(math.Abs(one-other-1024*math.Ln2) < 1e-9) {
						t.Fatalf("layer %d, lane %d: ln(1-Z) = %v and %v", layer, lane, one, other)
					}
					if one > -50*math.Ln2 { // it is its own from here on
						c.Start(lane, 4, 0x1p-200)
						c.Start(8+lane, 4, 0x1p-200)
						c.DExponent[1][lane] = -1024
					}
					lowest, highest = min(lowest, other), max(highest, other)
				}
			}
			if lowest > -2500*math.Ln2 || highest < -1100*math.Ln2 {
				t.Errorf("ln(1-Z) from %v to %v: tells little", lowest, highest)
			}
		}
	})
}

func TestRescaledHybridSquaresKeepTheirValue(t *testing.T) {
	for _, c := range []struct{ square, exponent, wantSquare, wantExponent float64 }{
		{0x1p-241, 0, 0x1p-177, -64}, {0x1p-500, -64, 0x1p-180, -384}, {0x1p-240, 0, 0x1p-240, 0},
		{0x1p-129, -64, 0x1p-193, 0}, {0x1p-60, -256, 0x1p-188, -128}, {0x1p-130, -64, 0x1p-130, -64},
		{4, 0, 4, 0}, {0, 0, 0, 0}, {0, -64, 0, -64}, {4, -64, 0x1p-62, 0},
	} {
		if square, exponent := rescaledHybrid(c.square, c.exponent); square != c.wantSquare ||
			exponent != c.wantExponent {
			t.Errorf("%v·2^%v, want %v·2^%v", square, exponent, c.wantSquare, c.wantExponent)
		}
	}
}

func BenchmarkHybridChain(b *testing.B) {
	for _, equalMasses := range []bool{true, false} {
		for k, name := range []string{"signs", "uniform", "normal", "truncated", "none"} {
			l := NewLanes(NewStream(1, 1), 8)
			c := NewHybridChain(8, 1, 0.1, 0.01, true, equalMasses, hybridDraws[k])
			for lane := range 64 {
				l.Set(lane, Increments, int64(lane), 0)
				c.Start(lane, 2, 2)
				c.Weigh(lane, 1, 2)
			}
			b.Run(fmt.Sprintf("equal=%v/%s", equalMasses, name), func(b *testing.B) {
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
}
