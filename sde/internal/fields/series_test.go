package fields

import (
	"math"
	"math/rand/v2"
	"testing"

	"antipode/internal/team"
	"antipode/sde/internal/harmonics"
	"antipode/sde/internal/kernels"
	"antipode/sphere"
)

// gathered returns tokens, and their masses, of which some are at one place, some close to it and some
// opposite to it.
func gathered(r *rand.Rand, n, d int) (kernels.Matrix, []float64) {
	x, masses := unit(r, n, d), make([]float64, n)
	near, opposite := r.Float64(), []float64{0, 1 / float64(n), 0.5}[r.IntN(3)]
	width := math.Pow(10, -6*r.Float64())
	for i := range n {
		masses[i] = 1
		token, pole := x.Numbers(i), x.Numbers(0)
		if i == 0 || r.Float64() > near {
			continue
		}
		sign := 1.0
		if r.Float64() < opposite {
			sign = -1
		}
		for c := range token {
			token[c] = sign*pole[c] + float64(width*token[c])
		}
		sphere.Normalize(token, token)
	}
	if r.IntN(2) == 0 {
		masses[r.IntN(n)] = math.Pow(10, 6*r.Float64())
	}
	return x, masses
}

// accurate returns the total weight and the field of a token, computed by sums that lose no digits.
func accurate(a Attention, x *kernels.Matrix, masses []float64, i int) (total float64, field []float64) {
	sums, lost := make([]float64, a.Dim+1), make([]float64, a.Dim+1)
	add := func(k int, v float64) {
		s := sums[k] + v
		if math.Abs(sums[k]) >= math.Abs(v) {
			lost[k] += (sums[k] - s) + v
		} else {
			lost[k] += (v - s) + sums[k]
		}
		sums[k] = s
	}
	for j, mass := range masses {
		distance := 0.0 // z - 1 without cancellation
		for c, v := range x.Numbers(j) {
			distance += (v - x.Numbers(i)[c]) * (v - x.Numbers(i)[c])
		}
		w := mass * math.Exp(-a.Beta*distance/2)
		add(0, w)
		for c, v := range x.Numbers(j) {
			add(c+1, w*v)
		}
	}
	for k := range sums {
		sums[k] += lost[k]
	}
	return sums[0], sums[1:]
}

// always makes sums use the series, however few the tokens are.
type always struct{ *series }

func (s always) sum(dst *kernels.Matrix, masses []float64) { s.sumBySeries(dst, masses) }

// seriesOf returns the summation by series, even if another one is faster.
func seriesOf(a Attention, workers int) *Field {
	f := New(a, team.New(workers))
	f.sums = always{seriesBy(harmonics.New(a.Dim, a.Beta), f, newGroups(f))}
	return f
}

// The sums by series are accurate: the error is at most 1e-12 of the total weight of a token, for random
// configurations of tokens of unequal masses that are everywhere, at one place with one token opposite, or at
// two places. Some of them fill more than a block. With several goroutines the result is the same.
func TestSeriesIsWithinItsAccuracy(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 7))
	worst := 0.0
	for round := range 100 {
		a := Attention{Beta: 50 * math.Pow(r.Float64(), 3), Softmax: r.IntN(2) == 0, Dim: 2 + r.IntN(3),
			Count: 2 + r.IntN(60)}
		if round%50 == 0 {
			a.Count = harmonics.Together + r.IntN(300)
		}
		if a.Dim == 4 {
			a.Beta /= 5 // the number of harmonics grows like β³
		}
		x, masses := gathered(r, a.Count, a.Dim)
		sums, others := kernels.NewMatrix(a.Count, a.Dim), kernels.NewMatrix(a.Count, a.Dim)
		factors := seriesOf(a, 1).Sum(&sums, &x, masses)
		otherFactors := seriesOf(a, 3).Sum(&others, &x, masses)
		for range 20 {
			i := r.IntN(a.Count)
			total, field := accurate(a, &x, masses, i)
			factor := 1 / total
			if !a.Softmax {
				factor = math.Exp(a.Beta) / float64(a.Count)
			}
			for c, want := range field {
				got := sums.Numbers(i)[c] * factors[i]
				worst = max(worst, math.Abs(got-want*factor)/(total*factor))
				if !same(sums.Numbers(i), others.Numbers(i)) || factors[i] != otherFactors[i] {
					t.Fatalf("%+v: the sums differ with the number of goroutines", a)
				}
			}
		}
	}
	if t.Logf("largest error %.2g of the total weight", worst); worst > 1e-12 {
		t.Errorf("largest error %.2g of the total weight, want 1e-12 at most", worst)
	}
}

// If more than tokensTogether tokens are far from a crowd, and their sums are found term by term, from more
// terms than are added in one go, these sums are accurate too, and the same for several goroutines.
func TestSumsTermByTerm(t *testing.T) {
	for d := 2; d <= MostSeriesDimensions; d++ {
		r := rand.New(rand.NewPCG(21, 9))
		a := Attention{Beta: 20, Softmax: true, Dim: d, Count: 2021}
		x, masses := unit(r, a.Count, d), make([]float64, a.Count)
		for i := range masses {
			token, pole := x.Numbers(i), x.Numbers(1)
			if masses[i] = 1; i%16 == 0 { // is far, on the other half of the sphere
				if sphere.Dot(token, pole) > 0 {
					for c := range token {
						token[c] = -token[c]
					}
				}
				continue
			}
			masses[i] = float64(200 + i%3)
			for c := range token {
				token[c] = pole[c] + float64(1e-3*token[c])
			}
			sphere.Normalize(token, token)
		}
		f, others := seriesOf(a, 1), kernels.NewMatrix(a.Count, d)
		sums := kernels.NewMatrix(a.Count, d)
		factors, otherFactors := f.Sum(&sums, &x, masses), seriesOf(a, 3).Sum(&others, &x, masses)
		left := f.sums.(always).all
		if len(left) <= tokensTogether {
			t.Errorf("d = %d: %d tokens are left, want more than %d", d, len(left), tokensTogether)
		}
		worst := 0.0
		for _, i := range left {
			total, field := accurate(a, &x, masses, i)
			for c, want := range field {
				worst = max(worst, math.Abs(sums.Numbers(i)[c]*factors[i]-want/total))
			}
			if !same(sums.Numbers(i), others.Numbers(i)) || factors[i] != otherFactors[i] {
				t.Fatalf("d = %d: the sums differ with the number of goroutines", d)
			}
		}
		if worst > 1e-13 {
			t.Errorf("d = %d: largest error %.2g", d, worst)
		}
	}
}

// With very many tokens at one place, whose moments are sums of equal terms, and few opposite, the sums are
// as accurate as for few tokens.
func TestSeriesOfManyTokensInOnePlace(t *testing.T) {
	const n, opposite = 100_000, 600
	for d := 2; d <= 3; d++ {
		r := rand.New(rand.NewPCG(21, 6))
		x, pole, masses := kernels.NewMatrix(n, d), unit(r, 1, d), make([]float64, n)
		for i := range masses {
			sign := 1.0
			if i%opposite == 0 {
				sign = -1
			}
			for c, v := range pole.Numbers(0) {
				x.Numbers(i)[c] = sign * v
			}
			masses[i] = 1
		}
		a := Attention{Beta: 20, Softmax: true, Dim: d, Count: n}
		f, sums := seriesOf(a, 2), kernels.NewMatrix(n, d)
		factors := f.Sum(&sums, &x, masses)
		if left := f.sums.(always).all; len(left) > 0 {
			t.Fatalf("d = %d: %d sums are found term by term", d, len(left))
		}
		for _, i := range []int{0, 1, n - 1} {
			total, field := accurate(a, &x, masses, i)
			for c, want := range field {
				if e := math.Abs(sums.Numbers(i)[c]*factors[i] - want/total); !(e <= 2e-13) {
					t.Errorf("d = %d, token %d: error %.2g, want 2e-13 at most", d, i, e)
				}
			}
		}
	}
}

// Relative to the smallest possible mean weight of all pairs, that of the uniform measure, errors of the mean
// weight are within the accuracy up to the largest β.
func TestEnergyIsWithinTheAccuracy(t *testing.T) {
	for d := 2; d <= MostSeriesDimensions; d++ {
		e := harmonics.New(d, LargestSeriesBeta)
		// e^-β I_0(β), (1-e^-2β)/2β and 2 e^-β I_1(β)/β
		least := []float64{2: 0.056561, 3: 0.01, 4: 0.0022397}[d]
		if got := e.LeastEnergy(); !(math.Abs(got-least) <= 1e-4*least) {
			t.Errorf("d = %d: least energy %v, want %v", d, got, least)
		}
		if bound := (rounding + e.Tail) / e.LeastEnergy(); !(bound <= Accuracy) {
			t.Errorf("d = %d: bound %v", d, bound)
		}
	}
}
