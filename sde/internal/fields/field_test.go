package fields

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/team"
	"antipode/sde/internal/kernels"
	"antipode/sphere"
)

// unit returns random unit tokens, some of which coincide.
func unit(r *rand.Rand, n, d int) kernels.Matrix {
	x := kernels.NewMatrix(n, d)
	for i := range n {
		token := x.Numbers(i)
		if i > 1 && r.IntN(4) == 0 {
			copy(token, x.Numbers(r.IntN(i)))
			continue
		}
		for k := range token {
			token[k] = r.NormFloat64()
		}
		sphere.Normalize(token, token)
	}
	return x
}

// naive computes the attention field of eq. (2) or (3) term by term.
func naive(a Attention, x *kernels.Matrix, masses []float64) [][]float64 {
	field := make([][]float64, len(masses))
	for i := range masses {
		field[i] = make([]float64, a.Dim)
		total := 0.0
		for j, mass := range masses {
			score := 0.0
			for k, v := range x.Numbers(i) {
				for l, w := range x.Numbers(j) {
					if a.Interaction != nil {
						score += v * a.Interaction[k*a.Dim+l] * w
					} else if k == l {
						score += v * w
					}
				}
			}
			weight := mass * math.Exp(a.Beta*score)
			total += weight
			for k, v := range x.Numbers(j) {
				field[i][k] += weight * v
			}
		}
		if !a.Softmax {
			total = float64(a.Count)
		}
		for k := range field[i] {
			field[i][k] /= total
		}
	}
	return field
}

// The field is that of the equations, to rounding, with one goroutine, and has the same bits with several.
// Tokens that coincide have the same field. The number of tokens decreases and increases again.
func TestFieldIsThatOfTheEquations(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 4))
	for round := range 36 {
		a := Attention{
			Beta: []float64{0, 0.3, 4, 30}[round%4], Softmax: r.IntN(2) == 0,
			Count: 2 + r.IntN(70), Dim: 1 + r.IntN(40),
		}
		if round >= 33 { // several tiles or strips, of which the last is smaller
			a.Count, a.Dim = 200+30*(round-33), []int{3, 26, 2}[round-33]
		}
		if r.IntN(3) == 0 && round < 33 || round == 35 {
			a.Interaction = make([]float64, a.Dim*a.Dim)
			for k := range a.Interaction {
				a.Interaction[k] = r.NormFloat64() / float64(a.Dim)
			}
		}
		computed := a
		if round%3 == 2 || round == 33 { // by a function of one's own
			computed.Beta, computed.Weigh = 0, func(scores []float64) {
				for k, s := range scores {
					if scores[k] = math.Exp(a.Beta * s); !a.Softmax {
						scores[k] /= float64(a.Count)
					}
				}
			}
		}
		one, three := New(computed, team.New(1)), New(computed, team.New(3))
		for _, n := range []int{a.Count, 1 + r.IntN(a.Count), a.Count} {
			x := unit(r, n, a.Dim)
			masses := make([]float64, n)
			for i := range masses {
				masses[i] = 1
			}
			masses[n-1] += float64(a.Count - n)
			sums, others := kernels.NewMatrix(n, a.Dim), kernels.NewMatrix(n, a.Dim)
			factors, want := one.Sum(&sums, &x, masses), naive(a, &x, masses)
			otherFactors := three.Sum(&others, &x, masses)
			for i := range n {
				largest := 0.0
				for _, v := range want[i] {
					largest = max(largest, math.Abs(v))
				}
				for k, v := range sums.Numbers(i) {
					if got := v * factors[i]; !(math.Abs(got-want[i][k]) <= 1e-12*(1+largest)) {
						t.Fatalf("N=%d of %d, d=%d, β=%v: A_%d[%d] is %v, want %v",
							n, a.Count, a.Dim, a.Beta, i, k, got, want[i][k])
					}
					if others.Numbers(i)[k] != v || otherFactors[i] != factors[i] {
						t.Fatalf("N=%d, d=%d: the field differs with the number of goroutines", n, a.Dim)
					}
				}
				for j := range i {
					sameField := same(sums.Numbers(i), sums.Numbers(j)) && factors[i] == factors[j]
					if same(x.Numbers(i), x.Numbers(j)) && !sameField {
						t.Fatalf("N=%d, d=%d: equal tokens %d and %d have different fields", n, a.Dim, i, j)
					}
				}
			}
		}
	}
}

func same(x, y []float64) bool {
	for k, v := range x {
		if v != y[k] {
			return false
		}
	}
	return true
}

// At a β so large that no common factor keeps all weights in range, a token attends only to itself and to
// tokens that coincide with it. No sum overflows.
func TestFieldOfLargeBeta(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 5))
	const n, d = 40, 12
	x := unit(r, n, d)
	masses := make([]float64, n)
	for i := range masses {
		masses[i] = 1
	}
	f := New(Attention{Beta: 1e5, Softmax: true, Count: n, Dim: d}, team.New(1))
	sums := kernels.NewMatrix(n, d)
	for i, factor := range f.Sum(&sums, &x, masses) {
		for k, v := range sums.Numbers(i) {
			if !(math.Abs(v*factor-x.Numbers(i)[k]) <= 1e-14) {
				t.Fatalf("A_%d is %v, want the token %v", i, sums.Numbers(i), x.Numbers(i))
			}
		}
	}
}

// The fastest sum over many tokens in the plane is that of harmonics, and after mergers that over the few
// atoms that are left, bit for bit.
func TestFastestSum(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 6))
	const n, few = 1500, 20
	of := func(way Way) *Field {
		return New(Attention{Beta: 2, Softmax: true, Count: n, Dim: 2, Sum: way}, team.New(1))
	}
	fastest, direct, harmonics := of(Fastest), of(Direct), of(Harmonics)
	x := unit(r, n, 2)
	for _, atoms := range []int{n, few} {
		masses := make([]float64, atoms)
		for i := range masses {
			masses[i] = n / float64(atoms)
		}
		sums := func(f *Field) (all []float64) {
			dst := kernels.NewMatrix(atoms, 2)
			factors := f.Sum(&dst, &x, masses)
			for i := range atoms {
				all = append(all, factors[i]*dst.Numbers(i)[0], factors[i]*dst.Numbers(i)[1])
			}
			return all
		}
		got, byPairs, bySeries := sums(fastest), sums(direct), sums(harmonics)
		if same(got, byPairs) != (atoms == few) || same(got, bySeries) != (atoms == n) {
			t.Errorf("%d atoms: equal to the direct sum: %v, to that of harmonics: %v", atoms,
				same(got, byPairs), same(got, bySeries))
		}
	}
}
