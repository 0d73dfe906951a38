package sde

import (
	"fmt"
	"math"

	"antipode/sde/internal/kernels"
)

// chainLanes are lanes of overlap chains of any kind, one lane after the other.
type chainLanes struct {
	cell         Cell
	stream       kernels.Stream
	starts       pairStarts
	layer        massesLayer
	unequal      bool
	noise, drift float64 // of the attention: σL^{-1/2}, or εL^{-1/2} and 1/L
	pairs        []pair
	frame        frame
	view         [2]float64
}

func newChainLanes(c Cell, seed uint64, count int) *chainLanes {
	first, second := c.masses()
	l := &chainLanes{
		cell: c, stream: c.stream(seed), starts: pairStarts{cell: c, stream: c.stream(seed)},
		layer: newMassesLayer(c), unequal: first != second,
		noise: c.Sigma, drift: 1 / float64(c.Depth),
		pairs: make([]pair, count),
	}
	if c.Model == Hybrid {
		l.noise = c.Epsilon
	}
	l.noise /= math.Sqrt(float64(c.Depth))
	return l
}

func (l *chainLanes) start(k int, trajectory int64) (err error) {
	l.pairs[k], err = l.starts.pair(trajectory)
	return err
}

func (l *chainLanes) see(k int) []float64 {
	l.view[0], l.view[1] = l.pairs[k].logarithms()
	return l.view[:]
}

func (l *chainLanes) move(k, from int) { l.pairs[k] = l.pairs[from] }

func (l *chainLanes) advance(all []lane, layers int64) {
	for k := range all {
		at, p := &all[k], &l.pairs[k]
		for end := at.layer + layers; at.layer < end; at.layer++ {
			above, below := l.next(p, at)
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

// next returns the squares of a pair after its next layer.
func (l *chainLanes) next(p *pair, at *lane) (above, below float64) {
	if l.cell.Model == Transformer {
		return l.layer.advance(p.above, p.below, l.noise, l.draw(at))
	}
	return l.layer.advance(p.above, p.below, l.amplitude(at), &identityFrame)
}

// amplitude is the factor of the attention in recursion (7).
func (l *chainLanes) amplitude(at *lane) float64 {
	if l.cell.Model == Flow {
		return l.drift
	}
	var v [1]float64
	l.cell.draw(v[:], l.stream, at.trajectory, at.layer)
	return math.FMA(l.noise, v[0], l.drift)
}

// draw returns the frame of a layer's value matrix: normal numbers from the blocks 0 to
// 2 of its address, χ² numbers from block 3.
func (l *chainLanes) draw(at *lane) *frame {
	var g [5]float64
	if l.cell.Dim == 2 {
		l.stream.Normals(g[:4], 1, kernels.Increments, at.trajectory, at.layer)
		l.frame = frame{g1: g[0], g2: g[1], h1: g[2], h2: g[3]}
		return &l.frame
	}
	l.stream.Normals(g[:], 1, kernels.Increments, at.trajectory, at.layer)
	rest, more := l.stream.ChiSquaredPair(l.cell.Dim-2, l.cell.Dim-3, 3, kernels.Increments, at.trajectory, at.layer)
	l.frame = frame{g[0], g[1], g[2], g[3], g[4], rest, more}
	return &l.frame
}
