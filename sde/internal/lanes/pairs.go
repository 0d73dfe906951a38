package lanes

import (
	"math"

	"antipode/sphere/elementary"
)

// atomPairs holds the lanes whose trajectories have only two atoms left. Once only two atoms are left, their
// overlap is advanced as a Markov chain. The chain has the law that the overlap has in the recursion, and
// takes a fraction of the time. The lanes of atomPairs are packed into full Vectors, whatever the groups of
// their tokens were before.
type atomPairs struct {
	together, alone *vectorChain // alone has one lane, in which a trajectory catches up with the others
	slots           []int        // slot of each lane in together, or -1
	lanes           []int        // lane in each slot
	running         []Lane       // trajectory in each slot
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

// has reports whether the trajectory of a lane continues as a chain of the overlap of two atoms.
func (p *atomPairs) has(lane int) bool { return p != nil && p.slots[lane] >= 0 }

// enter makes lane k, which has two atoms x (2×d) of the given masses, continue as a chain of their overlap.
// enter then advances the chain by the number of layers that the other lanes are ahead.
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

// leave removes lane k from the chains, if the lane continues as a chain; the last slot fills the gap.
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

// rename moves the trajectory of lane from to lane k, in the same slot.
func (p *atomPairs) rename(k, from int) {
	p.slots[k], p.slots[from] = p.slots[from], -1
	p.lanes[p.slots[k]] = k
}

// advance advances the lanes that continue as chains by a number of layers, and removes the chains of lanes
// beyond the running lanes.
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

// pair returns the Pair of lane k, whose atoms are the argument of, and reports whether the lane continues as
// a chain.
func (p *atomPairs) pair(k int, of *atoms) (pair Pair, ok bool) {
	if !p.has(k) {
		return pair, false
	}
	copy(pair.Masses[:], of.masses)
	pair.Above, pair.Below = p.overlap(k)
	pair.Of = of.of
	return pair, true
}

// overlap returns ln(1+Z) and ln(1-Z) for the overlap Z of the two atoms of lane k. If the two atoms are so
// close that they would merge, ln(1-Z) is -Inf.
func (p *atomPairs) overlap(k int) (above, below float64) {
	above, below = p.together.overlaps.Logarithms(p.slots[k])
	if below <= coincidence {
		below = math.Inf(-1)
	}
	return above, below
}

// coincidence is ln(1-Z) for two tokens of overlap Z at the distance at which tokens merge.
var coincidence = elementary.Log(0.5 * mergeDistance * mergeDistance)

// see writes two unit vectors (2×d) that have the overlap of the two atoms of lane k. If the atoms coincide,
// see writes the same vector twice. The directions of the vectors are arbitrary, since a chain of overlaps
// knows no directions.
func (p *atomPairs) see(k int, x []float64) {
	above, below := p.overlap(k)
	clear(x)
	second := x[len(x)/2:]
	x[0], x[1] = half(above), half(below)
	second[0], second[1] = x[0], -x[1]
}

// half returns √((1±Z)/2), given ln(1±Z): half the length of the sum or the difference of two unit vectors of
// overlap Z.
func half(logarithm float64) float64 { return math.Sqrt(0.5 * elementary.Exp(logarithm)) }
