package kernels

import (
	"math"
	"slices"
	"testing"
)

const normalMass2 = 0.9544997361036416 // P(|g| ≤ 2)

// law is one of the value laws, with its distribution function and moments.
type law struct {
	name             string
	fill             func(s Stream, dst []float64, trajectory, step int64)
	distribution     func(x float64) float64
	variance, fourth float64
}

func laws() []law {
	truncatedVariance := 1 - 4*math.Exp(-2)/math.Sqrt(2*math.Pi)/normalMass2
	return []law{
		{"normal", func(s Stream, dst []float64, j, n int64) { s.Normals(dst, 1, Increments, j, n) },
			func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }, 1, 3},
		{"uniform",
			func(s Stream, dst []float64, j, n int64) { s.Uniforms(dst, math.Sqrt(3), Increments, j, n) },
			func(x float64) float64 { return (1 + x/math.Sqrt(3)) / 2 }, 1, 9. / 5},
		{"truncated normal",
			func(s Stream, dst []float64, j, n int64) { s.TruncatedNormals(dst, 1, Increments, j, n) },
			func(x float64) float64 { return math.Erf(x/math.Sqrt2)/normalMass2/2 + 0.5 },
			truncatedVariance, 3*truncatedVariance - 8*2*math.Exp(-2)/math.Sqrt(2*math.Pi)/normalMass2},
	}
}

// kolmogorov returns √n times the greatest distance of the empirical distribution
// of sorted values from the law; above 2.6 with probability 3e-6 under the law. It looks
// at every 16th value, between which the distance grows by 16/√n at most.
func kolmogorov(sorted []float64, distribution func(float64) float64) float64 {
	n := float64(len(sorted))
	worst := 0.0
	for k := 0; k < len(sorted); k += 16 {
		p := distribution(sorted[k])
		worst = max(worst, p-float64(k)/n, float64(k+1)/n-p)
	}
	return worst * math.Sqrt(n)
}

// sample draws many short steps, so that all entries, steps and trajectories count.
func sample(fill func(s Stream, dst []float64, trajectory, step int64), n int) []float64 {
	s := NewStream(1, 99)
	values := make([]float64, 0, n)
	dst := make([]float64, 25)
	for k := int64(0); len(values) < n; k++ {
		fill(s, dst, k%1000, k/1000)
		values = append(values, dst...)
	}
	return values[:n]
}

func moment(values []float64, power float64) (mean, stderr float64) {
	square := 0.0
	for _, v := range values {
		p := math.Pow(v, power)
		mean += p
		square += p * p
	}
	n := float64(len(values))
	mean /= n
	return mean, math.Sqrt((square/n - mean*mean) / n)
}

// Kolmogorov-Smirnov, and four moments within 5 standard errors, at 10^6 draws of
// each law: a false alarm in some 10^5 seeds. This has power: a law with σ off by 1 % or
// a mean of 0.01 fails it.
func TestLaws(t *testing.T) {
	for _, law := range laws() {
		values := sample(law.fill, 1_000_000)
		slices.Sort(values)
		if k := kolmogorov(values, law.distribution); k > 2.6 {
			t.Errorf("%s: Kolmogorov distance %.2f/√n", law.name, k)
		}
		for power, want := range map[float64]float64{1: 0, 2: law.variance, 3: 0, 4: law.fourth} {
			if mean, stderr := moment(values, power); !(math.Abs(mean-want) <= 5*stderr) {
				t.Errorf("%s: moment %g is %v ± %v, want %v", law.name, power, mean, stderr, want)
			}
		}
		scaled, shifted := make([]float64, len(values)), make([]float64, len(values))
		for k, v := range values {
			scaled[k], shifted[k] = 1.01*v, v+0.01
		}
		a, b := kolmogorov(scaled, law.distribution), kolmogorov(shifted, law.distribution)
		if a < 2.6 || b < 2.6 {
			t.Errorf("%s: distances %.2f and %.2f of wrong laws go unnoticed", law.name, a, b)
		}
	}
}

// The tail of the normal law, where Box-Muller could go wrong: counts beyond 4 and
// 4.5 in 10^7 draws, within 5 standard errors.
func TestNormalTail(t *testing.T) {
	if testing.Short() {
		t.Skip("10^7 draws")
	}
	s := NewStream(2, 2)
	dst := make([]float64, 40_000)
	var beyond, farBeyond float64
	const steps = 250
	for step := range int64(steps) {
		s.Normals(dst, 1, Increments, 0, step)
		for _, v := range dst {
			if v = math.Abs(v); v > 4 {
				beyond++
				if v > 4.5 {
					farBeyond++
				}
			}
		}
	}
	for limit, count := range map[float64]float64{4: beyond, 4.5: farBeyond} {
		want := math.Erfc(limit/math.Sqrt2) * float64(steps*len(dst))
		if !(math.Abs(count-want) <= 5*math.Sqrt(want)) {
			t.Errorf("%v values beyond %v, want %.1f", count, limit, want)
		}
	}
}

// The two numbers of a pair, numbers of neighbouring steps, trajectories and
// entries are uncorrelated, in themselves and in their squares: 5 standard errors
// of 8 correlations.
func TestNeighboursAreIndependent(t *testing.T) {
	s := NewStream(3, 3)
	const n = 200_000
	at := func(trajectory, step int64, entry int) float64 {
		dst := make([]float64, entry+1)
		s.Normals(dst, 1, Increments, trajectory, step)
		return dst[entry]
	}
	for name, pair := range map[string]func(k int64) (float64, float64){
		"pair":       func(k int64) (float64, float64) { return at(0, k, 0), at(0, k, 1) },
		"entry":      func(k int64) (float64, float64) { return at(0, k, 1), at(0, k, 2) },
		"step":       func(k int64) (float64, float64) { return at(0, k, 0), at(0, k+1, 0) },
		"trajectory": func(k int64) (float64, float64) { return at(k, 0, 0), at(k+1, 0, 0) },
	} {
		linear, square := 0.0, 0.0
		for k := range int64(n) {
			x, y := pair(k)
			linear += x * y
			square += (x*x - 1) * (y*y - 1) / 2
		}
		if a, b := linear/math.Sqrt(n), square/math.Sqrt(n); !(math.Abs(a) <= 5) || !(math.Abs(b) <= 5) {
			t.Errorf("%s: correlations of %.1f and %.1f standard errors", name, a, b)
		}
	}
}

// Each of the 2^10 patterns of ten neighbouring signs is as likely as any other:
// χ² with 1023 degrees of freedom within 5 standard deviations.
func TestSigns(t *testing.T) {
	s := NewStream(4, 4)
	dst := make([]float64, 300)
	const draws = 20_000
	counts := make([]float64, 1<<10)
	for step := range int64(draws) {
		s.Signs(dst, 0.25, Increments, 7, step)
		for start := 0; start < len(dst); start += 10 {
			pattern := 0
			for _, v := range dst[start : start+10] {
				if math.Abs(v) != 0.25 {
					t.Fatalf("value %v", v)
				}
				pattern = pattern<<1 | int(math.Float64bits(v)>>63)
			}
			counts[pattern]++
		}
	}
	want := float64(draws*len(dst)/10) / float64(len(counts))
	chi := 0.0
	for _, c := range counts {
		chi += (c - want) * (c - want) / want
	}
	if freedom := float64(len(counts) - 1); !(math.Abs(chi-freedom) <= 5*math.Sqrt(2*freedom)) {
		t.Errorf("χ² = %.0f for %.0f degrees of freedom", chi, freedom)
	}
}

// An entry does not depend on how many others are drawn with it.
func TestEntriesAreAddressed(t *testing.T) {
	s := NewStream(5, 5)
	signs := func(s Stream, dst []float64, j, n int64) { s.Signs(dst, 1, Increments, j, n) }
	for _, law := range append(laws(), law{name: "signs", fill: signs}) {
		long := make([]float64, 301)
		law.fill(s, long, 3, 4)
		for _, n := range []int{1, 2, 7, 128, 129, 300} {
			short := make([]float64, n)
			law.fill(s, short, 3, 4)
			if !slices.Equal(short, long[:n]) {
				t.Errorf("%s: the first %d of 301 entries differ from %d drawn alone", law.name, n, n)
			}
		}
	}
	var q NormalSequence
	q.Restart(s, Increments, 3, 4)
	normals := make([]float64, 9)
	s.Normals(normals, 1, Increments, 3, 4)
	for k, v := range normals {
		if got := q.Next(); got != v {
			t.Errorf("sequence entry %d: %v, want %v", k, got, v)
		}
	}
}

func BenchmarkNormals(b *testing.B) {
	s := NewStream(1, 1)
	dst := make([]float64, 16)
	for k := range b.N {
		s.Normals(dst, 1, Increments, 0, int64(k))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(dst)), "ns/normal")
}

func BenchmarkPhilox(b *testing.B) {
	s := NewStream(1, 1)
	for k := range b.N {
		low, high := s.at(Increments, 1, int64(k)).block(0, 0)
		sink += low ^ high
	}
}

var sink uint64

// The integers are equally probable parts of (0, 1). The largest uniform number becomes the largest integer,
// for any limit.
func TestInteger(t *testing.T) {
	for u, want := range map[float64]int{0: 0, 0.19: 0, 0.2: 1, 0.79: 3, 0.8: 4, 0.99: 4} {
		if got := Integer(u, 5); got != want {
			t.Errorf("%v of 5: %d, want %d", u, got, want)
		}
	}
	largest := symmetric(math.MaxUint64, 0.5) + 0.5
	if largest != 1-0x1p-53 {
		t.Errorf("the largest number is %v", largest)
	}
	for limit := 1; limit < 1<<52; limit += 1 + limit/100 {
		if got := Integer(largest, limit); got != limit-1 {
			t.Errorf("%v of %d: %d", largest, limit, got)
		}
	}
}
