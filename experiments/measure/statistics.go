package measure

import (
	"fmt"
	"math"
	"slices"

	"antipode/internal/lists"
	"antipode/sphere"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// statistics are the measurements of the tokens of a sequence in a layer: the columns of a row without its
// layer and its theory, and the mean of the squared norm ‖x‖² of a token x. An undefined measurement, such as
// the overlap of a single token, is NaN.
type statistics struct {
	LooseRow
	squaredNorm float64
}

// looseCosines are the cosines above which tokens of a trained model count as clustered, in the columns of
// --thresholds.
var looseCosines = [...]float64{0.5, 0.9, 0.99}

// numbers is the number of measurements of a sequence in a layer without those at loose thresholds;
// allNumbers is the number with them.
const (
	numbers    = 12
	allNumbers = numbers + len(looseCosines)
)

// loosely reports whether clusters are also counted at the loose thresholds looseCosines.
func (m *Experiment) loosely() bool { return (m.Thresholds || m.several()) && !m.weighs() }

// numbers returns the number of measurements of a sequence in a layer.
func (m *Experiment) numbers() int {
	if m.loosely() {
		return allNumbers
	}
	return numbers
}

// fields returns pointers to the measurements of a sequence in a layer, in the order in which a journal
// stores them.
func (s *statistics) fields() []*float64 {
	return []*float64{&s.Tokens, &s.Norm, &s.squaredNorm, &s.Overlap, &s.Low, &s.High, &s.Plus, &s.Minus,
		&s.Clusters, &s.Antipodal, &s.StableRank, &s.Energy, &s.Half, &s.Ninety, &s.NinetyNine}
}

// slice returns the first count measurements of a sequence in a layer.
func (s *statistics) slice(count int) []float64 {
	return lists.Map(s.fields()[:count], func(field *float64) float64 { return *field })
}

// statisticsOf returns the measurements with the values of a slice. Measurements beyond the end of the slice
// are NaN.
func statisticsOf(slice []float64) (s statistics) {
	for k, field := range s.fields() {
		if *field = math.NaN(); k < len(slice) {
			*field = slice[k]
		}
	}
	return s
}

// meter measures the tokens of a sequence in a layer. A meter reuses its buffers, so that only one goroutine
// may use it.
type meter struct {
	beta, tolerance float64
	loosely         bool // whether clusters are also counted loosely
	norms           []float64
	gram            []float64 // Gram matrix of the normalised tokens, n×n
	many            bool      // whether there are more than fewPairs pairs
	sorted          []float64 // overlaps of pairs, if there are few pairs
	histogram       []int64   // numbers of overlaps in bins, if there are many pairs
}

const (
	fewPairs = 1 << 16 // sorting so many takes as long as reading a histogram
	bins     = 1 << 20 // of the histogram; a quantile errs by at most 2/bins
)

// measure measures the tokens x (tokens × d) of a sequence in a layer. Tokens that are 0 or not in the mask
// are missing. The present tokens are moved to the front of x and normalised.
func (m *meter) measure(x []float64, d int, mask []bool) (statistics, error) {
	n, err := m.gather(x, d, mask)
	s := statisticsOf([]float64{float64(n)})
	if err != nil || n == 0 {
		return s, err
	}
	s.Norm, s.squaredNorm = 0, 0
	for _, norm := range m.norms {
		s.Norm += norm / float64(n)
		s.squaredNorm += norm * norm / float64(n)
	}
	if cap(m.gram) < n*n {
		m.gram = make([]float64, n*n)
	}
	m.gram = m.gram[:n*n]
	blas64.Syrk(blas.NoTrans, 1, blas64.General{Rows: n, Cols: d, Stride: d, Data: x[:n*d]}, 0,
		blas64.Symmetric{N: n, Stride: n, Data: m.gram, Uplo: blas.Upper})
	m.pairs(&s, n)
	s.Clusters, s.Antipodal = m.group(n)
	if m.loosely {
		for k, field := range s.fields()[numbers:] {
			*field = m.connected(n, looseCosines[k])
		}
	}
	s.StableRank = m.stableRank(x[:n*d], n, d)
	return s, nil
}

// gather moves the present tokens to the front of x, normalises them, and records their norms. gather returns
// the number of present tokens.
func (m *meter) gather(x []float64, d int, mask []bool) (n int, err error) {
	m.norms = m.norms[:0]
	for i := range len(x) / d {
		if mask != nil && !mask[i] {
			continue
		}
		token := x[i*d : (i+1)*d]
		norm := blas64.Nrm2(blas64.Vector{N: d, Inc: 1, Data: token})
		switch {
		case norm == 0:
			continue
		case math.IsNaN(norm) || math.IsInf(norm, 0):
			return 0, fmt.Errorf("token %d is not finite", i)
		}
		sphere.Normalize(x[n*d:(n+1)*d], token)
		m.norms = append(m.norms, norm)
		n++
	}
	return n, nil
}

// pairs measures the overlaps of all pairs of n tokens, and the energy.
func (m *meter) pairs(s *statistics, n int) {
	m.forget(n)
	var sum, energy, plus, minus float64
	for i := range n {
		row := m.gram[i*n+i+1 : (i+1)*n]
		for _, z := range row {
			sum += z
			energy += math.Exp(m.beta * z)
			if z >= 1-m.tolerance {
				plus++
			}
			if z <= -1+m.tolerance {
				minus++
			}
			m.keep(max(-1, min(1, z)))
		}
	}
	size := float64(n) * float64(n)
	s.Energy = (2*energy + float64(n)*math.Exp(m.beta)) / (2 * m.beta * size)
	if n > 1 {
		count := float64(n) * float64(n-1) / 2
		slices.Sort(m.sorted)
		s.Overlap, s.Plus, s.Minus = sum/count, plus/count, minus/count
		s.Low, s.High = m.quantile(0.05, count), m.quantile(0.95, count)
	}
}

// forget prepares the meter for the overlaps of all pairs of n tokens.
func (m *meter) forget(n int) {
	m.sorted = m.sorted[:0]
	m.many = n*(n-1)/2 > fewPairs
	if m.many && m.histogram == nil {
		m.histogram = make([]int64, bins+1)
	}
	if m.many {
		clear(m.histogram)
	}
}

// keep records the overlap of a pair of tokens.
func (m *meter) keep(z float64) {
	if !m.many {
		m.sorted = append(m.sorted, z)
		return
	}
	m.histogram[int((z+1)/2*bins)]++
}

// quantile returns a quantile of the recorded overlaps, whose number is count. The argument share is the
// level of the quantile. The quantile is interpolated linearly between neighbouring overlaps. If there are
// many pairs of tokens, its error is at most the width of a histogram bin.
func (m *meter) quantile(share, count float64) float64 {
	at := share * (count - 1)
	low := m.ordered(math.Floor(at))
	return low + (at-math.Floor(at))*(m.ordered(math.Ceil(at))-low)
}

// ordered returns the recorded overlap that has the given number of overlaps before it in ascending order.
func (m *meter) ordered(before float64) float64 {
	if !m.many {
		return m.sorted[int(before)]
	}
	bin := 0
	for below := float64(m.histogram[0]); below <= before; {
		bin++
		below += float64(m.histogram[bin])
	}
	return max(-1, min(1, (float64(bin)+0.5)*2/bins-1))
}

// group counts the clusters of n tokens. A cluster is a set of tokens connected by overlaps within the
// tolerance of 1. The result antipodal is 1 if all overlaps are within the tolerance of ±1 and at least one
// is within the tolerance of -1, and otherwise 0.
func (m *meter) group(n int) (clusters, antipodal float64) {
	outcome, _ := sphere.NewClassifier(n, m.tolerance).ClassifyOverlaps(n, 1, overlaps{m.gram, n})
	if outcome == sphere.Antipodal {
		antipodal = 1
	}
	return m.connected(n, 1-m.tolerance), antipodal
}

// connected returns the number of sets of tokens that are connected by overlaps of at least a threshold.
func (m *meter) connected(n int, threshold float64) float64 {
	return float64(sphere.Components(n, overlaps{m.gram, n}, threshold))
}

// overlaps gives access to a Gram matrix of tokens of which only the upper triangle is stored.
type overlaps struct {
	gram []float64
	n    int
}

// Between implements sphere.Overlaps.
func (o overlaps) Between(i, j int) float64 { return o.gram[min(i, j)*o.n+max(i, j)] }

// stableRank returns the stable rank Σσ⁴/σ₁⁴ of XXᵀ, where σ are the singular values of the matrix X of
// tokens before normalisation, and σ₁ is the largest of them.
func (m *meter) stableRank(unit []float64, n, d int) float64 {
	scale := 0.0 // the largest norm, divided out so that no power overflows
	for _, norm := range m.norms {
		scale = max(scale, norm)
	}
	squares := 0.0
	for i := range n {
		for j := i; j < n; j++ {
			g := &m.gram[i*n+j]
			*g *= m.norms[i] / scale * m.norms[j] / scale
			if i == j {
				squares += *g * *g
			} else {
				squares += 2 * *g * *g
			}
		}
	}
	largest, ok := largest(blas64.Symmetric{N: n, Stride: n, Data: m.gram, Uplo: blas.Upper}, squares)
	if !ok {
		largest = m.exact(unit, n, d, scale)
	}
	return squares / (largest * largest)
}

// exact computes the largest eigenvalue of XXᵀ, for the matrix X of tokens, by decomposing the smaller of the
// matrices XXᵀ and XᵀX.
func (m *meter) exact(unit []float64, n, d int, scale float64) float64 {
	var small *mat.SymDense
	if n <= d {
		small = mat.NewSymDense(n, m.gram)
	} else {
		x := mat.NewDense(n, d, nil)
		for i, norm := range m.norms {
			for k := range d {
				x.Set(i, k, unit[i*d+k]*norm/scale)
			}
		}
		small = mat.NewSymDense(d, nil)
		small.SymOuterK(1, x.T())
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(small, false) {
		return math.NaN()
	}
	values := eigen.Values(nil)
	return values[len(values)-1]
}
