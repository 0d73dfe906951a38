package lanes

import (
	"errors"

	"antipode/sde/internal/kernels"
	"antipode/sde/internal/selfattention"
)

// Recursion is a process of two tokens or more that a random matrix M drives in each layer,
// X_i ← normalise(X_i + M A_i), as in recursions (4) and (7), with B = I.
type Recursion struct {
	Process
	// Draw fills the matrices of a layer at the addresses in numbers, d×d and row-major, one in
	// each lane. M is such a matrix times Scale.
	Draw  func(matrix []kernels.Vector, numbers *kernels.Lanes)
	Scale float64
	// Rank is the number of columns of a matrix that are drawn: d, or fewer if it is enough to
	// draw it on the span of the tokens, that is, if its law is invariant under rotations.
	Rank int
	// PairDeviation is the standard deviation of the entries of M, if they are independent and
	// normal and trajectories with two atoms left continue as overlap chains; nil if they do not.
	PairDeviation *float64
	// Weigh, if not nil, replaces the scores of any pairs by their weights, in place of an exponential; β
	// does not count then, and with Softmax sums are divided by those of their weights, else by nothing.
	Weigh func(scores []float64)
	// Kernel, if not nil, replaces the scores of a token with all by their weights, in place of an
	// exponential. Tokens do not merge then.
	Kernel func(weights []float64, i int)
	// MLP, if not nil, is one beside attention or after it, without its Draw; PairDeviation is nil then.
	// Lanes of NewTokens alone know it.
	MLP *selfattention.Feedforward

	// What follows is known to lanes of NewMatrixTokens alone.

	Interaction []float64 // B, d×d and row-major; nil for the identity
	// OnSpan says that it is enough to draw a matrix on the span of any of the tokens.
	OnSpan bool
	// Amplitude is the factor of the attention in a layer, as in recursion (7), where there is no
	// matrix; layers are counted from 0.
	Amplitude func(trajectory, layer int64) float64
}

// vectorTokens are lanes of the tokens of a Recursion, in vectors.
type vectorTokens struct {
	of      Recursion
	normals kernels.NormalSequence
	groups  []*tokenGroup
	places  []int      // of the lanes: a place has a lane of a group
	atoms   []atoms    // of each lane
	pairs   *atomPairs // lanes that have left their group; nil if none can
	merge   bool
	changed bool // the lanes or their numbers of atoms, since they were arranged
	// Working memory of arrange: lanes in order, the most atoms of a group, and states.
	order, most []int
	states      []float64
	// distance at which tokens merge.
	distance float64
	state    []float64 // N×d of one lane
	view     []float64
}

// NewTokens returns lanes of tokens in vectors; see Fits. With merge, tokens that coincide
// become one atom.
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

// at returns the group of a lane, and the lane's number in it.
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

// members appends those of the first lanes that are in a group.
func (l *vectorTokens) members(dst []int, group, lanes int) []int {
	for k, place := range l.places[:lanes] {
		if place/PerVector == group && !l.pairs.has(k) {
			dst = append(dst, k)
		}
	}
	return dst
}

// advanceGroup advances some of the lanes, the members of a group.
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

// leave removes lanes with only two atoms from a group, advances them by the layers that are
// left, and returns the others.
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

// fit gives a group as many rows as the most atoms of its lanes; all rows if the rank of the
// draws depends on their number, as a lane must not depend on the others.
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

// mergeLane merges the tokens of a lane that coincide, and reports whether there were any.
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
