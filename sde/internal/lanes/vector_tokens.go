package lanes

import (
	"errors"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/selfattention"
)

// Recursion is a Process of two or more tokens with a random matrix M in each layer, X_i ← normalise(X_i + M
// A_i), as in recursions (4) and (7), where A_i is the attention of token X_i.
type Recursion struct {
	Process
	// Draw fills one matrix in each lane, d×d and row-major, for the layer that numbers addresses. The matrix
	// M of the layer is Scale times the matrix that Draw writes.
	Draw  func(matrix []kernels.Vector, numbers *kernels.Lanes)
	Scale float64
	// Rank is the number of columns of a matrix that are sampled: d, or less if the matrix is sampled only on
	// the span of the tokens. If Rank is less than d, the law of the matrix must be invariant under
	// rotations.
	Rank int
	// PairDeviation is the standard deviation of the entries of M if they are independent and normal, so that
	// trajectories with two atoms left can continue as chains of their overlap. For other laws PairDeviation
	// is nil.
	PairDeviation *float64
	// Weigh, if not nil, replaces the scores of any pairs by their weights. If Weigh is set, Beta is not
	// used. With Softmax, sums over tokens are divided by the sums of the weights; without Softmax, sums are
	// not divided.
	Weigh func(scores []float64)
	// Kernel, if not nil, replaces the scores of token i with all tokens by their weights. Tokens with a
	// user-defined Kernel do not merge.
	Kernel func(weights []float64, i int)
	// MLP, if not nil, is an MLP parallel to attention or after attention. The field Draw of this MLP is not
	// used. If layers have an MLP, PairDeviation must be nil. Only NewTokens supports an MLP.
	MLP *selfattention.Feedforward

	// Only NewMatrixTokens supports the following fields.

	Interaction []float64 // interaction matrix B, d×d and row-major; nil for the identity
	// OnSpan allows a matrix to be sampled only on the span of the tokens, for any number of tokens.
	OnSpan bool
	// Amplitude, if not nil, returns the factor of the attention in a layer, counted from 0, as in recursion
	// (7). With an Amplitude, a layer has no matrix.
	Amplitude func(trajectory, layer int64) float64
}

// vectorTokens are Lanes of the tokens of a Recursion, computed in vectors of eight trajectories.
type vectorTokens struct {
	of      Recursion
	normals kernels.NormalSequence
	groups  []*tokenGroup
	places  []int      // place of each lane: lane place%8 of group place/8
	atoms   []atoms    // atoms of each lane
	pairs   *atomPairs // lanes that continue as chains of overlaps; nil if no lane can
	merge   bool
	changed bool // whether lanes, or their numbers of atoms, have changed since arrange
	// The fields order, most and states are working memory of arrange: the lanes in order, the largest number
	// of atoms in each group, and states of lanes.
	order, most []int
	states      []float64
	distance    float64   // distance at which tokens merge
	state       []float64 // tokens of one lane, N×d
	view        []float64
}

// NewTokens returns count lanes of tokens, computed in vectors of eight trajectories. With the argument
// merge, tokens that coincide become one atom.
func NewTokens(r Recursion, count int, merge bool) Lanes { return newVectorTokens(r, count, merge) }

func newVectorTokens(r Recursion, count int, merge bool) *vectorTokens {
	size := r.Count * r.Dim
	l := &vectorTokens{
		of: r, merge: merge, distance: mergeDistance,
		state: make([]float64, size), view: make([]float64, size),
	}
	for len(l.groups)*PerVector < count {
		l.groups = append(l.groups, newTokenGroup(r))
	}
	for k := range len(l.groups) * PerVector {
		l.places = append(l.places, k)
		l.atoms = append(l.atoms, newAtoms(r.Count))
	}
	l.order, l.most = make([]int, len(l.places)), make([]int, len(l.groups))
	l.states = make([]float64, len(l.places)*size)
	if merge && r.PairDeviation != nil {
		l.pairs = newAtomPairs(r.Process, *r.PairDeviation, len(l.places))
	}
	return l
}

// at returns the group of lane k, and the number of the lane in this group.
func (l *vectorTokens) at(k int) (*tokenGroup, int) {
	return l.groups[l.places[k]/PerVector], l.places[k] % PerVector
}

func (l *vectorTokens) Start(k int, trajectory int64) error {
	l.normals.Restart(l.of.Stream, kernels.Starts, trajectory, 0)
	err := l.of.Start(l.state, l.of.Dim, trajectory, l.normals.Next)
	l.atoms[k].reset()
	l.changed = true
	l.pairs.leave(k)
	group, lane := l.at(k)
	group.put(lane, l.state, l.atoms[k].masses)
	return err
}

func (l *vectorTokens) Move(k, from int) {
	l.changed = true
	l.pairs.leave(k)
	l.atoms[k], l.atoms[from] = l.atoms[from], l.atoms[k]
	if l.pairs.has(from) {
		l.pairs.rename(k, from)
		return
	}
	group, lane := l.at(from)
	group.get(l.state, lane, len(l.atoms[k].masses))
	group, lane = l.at(k)
	group.put(lane, l.state, l.atoms[k].masses)
}

func (l *vectorTokens) Copy(k, from int) {
	l.changed = true
	group, lane := l.at(from)
	group.get(l.state, lane, l.of.Count)
	group, lane = l.at(k)
	group.put(lane, l.state, l.atoms[k].masses)
}

func (l *vectorTokens) Tokens(k int) []float64 {
	a := &l.atoms[k]
	if l.pairs.has(k) {
		l.pairs.see(k, l.state[:2*l.of.Dim])
	} else {
		group, lane := l.at(k)
		group.get(l.state, lane, len(a.masses))
	}
	return a.expand(l.view, l.state, l.of.Dim)
}

func (l *vectorTokens) Pair(k int) (p Pair, ok bool) {
	return l.pairs.pair(k, &l.atoms[k])
}

func (l *vectorTokens) Advance(all []Lane, layers int64) {
	if l.pairs != nil {
		l.pairs.advance(all, layers)
	}
	if l.changed {
		l.arrange(len(all))
		l.changed = false
	}
	var members [PerVector]int
	for g := range l.groups {
		if running := l.members(members[:0], g, len(all)); len(running) > 0 {
			l.advanceGroup(l.groups[g], running, all, layers)
		}
	}
}

// members appends those of the first lanes to dst that are in the given group and do not continue as chains
// of overlaps.
func (l *vectorTokens) members(dst []int, group, lanes int) []int {
	for k, place := range l.places[:lanes] {
		if place/PerVector == group && !l.pairs.has(k) {
			dst = append(dst, k)
		}
	}
	return dst
}

// advanceGroup advances the trajectories of the given lanes, which are in group g, by a number of layers.
func (l *vectorTokens) advanceGroup(g *tokenGroup, members []int, all []Lane, layers int64) {
	within := func(k int) int { return l.places[k] % PerVector }
	for _, k := range members {
		g.set(within(k), all[k])
	}
	l.fit(g, members)
	for left := layers - 1; left >= 0 && len(members) > 0; left-- {
		failed := g.tokens.Step(g.draw) != nil
		g.nextLayer()
		merged := false
		for _, k := range members {
			at := &all[k]
			if at.Layer++; failed && at.Err == nil && !g.unit(within(k)) {
				at.Err = errors.New("a token has no direction")
			}
			if l.merge && at.Layer%mergeInterval == 0 {
				merged = l.mergeLane(g, within(k), &l.atoms[k]) || merged
			}
		}
		if merged {
			members = l.leave(g, members, all, left)
			l.fit(g, members)
			l.changed = true
		}
	}
}

// leave takes the lanes with only two atoms out of group g. Lanes with two atoms continue as chains of
// overlaps, which leave advances by the given number of layers. leave returns the other lanes, including
// failed ones.
func (l *vectorTokens) leave(g *tokenGroup, members []int, all []Lane, layers int64) []int {
	if l.pairs == nil {
		return members
	}
	stay := members[:0]
	for _, k := range members {
		if a := &l.atoms[k]; len(a.masses) != 2 || all[k].Err != nil {
			stay = append(stay, k)
		} else {
			x := l.state[:2*l.of.Dim]
			g.get(x, l.places[k]%PerVector, 2)
			l.pairs.enter(k, x, a.masses, &all[k], layers)
		}
	}
	return stay
}

// fit gives a group as many rows of tokens as its lane with the most atoms needs. If the number of random
// numbers of a layer depends on the number of rows, the group gets N rows, because a trajectory must not
// depend on the other lanes. For N ≤ 2 the group always has N rows.
func (l *vectorTokens) fit(g *tokenGroup, members []int) {
	rows := 1
	for _, k := range members {
		rows = max(rows, len(l.atoms[k].masses))
	}
	if l.of.Count <= 2 || l.of.Rank < l.of.Dim {
		rows = l.of.Count
	}
	if rows != g.rows {
		g.resize(rows)
	}
}

// mergeLane merges the coincident tokens of lane k of group g, and reports whether any tokens were merged.
func (l *vectorTokens) mergeLane(g *tokenGroup, k int, a *atoms) bool {
	before := len(a.masses)
	if before == 1 {
		return false
	}
	x := l.state[:before*l.of.Dim]
	g.get(x, k, before)
	a.merge(x, l.of.Dim, l.of.Dim, l.distance)
	if len(a.masses) == before {
		return false
	}
	g.put(k, x, a.masses)
	return true
}
