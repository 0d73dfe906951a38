package fields

import (
	"antipode/sde/internal/harmonics"
	"antipode/sde/internal/kernels"
	"antipode/sde/internal/selfattention"
	"antipode/sphere/elementary"
)

// series computes attention sums over tokens of small dimension by a series of spherical harmonics, in a time
// proportional to the number of tokens.
type series struct {
	*Field
	expansion *harmonics.Expansion
	direct    summation          // for few tokens, and for sums that are too small compared with rounding
	free      chan *seriesMemory // as many memories as there are goroutines
	moments   [][]float64        // moments of each part of the tokens; finally, the first are those of all
	weights   []float64          // weights of the harmonics

	dst              *kernels.Matrix // result of the current sum
	mass             float64         // total mass of the tokens
	blocks, parts    int
	inexact          [][]int // tokens of each part whose sums must be computed term by term
	all              []int   // tokens of all parts whose sums must be computed term by term
	addPart, sumPart func(part int)
	sumTermByTerm    func(k int)
}

// seriesMemory is the working memory of a goroutine that computes sums by harmonics.
type seriesMemory struct {
	*harmonics.Block
	*termByTerm
	moments []float64 // moments of some blocks
}

const (
	// mostParts is the greatest number of parts into which tokens are divided; moments of different parts are
	// computed concurrently. Tokens are divided into fewer parts if the moments of all parts would need more
	// memory than four copies of the tokens. The number of parts, and therefore the order of summation, does
	// not depend on the number of goroutines.
	mostParts = 32
	// blocksTogether is the number of blocks of a part whose moments are added to each other before they are
	// added to the moments of the part. If each part were a single chain of sums, the moments of a million
	// tokens at one point would have errors of 8e-15 of the mass.
	blocksTogether = 4
	// rounding is the largest rounding error of a sum of weights by the series of harmonics, relative to the
	// sum of equally many tokens at one point. The largest rounding error in scans over axes, poles and
	// random points was 1.2e-15, for a single term far from a token. (By any method, a term close to a token
	// has a relative error of β·5e-16, which is due to the inner product of rounded coordinates.)
	rounding = 1.5e-15
	// Accuracy is the largest relative error of a sum of weights that is computed by the series of harmonics.
	Accuracy = 1e-12
	// mostTermByTerm says when the series of harmonics is faster than direct sums for all tokens: if at most
	// one in mostTermByTerm tokens needs a sum that is computed term by term.
	mostTermByTerm = 3
	// LargestSeriesBeta is the largest β for which the series is accurate for tokens that are uniform on the
	// sphere S³, whose sums of weights are then large enough compared with rounding.
	LargestSeriesBeta = 50
	// MostSeriesDimensions is the largest dimension of tokens in which the series needs few enough harmonics.
	MostSeriesDimensions = 4
)

// newSeries returns the series for a Field if the series is faster than the direct sum over all tokens;
// otherwise newSeries returns direct.
func newSeries(f *Field, direct summation) summation {
	a := f.of
	if !a.HasSeries() {
		return direct
	}
	return seriesBy(harmonics.New(a.Dim, a.Beta), f, direct)
}

// seriesBy returns the summation by an expansion in harmonics.
func seriesBy(e *harmonics.Expansion, f *Field, direct summation) *series {
	s := &series{Field: f, expansion: e, direct: direct}
	s.free = make(chan *seriesMemory, f.team.Workers())
	for range f.team.Workers() {
		s.free <- &seriesMemory{harmonics.NewBlock(e), newTermByTerm(f.of.Dim), make([]float64, e.Moments())}
	}
	parts := min(mostParts, blocksOf(f.of.Count), 1+4*f.of.Count*f.of.Dim/e.Numbers())
	s.inexact = make([][]int, parts)
	for range parts {
		s.moments = append(s.moments, make([]float64, e.Moments()))
	}
	s.weights = make([]float64, e.Numbers())
	s.addPart, s.sumPart, s.sumTermByTerm = s.addMoments, s.findSums, s.sumTokens
	return s
}

// HasSeries reports whether the attention over all N tokens is summed by a series of harmonics.
func (a Attention) HasSeries() bool {
	few := 2 <= a.Dim && a.Dim <= MostSeriesDimensions && a.Beta <= LargestSeriesBeta && a.Interaction == nil
	switch {
	case !few || a.Sum == Direct:
		return false
	case a.Sum == Harmonics:
		return true
	}
	return float64(a.Count) > a.SeriesTerms()
}

// SeriesTerms returns the number of terms of a direct sum over tokens that take as long as one sum by the
// series of harmonics.
func (a Attention) SeriesTerms() float64 { return terms(a.Dim, harmonics.Numbers(a.Dim, a.Beta)) }

// terms returns the number of terms of a direct sum that take as long as one sum by a series of harmonics
// with the given number of moments. The number of terms was measured, as the geometric mean over instruction
// sets.
func terms(dim, moments int) float64 {
	cost := [MostSeriesDimensions + 1]struct{ token, moment float64 }{
		2: {55, 0.45}, 3: {250, 0.32}, 4: {850, 0.17},
	}[dim]
	return cost.token + float64(cost.moment*float64(moments))
}

// seriesBytes returns an upper bound of the memory, in bytes, of a series for the given number of tokens of
// dimension dim.
func seriesBytes(tokens, dim, workers float64) float64 {
	const blockRows = 7000 // largest number of rows: all harmonics, and those without the last coordinate
	if dim > MostSeriesDimensions || tokens < 100 {
		return 0
	}
	moments := float64(4*tokens*dim) + float64(3*tokens)
	return float64(8 * (moments + float64(workers*blockRows*harmonics.Together)))
}

func blocksOf(tokens int) int { return (tokens + harmonics.Together - 1) / harmonics.Together }

func (s *series) sum(dst *kernels.Matrix, masses []float64) {
	if s.of.Sum == Fastest && float64(s.n) <= terms(s.of.Dim, s.expansion.Numbers()) {
		s.direct.sum(dst, masses)
	} else {
		s.sumBySeries(dst, masses)
	}
}

func (s *series) sumBySeries(dst *kernels.Matrix, masses []float64) {
	s.dst = dst
	s.expansion.Weigh(s.weights, s.allMoments(masses))
	s.team.Each(s.parts, s.sumPart)
	s.correct(masses)
}

// energy returns the mean of the weights e^{β(z-1)} over all pairs of tokens with inner product z. The errors
// of the weights are at most Accuracy relative to the least energy, which is that of uniform tokens:
// LargestSeriesBeta ensures this accuracy for sums over uniform tokens.
func (s *series) energy(masses []float64) float64 {
	return s.expansion.Energy(s.allMoments(masses)) / float64(s.mass*s.mass)
}

// allMoments returns the moments of all tokens for all harmonics.
func (s *series) allMoments(masses []float64) []float64 {
	s.mass, s.blocks = 0, blocksOf(s.n)
	s.parts = min(len(s.moments), s.blocks)
	for _, m := range masses {
		s.mass += m
	}
	s.team.Each(s.parts, s.addPart)
	all := s.moments[0]
	for _, more := range s.moments[1:s.parts] {
		for k, m := range more {
			all[k] += m
		}
	}
	return all
}

// span returns the range of the blocks of tokens that belong to a part.
func (s *series) span(part int) (first, last int) {
	return part * s.blocks / s.parts, (part + 1) * s.blocks / s.parts
}

// eachBlock calls f for each block from number from up to, but not including, number to. The arguments of f
// are the index of the first token of a block and the index after its last token.
func (s *series) eachBlock(from, to int, f func(first, last int)) {
	for block := from; block < to; block++ {
		f(harmonics.Together*block, min(harmonics.Together*(block+1), s.n))
	}
}

func (s *series) addMoments(part int) {
	b, sums := <-s.free, s.moments[part]
	clear(sums)
	for from, to := s.span(part); from < to; from += blocksTogether {
		clear(b.moments)
		s.eachBlock(from, min(from+blocksTogether, to), func(first, last int) {
			b.AddMoments(b.moments, s.x.Part(first, last, s.of.Dim), s.masses[first/8:kernels.Width(last)])
		})
		for k, m := range b.moments {
			sums[k] += m
		}
	}
	s.free <- b
}

// findSums computes the sums of the tokens of a part, and lists the tokens whose sums by harmonics are not
// accurate.
func (s *series) findSums(part int) {
	b := <-s.free
	s.inexact[part] = s.inexact[part][:0]
	least := float64((rounding + s.expansion.Tail) / Accuracy * s.mass)
	from, to := s.span(part)
	s.eachBlock(from, to, func(first, last int) {
		d := s.of.Dim
		totals := b.Sums(s.dst.Part(first, last, d), s.weights, s.x.Part(first, last, d))
		for i, total := range totals {
			s.factors[first+i] = s.factor(total)
			if total < least {
				s.inexact[part] = append(s.inexact[part], first+i)
			}
		}
	})
	s.free <- b
}

// factor returns the factor by which a sum of tokens must be multiplied to become attention, given the sum of
// the weights e^{β(z-1)}.
func (s *series) factor(total float64) float64 {
	if s.of.Softmax {
		return 1 / total
	}
	return elementary.Exp(s.of.Beta) / float64(s.of.Count)
}

// correct recomputes, term by term, the sums of tokens that the series has not computed accurately.
func (s *series) correct(masses []float64) {
	s.all = s.all[:0]
	for _, part := range s.inexact[:s.parts] {
		s.all = append(s.all, part...)
	}
	if mostTermByTerm*len(s.all) > s.n {
		s.direct.sum(s.dst, masses)
		return
	}
	s.team.Each((len(s.all)+tokensTogether-1)/tokensTogether, s.sumTermByTerm)
}

const (
	tokensTogether = 64  // number of tokens whose sums are computed term by term at a time
	termsTogether  = 512 // number of terms that are first added to each other, so that rounding stays small
)

// termByTerm is the memory for the computation of sums term by term. The tokens over which a sum runs are
// taken in parts.
type termByTerm struct {
	selfattention.Groups
	sums, totals []kernels.Vector // sums of the tokens, over the parts so far
}

func newTermByTerm(d int) *termByTerm {
	const parts, tokens = termsTogether / 8, tokensTogether / 8
	blank := func(n int) []kernels.Vector { return make([]kernels.Vector, n) }
	return &termByTerm{selfattention.Groups{
		X: blank((parts + tokens) * d), Heavy: blank((parts + tokens) * d), Masses: blank(parts + tokens),
		Field: blank((parts + tokens) * d), Totals: blank(parts + tokens), Dim: d,
	}, blank(tokens * d), blank(tokens)}
}

// sumTokens computes the sums of part k of the tokens whose sums by harmonics are inaccurate, term by term.
func (s *series) sumTokens(k int) {
	const above = termsTogether / 8 // group from which on there are the tokens of the sums, with mass 0
	left := s.all[tokensTogether*k : min(tokensTogether*(k+1), len(s.all))]
	t, d, groups := <-s.free, s.of.Dim, kernels.Width(len(left))
	for j, i := range left {
		t.put(8*above+j, s.x.Numbers(i), 0)
	}
	clear(t.sums)
	clear(t.totals)
	for first := 0; first < s.n; first += termsTogether {
		last := min(first+termsTogether, s.n)
		for j := first; j < last; j++ {
			t.put(j-first, s.x.Numbers(j), kernels.Numbers(s.masses)[j])
		}
		for j := last - first; j%8 != 0; j++ {
			t.put(j, s.x.Numbers(first), 0)
		}
		clear(t.Field[above*d:])
		clear(t.Totals[above:])
		s.kernel.AddPairs(&t.Groups, above, above+groups, 0, kernels.Width(last-first))
		addAll(t.sums, t.Field[above*d:])
		addAll(t.totals, t.Totals[above:])
	}
	for j, i := range left {
		for c := range d {
			s.dst.Numbers(i)[c] = t.sums[j/8*d+c][j%8]
		}
		s.factors[i] = s.kernel.Factor(t.totals[j/8][j%8])
	}
	s.free <- t
}

// put stores a token with a mass at an index of the groups.
func (t *termByTerm) put(at int, token []float64, mass float64) {
	group, lane := at/8, at%8
	for c, v := range token {
		t.X[group*t.Dim+c][lane] = v
		t.Heavy[group*t.Dim+c][lane] = float64(v * mass)
	}
	t.Masses[group][lane] = mass
}

func addAll(to, terms []kernels.Vector) {
	for k := range to {
		for lane, v := range terms[k] {
			to[k][lane] += v
		}
	}
}
