package sde

import (
	"errors"

	"antipode/sde/internal/kernels"
)

// inVectors reports whether the tokens of a cell are advanced in vectors. Eight large
// trajectories at a time would take too much memory, and too long a layer to interrupt.
func (c Cell) inVectors() bool {
	const largestNumbers, mostTokens = 1 << 20, 1 << 12 // of coordinates, or of a matrix
	model := c.Model.recursion()
	if model == nil || c.Method != Tokens || c.Interaction != nil || c.Tokens < 2 || c.Tokens > mostTokens {
		return false
	}
	return float64(c.Dim)*float64(max(c.Tokens, model.rank(c.Tokens, c.Dim))) <= largestNumbers
}

// vectorTokenLanes are lanes of the tokens of recursion (4) or (7), in vectors.
type vectorTokenLanes struct {
	cell    Cell
	stream  kernels.Stream
	normals kernels.NormalSequence
	groups  []*tokenGroup
	places  []int      // of the lanes: a place has a lane of a group
	atoms   []atoms    // of each lane
	pairs   *atomPairs // lanes that are in no group any more; nil if there can be none
	merge   bool
	changed bool // the lanes, or how many atoms they have, since they were arranged
	// Working memory of arrange: lanes in order, the most atoms of a group, and states.
	order, most []int
	states      []float64
	// distance at which tokens merge.
	distance float64
	state    []float64 // N×d of one lane
	view     []float64
}

func newVectorTokenLanes(c Cell, seed uint64, count int, merge bool) *vectorTokenLanes {
	stream := c.stream(seed)
	size := c.Tokens * c.Dim
	l := &vectorTokenLanes{
		cell: c, stream: stream, merge: merge, distance: mergeDistance,
		state: make([]float64, size), view: make([]float64, size),
	}
	for len(l.groups)*lanesOfVector < count {
		l.groups = append(l.groups, newTokenGroup(c, stream))
	}
	for k := range len(l.groups) * lanesOfVector {
		l.places = append(l.places, k)
		l.atoms = append(l.atoms, newAtoms(c.Tokens))
	}
	l.order, l.most = make([]int, len(l.places)), make([]int, len(l.groups))
	l.states = make([]float64, len(l.places)*size)
	if merge {
		l.pairs = c.Model.recursion().atomPairs(c, stream, len(l.places))
	}
	return l
}

// at returns the group of a lane, and the lane's number in it.
func (l *vectorTokenLanes) at(k int) (*tokenGroup, int) {
	return l.groups[l.places[k]/lanesOfVector], l.places[k] % lanesOfVector
}

func (l *vectorTokenLanes) start(k int, trajectory int64) error {
	l.normals.Restart(l.stream, kernels.Starts, trajectory, 0)
	err := l.cell.Start.Fill(l.state, l.cell.Dim, trajectory, l.normals.Next)
	l.atoms[k].reset()
	l.changed = true
	l.pairs.leave(k)
	group, lane := l.at(k)
	group.put(lane, l.state, l.atoms[k].masses)
	return err
}

func (l *vectorTokenLanes) move(k, from int) {
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

func (l *vectorTokenLanes) see(k int) []float64 {
	a := &l.atoms[k]
	if l.pairs.has(k) {
		l.pairs.see(k, l.state[:2*l.cell.Dim])
	} else {
		group, lane := l.at(k)
		group.get(l.state, lane, len(a.masses))
	}
	return a.expand(l.view, l.state, l.cell.Dim)
}

func (l *vectorTokenLanes) pair(k int) (p Pair, ok bool) {
	if !l.pairs.has(k) {
		return p, false
	}
	copy(p.Masses[:], l.atoms[k].masses)
	p.Above, p.Below = l.pairs.overlap(k)
	p.atoms = l.atoms[k].of
	return p, true
}

func (l *vectorTokenLanes) advance(all []lane, layers int64) {
	if l.pairs != nil {
		l.pairs.advance(all, layers)
	}
	if l.changed {
		l.arrange(len(all))
		l.changed = false
	}
	var members [lanesOfVector]int
	for g := range l.groups {
		if running := l.members(members[:0], g, len(all)); len(running) > 0 {
			l.advanceGroup(l.groups[g], running, all, layers)
		}
	}
}

// members appends the lanes that are in a group, of the first so many.
func (l *vectorTokenLanes) members(dst []int, group, lanes int) []int {
	for k, place := range l.places[:lanes] {
		if place/lanesOfVector == group && !l.pairs.has(k) {
			dst = append(dst, k)
		}
	}
	return dst
}

// advanceGroup advances some of the lanes, the members of a group.
func (l *vectorTokenLanes) advanceGroup(g *tokenGroup, members []int, all []lane, layers int64) {
	within := func(k int) int { return l.places[k] % lanesOfVector }
	for _, k := range members {
		g.numbers.Set(within(k), kernels.Increments, all[k].trajectory, all[k].layer)
	}
	l.fit(g, members)
	for left := layers - 1; left >= 0 && len(members) > 0; left-- {
		failed := g.tokens.Step(g.draw) != nil
		g.numbers.Advance()
		merged := false
		for _, k := range members {
			at := &all[k]
			if at.layer++; failed && at.err == nil && !g.unit(within(k)) {
				at.err = errors.New("a token has no direction")
			}
			if l.merge && at.layer%mergeInterval == 0 {
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

// leave takes lanes that are down to two atoms out of a group, and through the layers that
// are left, and returns the others.
func (l *vectorTokenLanes) leave(g *tokenGroup, members []int, all []lane, layers int64) []int {
	if l.pairs == nil {
		return members
	}
	stay := members[:0]
	for _, k := range members {
		if a := &l.atoms[k]; len(a.masses) != 2 || all[k].err != nil {
			stay = append(stay, k)
		} else {
			x := l.state[:2*l.cell.Dim]
			g.get(x, l.places[k]%lanesOfVector, 2)
			l.pairs.enter(k, x, a.masses, &all[k], layers)
		}
	}
	return stay
}

// fit makes as many rows of a group as its lanes have atoms at the most; all where the rank of
// the draws depends on the rows, as what a lane does must not depend on the others.
func (l *vectorTokenLanes) fit(g *tokenGroup, members []int) {
	rows := 1
	for _, k := range members {
		rows = max(rows, len(l.atoms[k].masses))
	}
	if l.cell.Tokens <= max(2, l.cell.Dim) {
		rows = l.cell.Tokens
	}
	if rows != g.rows {
		g.resize(rows)
	}
}

// mergeLane merges the tokens of a lane that coincide, and reports whether there were any.
func (l *vectorTokenLanes) mergeLane(g *tokenGroup, k int, a *atoms) bool {
	before := len(a.masses)
	if before == 1 {
		return false
	}
	x := l.state[:before*l.cell.Dim]
	g.get(x, k, before)
	a.merge(x, l.cell.Dim, l.distance)
	if len(a.masses) == before {
		return false
	}
	g.put(k, x, a.masses)
	return true
}
