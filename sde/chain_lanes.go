package sde

import "fmt"

// chainLanes are lanes of overlap chains of recursion (7), one lane after the other.
type chainLanes struct {
	starts    chainStarts
	layer     massesLayer
	unequal   bool
	amplitude func(trajectory, layer int64) float64 // the factor of the attention
	pairs     []squares
	masses    [2]float64
}

func newChainLanes(c Cell, seed uint64, count int,
	amplitude func(trajectory, layer int64) float64) *chainLanes {
	first, second := c.masses()
	return &chainLanes{
		starts: chainStarts{cell: c, stream: c.stream(seed)},
		layer:  newMassesLayer(c), unequal: first != second,
		amplitude: amplitude, pairs: make([]squares, count), masses: [2]float64{float64(first), float64(second)},
	}
}

func (l *chainLanes) start(k int, trajectory int64) (err error) {
	l.pairs[k], err = l.starts.squares(trajectory)
	return err
}

func (*chainLanes) see(int) []float64 { return nil }

func (l *chainLanes) pair(k int) (Pair, bool) {
	above, below := l.pairs[k].logarithms()
	return Pair{Masses: l.masses, Above: above, Below: below}, true
}

func (l *chainLanes) move(k, from int) { l.pairs[k] = l.pairs[from] }

func (l *chainLanes) advance(all []lane, layers int64) {
	for k := range all {
		at, p := &all[k], &l.pairs[k]
		for end := at.layer + layers; at.layer < end; at.layer++ {
			above, below := l.layer.advance(p.above, p.below, l.amplitude(at.trajectory, at.layer))
			if !(above <= 5 && below <= 5) {
				at.err = fmt.Errorf("layer %d: a token has no direction", at.layer+1)
				break
			}
			p.above, p.below = above, below
			if above > below || !l.unequal { // S of unequal clusters is no multiple of the one before
				p.rescale()
			}
		}
	}
}
