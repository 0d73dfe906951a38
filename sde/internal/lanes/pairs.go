package lanes

import (
	"math"

	"antipode/sphere/elementary"
)

// atomPairs are lanes of trajectories that have only two atoms left: their overlap continues as
// a chain, which has the law of the recursion and takes a fraction of its time. The lanes of a
// process are packed into full Vectors, wherever their tokens were.
type atomPairs struct {
	together, alone *vectorChain // of one Vector, for a trajectory on its way to the others
	slots           []int        // of each lane in together, -1 for none
	lanes           []int        // of each slot
	running         []Lane       // of each slot
}

func newAtomPairs(p Process, deviation float64, count int) *atomPairs {
	c := Clusters{Process: p}
	pairs := &atomPairs{
		together: newGaussianChain(c, deviation, count, false),
		alone:    newGaussianChain(c, deviation, 1, false),
		slots:    make([]int, count), lanes: make([]int, 0, count), running: make([]Lane, 0, count),
	}
	for k := range pairs.slots {
		pairs.slots[k] = -1
	}
	return pairs
}

// has reports whether a lane is here.
func (p *atomPairs) has(lane int) bool { return p != nil && p.slots[lane] >= 0 }

// enter takes a lane with two atoms x (2×d), and advances it by the layers that it is behind
// the others.
func (p *atomPairs) enter(k int, x, masses []float64, at *Lane, layers int64) {
	state := squaresOf(x[:len(x)/2], x[len(x)/2:])
	alone := p.alone.overlaps
	alone.Start(0, state.above, state.below)
	alone.Weigh(0, masses[0], masses[1])
	one := [1]Lane{*at}
	p.alone.Advance(one[:], layers)
	*at = one[0]
	p.slots[k] = len(p.lanes)
	p.together.overlaps.Copy(len(p.lanes), alone, 0)
	p.lanes, p.running = append(p.lanes, k), append(p.running, Lane{})
}

// leave removes a lane; the last slot fills the gap.
func (p *atomPairs) leave(k int) {
	if !p.has(k) {
		return
	}
	slot, last := p.slots[k], len(p.lanes)-1
	p.together.Move(slot, last)
	p.lanes[slot] = p.lanes[last]
	p.slots[p.lanes[slot]], p.slots[k] = slot, -1
	p.lanes, p.running = p.lanes[:last], p.running[:last]
}

// rename gives the trajectory of lane from to lane k.
func (p *atomPairs) rename(k, from int) {
	p.slots[k], p.slots[from] = p.slots[from], -1
	p.lanes[p.slots[k]] = k
}

// advance advances those of the lanes that are here by some layers, and removes those that are
// not running.
func (p *atomPairs) advance(all []Lane, layers int64) {
	for k := len(all); k < len(p.slots); k++ {
		p.leave(k)
	}
	if len(p.lanes) == 0 {
		return
	}
	for slot, k := range p.lanes {
		p.running[slot] = all[k]
	}
	p.together.Advance(p.running, layers)
	for slot, k := range p.lanes {
		all[k] = p.running[slot]
	}
}

// pair returns the pair of a lane with the given atoms, and reports whether the lane is here.
func (p *atomPairs) pair(k int, of *atoms) (pair Pair, ok bool) {
	if !p.has(k) {
		return pair, false
	}
	copy(pair.Masses[:], of.masses)
	pair.Above, pair.Below = p.overlap(k)
	pair.Of = of.of
	return pair, true
}

// overlap returns ln(1+Z) and ln(1-Z) of a lane.
func (p *atomPairs) overlap(k int) (above, below float64) {
	above, below = p.together.overlaps.Logarithms(p.slots[k])
	if below <= coincidence {
		below = math.Inf(-1)
	}
	return above, below
}

// coincidence is ln(1-Z) at the distance at which tokens merge.
var coincidence = elementary.Log(0.5 * mergeDistance * mergeDistance)

// see writes two unit vectors (2×d) of the overlap of a lane, the same one twice if they
// coincide: where they point is not known.
func (p *atomPairs) see(k int, x []float64) {
	above, below := p.overlap(k)
	clear(x)
	second := x[len(x)/2:]
	x[0], x[1] = half(above), half(below)
	second[0], second[1] = x[0], -x[1]
}

// half is √((1±Z)/2), given ln(1±Z): half the length of S or D.
func half(logarithm float64) float64 { return math.Sqrt(0.5 * elementary.Exp(logarithm)) }
