package lanes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"

	"antipode/internal/products"
	"antipode/internal/team"
	"antipode/sde/internal/fields"
	"antipode/sde/internal/kernels"
	"antipode/sphere"
)

// matrixTokens are Lanes of the tokens of a Recursion in which each trajectory is advanced alone, by matrix
// products over all its tokens.
type matrixTokens struct {
	of       Recursion
	merge    bool
	normals  kernels.NormalSequence
	states   []matrixState
	pairs    *atomPairs // lanes that continue as chains of overlaps; nil if no lane can
	field    *fields.Field
	sums     kernels.Matrix // attention of each token, not yet multiplied by its factor
	noise    *matrixNoise   // nil if a layer has a random factor instead of a matrix
	gram     kernels.Matrix // overlaps of the atoms of one lane; allocated at the first call of Overlaps
	products *products.Multiplier
	start    []float64 // tokens of a trajectory at layer 0, N×d
	pair     []float64 // positions of two atoms, 2×d
	view     []float64 // positions of all tokens, N×d
	// The following fields describe the current layer: the tokens x, their changes, the factors of the
	// changes, and working memory of retractTokens.
	team    *team.Team
	x       *kernels.Matrix
	change  *kernels.Matrix
	factors []float64
	squares []float64
	work    []kernels.Vector
	lost    []bool // tokens that have no direction
	retract func(k int)
}

// matrixState is the state of the trajectory in a lane of matrixTokens.
type matrixState struct {
	x     kernels.Matrix // positions of the atoms
	atoms atoms
}

// Large reports whether trajectories of N tokens of dimension d, with random matrices of the given rank,
// should be advanced one at a time, and not in vectors of eight. Advancing one trajectory at a time is
// preferred if it is about as fast as vectors, because trajectories whose tokens merge at different times
// then need not wait for each other. The bounds of N and d were measured, as geometric means over the
// instruction sets.
func Large(tokens, dim, rank int) bool {
	const mostDraws = 1 << 16
	n, d := float64(tokens), float64(dim)
	switch {
	case d*float64(rank) > mostDraws:
		return true
	case tokens <= 2:
		return false
	case dim <= fields.FewDimensions:
		return n*d >= 2048
	}
	return (n-2)*(d-16) >= 800
}

// NewMatrixTokens returns count lanes of tokens that are advanced one trajectory at a time, by matrix
// products, each on the given number of goroutines. With the argument merge, tokens that coincide become one
// atom.
func NewMatrixTokens(r Recursion, count int, merge bool, workers int) Lanes {
	return newMatrixTokens(r, count, merge, workers)
}

func newMatrixTokens(r Recursion, count int, merge bool, workers int) *matrixTokens {
	size, t := r.Count*r.Dim, team.New(workers)
	l := &matrixTokens{
		of: r, merge: merge, states: make([]matrixState, count),
		field: fields.New(fields.Attention{
			Beta: r.Beta, Softmax: r.Softmax, Interaction: r.Interaction, Kernel: r.Kernel, Weigh: r.Weigh,
			Count: r.Count, Dim: r.Dim, Sum: r.Sum,
		}, t),
		sums: kernels.NewMatrix(r.Count, r.Dim), team: t, products: products.For(t),
		start: make([]float64, size), pair: make([]float64, 2*r.Dim), view: make([]float64, size),
		squares: make([]float64, r.Count), work: make([]kernels.Vector, r.Count), lost: make([]bool, r.Count),
	}
	for k := range l.states {
		l.states[k] = matrixState{kernels.NewMatrix(r.Count, r.Dim), newAtoms(r.Count)}
	}
	if r.Amplitude == nil {
		l.noise = newMatrixNoise(r, t)
	}
	if merge && r.PairDeviation != nil {
		l.pairs = newAtomPairs(r.Process, *r.PairDeviation, count)
	}
	l.retract = l.retractTokens
	return l
}

// MatrixBytes estimates the memory, in bytes, of count lanes of NewMatrixTokens on a number of goroutines.
// The argument noisy says whether each layer has a random matrix. If Overlaps keeps the overlaps of all
// pairs, their memory is included.
func MatrixBytes(tokens, dim, count, workers float64, noisy bool) float64 {
	row := dim + 16 // at most this many numbers in a row
	numbers := float64((count+1)*tokens*row) + float64(2*tokens*dim)
	total := fields.Bytes(tokens, dim, workers)
	if keepsOverlaps(int(tokens), int(dim)) {
		total += float64(8 * float64(tokens*(tokens+16)))
	}
	if noisy {
		numbers += float64(dim*dim) + float64(tokens*row)
		total += spanBytes(min(tokens, dim/2), dim)
	}
	return float64(8*numbers) + total
}

func (l *matrixTokens) Start(k int, trajectory int64) error {
	s, d := &l.states[k], l.of.Dim
	l.normals.Restart(l.of.Stream, kernels.Starts, trajectory, 0)
	err := l.of.Start(l.start, d, trajectory, l.normals.Next)
	for i := range l.of.Count {
		copy(s.x.Numbers(i), l.start[i*d:(i+1)*d])
	}
	s.atoms.reset()
	l.pairs.leave(k)
	return err
}

func (l *matrixTokens) Move(k, from int) {
	l.pairs.leave(k)
	l.states[k], l.states[from] = l.states[from], l.states[k]
	if l.pairs.has(from) {
		l.pairs.rename(k, from)
	}
}

func (l *matrixTokens) Copy(k, from int) {
	for i := range l.of.Count {
		copy(l.states[k].x.Numbers(i), l.states[from].x.Numbers(i))
	}
}

func (l *matrixTokens) Tokens(k int) []float64 {
	s, d := &l.states[k], l.of.Dim
	if l.pairs.has(k) {
		l.pairs.see(k, l.pair)
		return s.atoms.expand(l.view, l.pair, d)
	}
	for token, atom := range s.atoms.of {
		copy(l.view[token*d:(token+1)*d], s.x.Numbers(int(atom)))
	}
	return l.view
}

func (l *matrixTokens) Pair(k int) (p Pair, ok bool) {
	return l.pairs.pair(k, &l.states[k].atoms)
}

// keepsOverlaps reports whether the overlaps of all pairs are computed together, by a matrix product. In few
// dimensions, or for so many tokens that the overlaps of all pairs would take more than 128 MB, callers
// compute each overlap when they need it.
func keepsOverlaps(tokens, dim int) bool {
	const most = 4096
	return dim > sphere.FewDimensions && tokens <= most
}

// Overlaps implements Overlapping.
func (l *matrixTokens) Overlaps(k int) (o Overlaps, ok bool) {
	if l.pairs.has(k) || !keepsOverlaps(l.of.Count, l.of.Dim) {
		return o, false
	}
	if l.gram.Stride() == 0 {
		l.gram = kernels.NewSquare(l.of.Count)
	}
	s := &l.states[k]
	n := len(s.atoms.masses)
	lower := l.gram.General(n, n)
	l.products.Lower(blas.NoTrans, 1, s.x.General(n, l.of.Dim), 0, lower)
	return Overlaps{lower, s.atoms.of}, true
}

func (l *matrixTokens) Advance(all []Lane, layers int64) {
	if l.pairs != nil {
		l.pairs.advance(all, layers)
	}
	for k := range all {
		if !l.pairs.has(k) {
			l.advance(k, &all[k], layers)
		}
	}
}

// advance advances the trajectory of lane k by a number of layers.
func (l *matrixTokens) advance(k int, at *Lane, layers int64) {
	s := &l.states[k]
	for left := layers - 1; left >= 0; left-- {
		if at.Err = l.step(s, at); at.Err != nil {
			return
		}
		at.Layer++
		if l.merge && at.Layer%mergeInterval == 0 {
			s.atoms.merge(s.x.All(), l.of.Dim, s.x.Stride(), mergeDistance)
			if l.pairs != nil && len(s.atoms.masses) == 2 {
				l.enterPair(k, at, left)
				return
			}
		}
	}
}

func (l *matrixTokens) enterPair(k int, at *Lane, layers int64) {
	s, d := &l.states[k], l.of.Dim
	copy(l.pair[:d], s.x.Numbers(0))
	copy(l.pair[d:], s.x.Numbers(1))
	l.pairs.enter(k, l.pair, s.atoms.masses, at, layers)
}

// step advances the atoms of a trajectory by one layer; an atom stands for all tokens that coincide.
func (l *matrixTokens) step(s *matrixState, at *Lane) error {
	n, scale := len(s.atoms.masses), l.of.Scale
	l.x, l.change = &s.x, &l.sums
	l.factors = l.field.Sum(&l.sums, &s.x, s.atoms.masses)
	if l.noise != nil {
		l.change = l.noise.multiply(&l.sums, n, at)
	} else {
		scale = l.of.Amplitude(at.Trajectory, at.Layer)
	}
	for i := range l.factors {
		l.factors[i] = float64(l.factors[i] * scale)
	}
	l.team.Each((n+tokensTogether-1)/tokensTogether, l.retract)
	for _, lost := range l.lost[:n] {
		if lost {
			return fmt.Errorf("layer %d: a token has no direction", at.Layer+1)
		}
	}
	return nil
}

// tokensTogether is the number of tokens that a goroutine retracts at a time.
const tokensTogether = 32

// retractTokens sets x_i ← normalise(x_i + factor_i·change_i) for the tokens of part k.
func (l *matrixTokens) retractTokens(k int) {
	first, last := tokensTogether*k, min(tokensTogether*(k+1), len(l.factors))
	factors, squares := l.factors[first:last], l.squares[first:last]
	l.x.Advance(squares, first, l.change, factors, l.work[first:])
	clear(l.lost[first:last])
	extreme := false
	for i, square := range squares {
		if factors[i] = 1; 0x1p-900 <= square && square <= 0x1p900 {
			factors[i] = 1 / math.Sqrt(square)
		} else {
			extreme = true
		}
	}
	l.x.Rescale(first, factors)
	if extreme {
		l.normalizeExtreme(first, squares)
	}
}

// normalizeExtreme normalises those tokens from token first on whose squared norm is near the ends of the
// range of float64 or outside of this range. normalizeExtreme records in the field lost which tokens have no
// direction.
func (l *matrixTokens) normalizeExtreme(first int, squares []float64) {
	for i, square := range squares {
		if 0x1p-900 <= square && square <= 0x1p900 {
			continue
		}
		token := l.x.Numbers(first + i)
		norm := sphere.Normalize(token, token)
		l.lost[first+i] = !(norm > 0 && norm <= math.MaxFloat64)
	}
}
