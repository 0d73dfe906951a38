package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"antipode/internal/domaintest"
	"antipode/sphere/must"
)

// configuration returns tokens × d numbers in which all statistics differ: the tokens cluster around several
// directions and their opposites, have many lengths, and some are missing.
func configuration(random *rand.Rand, tokens, d, directions int) []float64 {
	centres := make([]float64, directions*d)
	for k := range centres {
		centres[k] = random.NormFloat64()
	}
	x := make([]float64, tokens*d)
	for i := range tokens {
		size, centre, far := math.Exp(3*random.NormFloat64()), random.IntN(directions), 0.
		if random.IntN(3) == 0 {
			far = 1
		}
		if random.IntN(2) == 0 {
			size = -size
		}
		if random.IntN(6) == 0 {
			size = 0
		}
		for k := range d {
			x[i*d+k] = size * (centres[centre*d+k] + far*random.NormFloat64())
		}
	}
	return x
}

// Every statistic agrees with its definition, by a singular value decomposition and a list of all pairs.
func TestStatisticsAreTheirDefinitions(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for _, c := range []struct{ tokens, d, directions int }{
		{12, 5, 2}, {7, 30, 1}, {40, 3, 3}, {60, 60, 60}, {2, 4, 1}, {90, 8, 40}, {1, 3, 1}, {120, 3, 50},
	} {
		x := configuration(random, c.tokens, c.d, c.directions)
		x[0]++ // so that at least one token is not 0
		mask := make([]bool, c.tokens)
		for i := range mask {
			mask[i] = i == 0 || random.IntN(8) > 0
		}
		const beta, tolerance = 1.7, 1e-3
		want := byDefinition(x, c.d, mask, beta, tolerance)
		m := &meter{beta: beta, tolerance: tolerance}
		for range 2 { // the second time with memory in use
			got := must.Get(m.measure(slices.Clone(x), c.d, mask))(t)
			for k, value := range got.slice(numbers) {
				error := math.Abs(value-want[k]) / max(1, math.Abs(want[k]))
				if !(error <= 1e-8) && !(math.IsNaN(value) && math.IsNaN(want[k])) {
					t.Errorf("%+v: number %d is %v, want %v", c, k, value, want[k])
				}
			}
		}
	}
}

// byDefinition returns the statistics in the order of statistics.slice.
func byDefinition(x []float64, d int, mask []bool, beta, tolerance float64) []float64 {
	nan := math.NaN()
	var there [][]float64
	for i := range mask {
		token := x[i*d : (i+1)*d]
		if mask[i] && norm(token) > 0 {
			there = append(there, token)
		}
	}
	n := float64(len(there))
	dense := mat.NewDense(len(there), d, slices.Concat(there...))
	var svd mat.SVD
	svd.Factorize(dense, mat.SVDNone)
	var rank, sizes, squares, energy, plus, minus, sum float64
	for _, s := range svd.Values(nil) {
		rank += math.Pow(s/svd.Values(nil)[0], 4)
	}
	var pairs []float64
	component := make([]int, len(there))
	for i, a := range there {
		component[i] = i
		sizes, squares = sizes+norm(a)/n, squares+norm(a)*norm(a)/n
		for j, b := range there {
			z := inner(a, b) / norm(a) / norm(b)
			energy += math.Exp(beta*z) / (2 * beta * n * n)
			if j < i {
				pairs = append(pairs, z)
			}
		}
	}
	for range there { // a chain of linked tokens may be as long as this
		for i, a := range there {
			for j, b := range there {
				if i != j && inner(a, b)/norm(a)/norm(b) >= 1-tolerance {
					component[i] = min(component[i], component[j])
					component[j] = component[i]
				}
			}
		}
	}
	slices.Sort(component)
	clusters := float64(len(slices.Compact(component)))
	slices.Sort(pairs)
	antipodal := 0.
	for _, z := range pairs {
		sum += z
		if z >= 1-tolerance {
			plus++
		}
		if z <= -1+tolerance {
			minus++
		}
	}
	count := float64(len(pairs))
	if plus+minus == count && minus > 0 {
		antipodal = 1
	}
	quantile := func(share float64) float64 {
		at := share * (count - 1)
		low, high := pairs[int(math.Floor(at))], pairs[int(math.Ceil(at))]
		return low + (at-math.Floor(at))*(high-low)
	}
	if count == 0 {
		return []float64{n, sizes, squares, nan, nan, nan, nan, nan, clusters, antipodal, rank, energy}
	}
	return []float64{n, sizes, squares, sum / count, quantile(0.05), quantile(0.95), plus / count,
		minus / count, clusters,
		antipodal, rank, energy}
}

func inner(a, b []float64) (sum float64) {
	for k := range a {
		sum += a[k] * b[k]
	}
	return sum
}

func norm(a []float64) float64 { return math.Sqrt(inner(a, a)) }

// Very small and very large tokens give the same statistics, and numbers that are not finite are an error.
func TestExtremeTokens(t *testing.T) {
	m := &meter{beta: 1, tolerance: 1e-3}
	for _, size := range []float64{1e-160, 1, 1e150} {
		s, err := m.measure([]float64{size, 0, -2 * size, 0, 3 * size, 0}, 2, nil)
		if err != nil || s.Antipodal != 1 || s.Clusters != 2 || !(math.Abs(s.StableRank-1) <= 1e-12) ||
			!(math.Abs(s.Overlap+1./3) <= 1e-12) {
			t.Errorf("size %g: %+v, %v", size, s, err)
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		if _, err := m.measure([]float64{1, 0, bad, 0}, 2, nil); err == nil ||
			err.Error() != "token 1 is not finite" {
			t.Errorf("%v: error %v", bad, err)
		}
	}
	if s, err := m.measure(make([]float64, 6), 2, nil); err != nil || s.Tokens != 0 || !math.IsNaN(s.Norm) ||
		!math.IsNaN(s.Energy) || !math.IsNaN(s.Clusters) {
		t.Errorf("no tokens: %+v, %v", s, err)
	}
}

// An overlap at the tolerance itself counts as equal or opposite, and the next number does not.
func TestOverlapsAtTheTolerance(t *testing.T) {
	for overlap, want := range map[float64][2]float64{
		0.75: {1, 0}, domaintest.Below(0.75): {0, 0}, -0.75: {0, 1}, domaintest.Above(-0.75): {0, 0},
	} {
		m, s := &meter{beta: 1, tolerance: 0.25, gram: []float64{1, overlap, 0, 1}}, statistics{}
		if m.pairs(&s, 2); s.Plus != want[0] || s.Minus != want[1] || s.Overlap != overlap {
			t.Errorf("overlap %v: %+v", overlap, s)
		}
	}
}

// The quantiles of up to 2¹⁶ pairs are those of the sorted overlaps. Those of more pairs are read off a
// histogram, and err by at most 2 of 2²⁰; overlaps of ±1 stay in their range.
func TestQuantilesOfManyPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	for _, c := range []struct {
		tokens int
		ends   float64 // share of the overlaps that are 1, and of those that are -1
		many   bool
	}{{362, 0, false}, {362, 0.2, false}, {363, 0, true}, {363, 0.2, true}} {
		m, s := &meter{beta: 1, tolerance: 1e-3}, statistics{}
		m.gram = make([]float64, c.tokens*c.tokens)
		var all []float64
		for i := range c.tokens {
			for j := i + 1; j < c.tokens; j++ {
				z := 2*random.Float64() - 1
				if math.Abs(z) > 1-2*c.ends {
					z = math.Copysign(1, z)
				}
				m.gram[i*c.tokens+j] = z
				all = append(all, z)
			}
		}
		slices.Sort(all)
		quantile := func(share float64) float64 {
			below, part := math.Modf(share * float64(len(all)-1))
			return (1-part)*all[int(below)] + part*all[int(below)+1]
		}
		bound := 1e-12
		if c.many {
			bound = 2. / (1 << 20)
		}
		for range 2 { // the second time with the histogram of the first
			m.pairs(&s, c.tokens)
			if (m.histogram != nil) != c.many || !(math.Abs(s.Low-quantile(0.05)) <= bound) ||
				!(math.Abs(s.High-quantile(0.95)) <= bound) || !(s.Low >= -1 && s.High <= 1) {
				t.Errorf("%+v: from %v to %v, want %v to %v", c, s.Low, s.High, quantile(0.05),
					quantile(0.95))
			}
		}
	}
}
